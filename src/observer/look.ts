/** One look at everything: which sessions there are to be judged, and the evidence for each of them. */
import { existsSync } from 'node:fs';
import type { SignsOfLife } from '../agent/presence.js';
import type { Trace } from '../agent/trace.js';
import { placesIn } from '../archive/index.js';
import type { Evidence, ProcessId } from '../presence/index.js';
import type { Conversations, LiveConversation } from './conversations.js';
import { ancestorsOf, type Processes } from './family.js';
import { findHolders } from './holder.js';
import { createLife, idOf, processId } from './life.js';
import { createLogs } from './logs.js';
import { createMotion, type Movement } from './motion.js';
import { createProcessFacts } from './process-facts.js';
import { createProcessList, type ProcessList, type ProcessSeen } from './process-list.js';
import { createRegistryFiles, type RegistryEntry } from './registry-files.js';
import { type Known, keyOf, type ObserverOptions, type Seen } from './session.js';
import type { TranscriptEnd } from './transcript-end.js';
import { isRunning, startedBy, transcriptEvidence } from './transcript-evidence.js';
import { createUnwritten, type Unnamed } from './unwritten.js';

export type Observed = Omit<Seen, 'presence'> & { evidence: Evidence[] };

export interface Look {
  /** Whose changes are worth a look. */
  readonly folders: readonly string[];
  read(also: readonly Known[], thorough: boolean): Promise<Observed[]>;
  /** The last look saw a call that may become a question any moment: worth another look at once. */
  readonly isPressing: boolean;
}

/** A session while its evidence comes together. */
interface Subject extends Known {
  title?: string | undefined;
  evidence: Evidence[];
  holders: ProcessSeen[];
  live?: LiveConversation | undefined;
  /** A file says that it does nothing; whether it asks, and what, only the conversation tells. */
  coarse?: Evidence | undefined;
  /** A file names a process that cannot be seen from here, so that nobody can say that it is gone. */
  isUnseen?: true;
}

interface Accounting {
  /** Agents whose processes may have sessions that no file names. */
  holding: readonly Trace[];
  accounted: ReadonlySet<number>;
  subjectOf(known: Known): Subject;
  /** Filled with processes whose sessions have no name yet. */
  unnamed: Unnamed[];
}

/** What a process had, so that its end is noticed and not only its absence. */
interface Memory extends Known {
  processes: Map<string, ProcessId>;
}

/** Where something was written so shortly ago, a process that cannot be seen is likelier than none. */
const FRESH_MS = 5000;
const MOST_REMEMBERED = 500;
/** The clock of the file system is a little behind. */
const SLACK_MS = 100;
/** Whoever draws for so long works; what is typed, or said at the beginning, takes less. */
const MOVED_MS = 1000;
/** A question is put soon after its call is on disk. */
const SOON_ASKED_MS = 10_000;

export function createLook({
  agents,
  openDatabase,
  procFolder,
  now = Date.now,
  ...surroundings
}: ObserverOptions): Look {
  const list = createProcessList(procFolder, now);
  const registry = createRegistryFiles(agents, surroundings);
  const logs = createLogs(agents, surroundings);
  const conversations = new Map<string, Promise<Conversations>>();
  const ends = new Map<string, { stamp: string; end: TranscriptEnd | undefined }>();
  const memories = new Map<string, Memory>();
  const life = createLife(list, now);
  const motion = list && createMotion(list);
  const facts = createProcessFacts(procFolder, surroundings.home);
  const unwritten = motion && createUnwritten(facts, motion, life.of);
  /** Sessions whose programs were seen to move for a while in the turn that is open. */
  const moved = new Set<string>();
  /** Calls for which something was seen to run. */
  const ran = new Map<string, string>();
  /** When the last process began that was seen to run for a session. */
  const ranAt = new Map<string, number>();
  let watched = new Set<number>();
  let isPressing = false;

  return {
    folders: [...registry.folders, ...logs.folders],
    read,
    get isPressing() {
      return isPressing;
    },
  };

  async function read(also: readonly Known[], thorough: boolean): Promise<Observed[]> {
    const at = now();
    isPressing = false;
    const entries = await registry.read();
    await logs.read();
    const subjects = new Map<string, Subject>();
    const subjectOf = ({ evidence = [], ...known }: Known): Subject => {
      const one = subjects.get(keyOf(known)) ?? { ...known, evidence: [], holders: [] };
      subjects.set(keyOf(known), one);
      one.cwd ??= known.cwd;
      one.changedAt ??= known.changedAt;
      one.evidence.push(...evidence);
      return one;
    };
    for (const known of also) subjectOf(known);
    for (const known of memories.values())
      subjectOf({ agent: known.agent, sessionId: known.sessionId, cwd: known.cwd });
    const holding = agents.filter((agent) => mayHold(agent, subjects));
    // Every process of the machine is read for somebody's sake.
    const all = entries.length + subjects.size + holding.length > 0 ? list?.read(watched) : undefined;
    const accounted = new Set<number>();
    for (const entry of entries) {
      const process = list && all ? processOf(entry, list, all) : 'unseen';
      const isWanted = typeof process === 'object' || entry.says === 'parked' || subjects.has(keyOf(nameOf(entry)));
      if (!isWanted) continue;
      const one = subjectOf({ ...nameOf(entry), cwd: entry.cwd });
      if (entry.title !== undefined) one.title = entry.title;
      const told = life.asRegistered(entry, process, at);
      if (entry.isCoarse) one.coarse = told.find(({ source }) => source === 'registry');
      one.evidence.push(...told.filter((evidence) => evidence !== one.coarse));
      if (process === 'unseen') one.isUnseen = true;
      if (typeof process === 'object') {
        one.holders.push(process);
        for (const { pid } of [process, ...(all ? ancestorsOf(process, all) : [])]) accounted.add(pid);
      }
    }
    const unnamed: Unnamed[] = [];
    const accounting = { holding, accounted, subjectOf, unnamed };
    const open = list && all ? await addHolders(list, all, accounting) : new Map<string, Set<string>>();
    remember(subjects, at, all);
    const apart = all ? (unwritten?.read(unnamed, all, at) ?? []) : [];
    isPressing ||= unwritten?.isPressing ?? false;
    for (const [key, one] of subjects) {
      await complete(one, all, open, thorough, at);
      const memory = memories.get(key);
      if (memory) memory.cwd ??= one.cwd;
    }
    const holders = [...[...subjects.values()].flatMap((one) => one.holders), ...unnamed.map(({ process }) => process)];
    watched = new Set(holders.map(({ pid }) => pid));
    const named = [...subjects.values()].map(({ agent, sessionId, cwd, title, evidence }) => ({
      agent,
      sessionId,
      ...(cwd !== undefined && { cwd }),
      ...(title !== undefined && { title }),
      evidence,
    }));
    return [...named, ...apart];
  }

  /** Whether a process of it could have a session that no file names: where it never kept one, none is looked for. */
  function mayHold({ name, folders, presence }: Trace, subjects: ReadonlyMap<string, Subject>): boolean {
    if (!folders || presence?.registry?.isComplete) return false;
    return [...subjects.values()].some((one) => one.agent === name) || hasAny(folders);
  }

  function hasAny(folders: readonly string[]): boolean {
    return placesIn(folders, surroundings).some((folder) => existsSync(folder));
  }

  /** Those of an agent, whose code is loaded by the first who asks; undefined where it keeps none. */
  function conversationsOf(name: string): Promise<Conversations> | undefined {
    const agent = agents.find((one) => one.name === name);
    const known = conversations.get(name);
    if (known || !agent?.folders || !hasAny(agent.folders)) return known;
    const made = Promise.all([agent.load(), import('./reading.js')]).then(([loaded, { createConversations }]) =>
      createConversations(loaded, surroundings, openDatabase),
    );
    conversations.set(name, made);
    return made;
  }

  /** Processes that no registry names. Gives, for each agent, the directories in which one may have any session. */
  async function addHolders(
    processList: ProcessList,
    all: Processes,
    { holding, accounted, subjectOf, unnamed }: Accounting,
  ): Promise<Map<string, Set<string>>> {
    const open = new Map<string, Set<string>>();
    if (holding.length === 0) return open;
    const programs = [...all.values()].map((process) => ({ process, name: processList.programOf(process) }));
    for (const agent of holding) {
      const names = [...agent.programs, ...(agent.presence?.titles ?? [])];
      const own = programs.filter(({ name }) => names.includes(name)).map(({ process }) => process);
      const isKin = (process: ProcessSeen) =>
        accounted.has(process.pid) ||
        ancestorsOf(process, all).some(({ pid }) => accounted.has(pid) && own.some((one) => one.pid === pid));
      const free = own.filter((process) => !isKin(process));
      const found = free.length > 0 ? await conversationsOf(agent.name) : undefined;
      if (!found) continue;
      const readEnd = (live: LiveConversation) => endOf(live);
      const { held, openDirectories, left } = await findHolders({
        free,
        all,
        list: processList,
        conversations: found,
        readEnd,
      });
      open.set(agent.name, openDirectories);
      for (const { live, processes, why } of held) {
        const one = subjectOf({ agent: agent.name, sessionId: live.conversation.sessionId });
        one.live = live;
        for (const process of processes) {
          one.holders.push(process);
          one.evidence.push(life.of(process, `process ${process.pid} (${processList.programOf(process)}) ${why}`));
        }
      }
      if (agent.presence?.writesAfterAnswer)
        unnamed.push(...left.map(({ process, directory }) => ({ agent: agent.name, process, cwd: directory })));
    }
    return open;
  }

  /** The conversation on disk, and what follows when nothing lives that has it. */
  async function complete(
    one: Subject,
    all: Processes | undefined,
    open: ReadonlyMap<string, ReadonlySet<string>>,
    thorough: boolean,
    at: number,
  ): Promise<void> {
    // A process that nothing accounts for may have taken it over from the one that is gone.
    if (one.holders.length === 0 && one.cwd !== undefined && open.get(one.agent)?.has(one.cwd))
      one.evidence = one.evidence.filter(({ says }) => says !== 'absent');
    const isTold = one.evidence.some(({ source, says }) => source === 'registry' && says !== 'parked');
    const isGone = one.holders.length === 0 && one.evidence.some(({ says }) => says === 'absent');
    const mayBeHeld = one.cwd === undefined || (open.get(one.agent)?.has(one.cwd) ?? false);
    // Of a session that nobody has, it is enough to know that.
    const isPast = all !== undefined && one.holders.length === 0 && !mayBeHeld && one.changedAt !== undefined;
    if (thorough || (!isTold && !isGone && !isPast)) {
      one.live ??= await (await conversationsOf(one.agent))?.withId(one.sessionId);
      const end = one.live && (await endOf(one.live));
      if (end) {
        one.cwd ??= end.cwd;
        one.title ??= end.title;
        const movement = movementOf(one, end, at);
        const ranBefore = hasRun(one, end, all);
        const told = transcriptEvidence(end, {
          holders: one.holders,
          processes: all,
          ...(movement && { movement }),
          writesCallsLate: presenceOf(one)?.writesCallsLate ?? false,
          isAtRest: one.coarse !== undefined,
          isAsking: one.evidence.findLast(({ source }) => source === 'hook')?.says === 'waiting',
          hasRun: ranBefore,
          asked: logs.askedBy(one),
          ranAt: lastRun(one, all),
          now: at,
        });
        const isNew = end.calls.some((call) => at - call.at < SOON_ASKED_MS);
        if (isNew && moved.has(keyOf(one)) && !ranBefore && told.every(({ says }) => says !== 'waiting'))
          isPressing = true;
        one.evidence.push(...told);
      }
    }
    const isAsking = one.evidence.some(({ source, says }) => source === 'transcript' && says === 'waiting');
    if (one.coarse) one.evidence.push(isAsking ? { ...one.coarse, says: 'present' } : one.coarse);
    if (!all || one.holders.length > 0 || isGone || mayBeHeld || one.isUnseen) return;
    const isFresh = at - (one.live?.changedAt ?? one.changedAt ?? 0) < FRESH_MS;
    const title = agents.find(({ name }) => name === one.agent)?.title ?? one.agent;
    if (!isFresh)
      one.evidence.push({ source: 'process', says: 'absent', at, text: `no process of ${title} has it in ${one.cwd}` });
  }

  /** Whether something runs, or ran while somebody looked, for the calls that are open. */
  function hasRun(one: Subject, { calls }: TranscriptEnd, all: Processes | undefined): boolean {
    const key = keyOf(one);
    const which = JSON.stringify(calls);
    if (isRunning(calls, one.holders, all)) ran.set(key, which);
    else if (ran.get(key) !== which) ran.delete(key);
    return ran.has(key);
  }

  function lastRun(one: Subject, all: Processes | undefined): number | undefined {
    const last = Math.max(ranAt.get(keyOf(one)) ?? 0, ...(all ? startedBy(one.holders, all) : []));
    if (last > 0) ranAt.set(keyOf(one), last);
    return last;
  }

  function presenceOf({ agent }: Subject): SignsOfLife | undefined {
    return agents.find(({ name }) => name === agent)?.presence;
  }

  /** Where it can be told: of a program that moves while it works, and was seen to in this turn. */
  function movementOf(one: Subject, end: TranscriptEnd, at: number): Movement | undefined {
    if (!motion || !presenceOf(one)?.movesAtWork) return undefined;
    const movement = motion.see(one.holders, at);
    const key = keyOf(one);
    if (end.turn !== 'open') moved.delete(key);
    else if (movement?.isMoving && at - movement.since >= MOVED_MS) moved.add(key);
    return moved.has(key) ? movement : undefined;
  }

  async function endOf({ conversation, changedAt }: LiveConversation): Promise<TranscriptEnd | undefined> {
    const key = `${conversation.agent.name} ${conversation.sessionId}`;
    const stamp = `${changedAt} ${conversation.bytes} ${conversation.state}`;
    const known = ends.get(key);
    if (known?.stamp === stamp) return known.end;
    const { readTranscriptEnd } = await import('./reading.js');
    const end = await readTranscriptEnd(conversation, openDatabase);
    ends.set(key, { stamp, end });
    return end;
  }

  /** Keeps who had it, and tells of those that are gone since. */
  function remember(subjects: ReadonlyMap<string, Subject>, at: number, all: Processes | undefined): void {
    for (const [key, one] of subjects) {
      if (one.holders.length === 0) continue;
      const memory = memories.get(key) ?? {
        agent: one.agent,
        sessionId: one.sessionId,
        cwd: one.cwd,
        processes: new Map(),
      };
      memories.delete(key);
      memories.set(key, memory);
      for (const process of one.holders) memory.processes.set(idOf(process), processId(process));
    }
    for (const [key, { processes }] of memories) {
      for (const process of processes.values()) {
        const seen = all?.get(process.pid);
        if (seen && seen.began === process.began) continue;
        const told = subjects.get(key)?.evidence ?? [];
        if (told.some((one) => one.says === 'absent' && one.process && idOf(one.process) === idOf(process))) continue;
        const text = `process ${process.pid}, which had it, is gone`;
        told.push({ source: 'process', says: 'absent', at, process, text });
      }
    }
    const [oldest] = memories.keys();
    if (memories.size > MOST_REMEMBERED && oldest !== undefined) {
      memories.delete(oldest);
      ranAt.delete(oldest);
    }
  }
}

/** The process that a file names: a number alone names nobody. */
function processOf(
  { process, isWrittenOnce, writtenAt }: RegistryEntry,
  list: ProcessList,
  all: Processes,
): ProcessSeen | 'gone' | 'unseen' {
  if (!process) return 'gone';
  if (process.namespace !== undefined && list.namespace !== undefined && process.namespace !== list.namespace)
    return 'unseen';
  const seen = all.get(process.pid);
  if (!seen) return 'gone';
  if (process.startTicks !== undefined) return seen.startTicks === process.startTicks ? seen : 'gone';
  return isWrittenOnce && seen.began > writtenAt + SLACK_MS ? 'gone' : seen;
}

const nameOf = ({ agent, sessionId }: RegistryEntry) => ({ agent: agent.name, sessionId });
