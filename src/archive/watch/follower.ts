/**
 * Follows one conversation into the store: what is read is appended to one run, which this process owns while the conversation goes on. Nothing
 * is told twice, and what is no longer as it was told is told anew. While glassbox runs the conversation itself it is let go; what happened
 * before or after that is added.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Moment } from '../../agent/transcript.js';
import { type AgentEvent, type Draft, defined, GlassboxError } from '../../event/index.js';
import type { RunRecord, RunStart, SessionRecord } from '../../store/record.js';
import type { Store } from '../../store/store.js';
import { besidesOf, createBesides, isBeside } from '../besides.js';
import type { OpenDatabase } from '../database.js';
import type { Conversation } from '../find.js';
import { importConversations } from '../import.js';
import { balanceAfterRuns, createLeaving, isDuring } from '../known.js';
import { findOtherName, isImported } from '../other-name.js';
import { eventsOf } from '../piped.js';
import { createEmitter, isTranscript, readConversation, runIdOf } from '../read.js';
import { settleRun } from '../settle.js';
import { createSource, ORDERED_BYTES, type Source } from './source.js';

export interface FollowerOptions {
  store: Store;
  openDatabase: OpenDatabase | undefined;
  /** Whether what happens in this directory is not to be seen. */
  isIgnored(directory: string): boolean;
  /** The session that a copy was made from is in the store after this, by its id. */
  bringOrigin(conversation: Conversation, origin: ReturnType<Source['origin']>): Promise<string | undefined>;
  onEvents(events: readonly AgentEvent[]): void;
}

export interface Follower {
  readonly runId: string;
  readonly inTurn: boolean;
  /**
   * Reads what is new. `busy`: a run of glassbox, or one that may be of this conversation, is under way; `shared`: only the words tell what
   * others have of it, so that it has to be imported.
   */
  look(conversation: Conversation): Promise<'followed' | 'shared' | 'busy' | 'elsewhere' | 'ignored'>;
  /** Nothing came for a while. */
  settle(): Promise<void>;
  /** Nobody owns the run until more comes. */
  release(conversation: Conversation): Promise<void>;
  /** Nothing more will be read: what is open is closed. */
  close(conversation: Conversation): Promise<void>;
  /** Something that others know of the conversation, at its place among what is read. */
  emit(drafts: readonly Draft[]): Promise<AgentEvent[]>;
}

/** Events per call: small enough that others get their turn. */
const BATCH = 500;
/** A program begins to write a moment after it was started. */
const SLACK_MS = 2000;

export function createFollower(first: Conversation, options: FollowerOptions): Follower {
  const { store, openDatabase, onEvents } = options;
  const { agent } = first;
  const { hasOtherIds } = agent.transcripts ?? {};
  const runId = runIdOf(first);
  let source: Source | undefined;
  let rest = createRest(first);
  /** Until a turn begins there is nothing to show. */
  let early: AgentEvent[] = [];
  let run: 'none' | 'begun' | 'released' = 'none';
  /** The run in the store is this process's own, also when it is to be told anew. */
  let isOwned = false;
  let isIgnored = false;
  /** What glassbox keeps of the session by itself, which is not told again. */
  let others: readonly RunRecord[] = [];
  /** What their agent calls the conversation, where that is another name. */
  let otherName: string | undefined;
  let open = 0;
  let batch: AgentEvent[] = [];

  /** Whether to go on. */
  async function deliver(moments: readonly Moment[], conversation: Conversation): Promise<boolean> {
    for (const moment of moments) {
      const { draft } = moment;
      if (draft.type === 'session-start' && draft.cwd !== undefined) isIgnored ||= options.isIgnored(draft.cwd);
      if (isIgnored) return false;
      if (!(await deliverEvents(rest.emit(moment), conversation))) return false;
      if (batch.length >= BATCH) await flush();
    }
    return true;
  }

  async function deliverEvents(events: readonly AgentEvent[], conversation: Conversation): Promise<boolean> {
    for (const event of events) {
      if (run !== 'none') put(event);
      else {
        early.push(event);
        if (event.type !== 'turn-start' && event.type !== 'user-message') continue;
        if ((await isBeingStarted(store, agent.name, early)) || (await isKnownByNow(conversation))) return false;
        await begin(conversation);
      }
    }
    return true;
  }

  /** A run said since this look began which conversation it is: what is of it here is told there. */
  async function isKnownByNow(conversation: Conversation): Promise<boolean> {
    return !hasOtherIds && !isSame(others, othersIn(await sessionOf(conversation), runId));
  }

  async function begin(conversation: Conversation): Promise<void> {
    const origin = await options.bringOrigin(conversation, source?.origin() ?? {});
    const link = origin === undefined ? defined({ resumes: otherName }) : { resumes: origin, fork: true };
    const startedAt = early[0]?.at ?? 0;
    await store.startRun({ runId, agent: agent.name, startedAt, replace: true, ...link });
    isOwned = true;
    run = 'begun';
    for (const event of early) put(event);
    early = [];
  }

  function put(event: AgentEvent): void {
    if (event.type === 'turn-start') open += 1;
    else if (event.type === 'turn-end') open = Math.max(0, open - 1);
    batch.push(event);
  }

  async function flush(): Promise<void> {
    if (batch.length === 0) return;
    const events = batch;
    batch = [];
    if (run === 'released') await claim(events[0]?.at ?? 0);
    await store.append(events);
    onEvents(events);
  }

  async function claim(startedAt: number): Promise<void> {
    await store.startRun({ runId, agent: agent.name, startedAt, reopen: true } satisfies RunStart);
    isOwned = true;
    run = 'begun';
  }

  function forget(): void {
    source = undefined;
    rest = createRest(first);
    early = [];
    batch = [];
    open = 0;
    run = 'none';
  }

  /** Nobody owns the run any more; what it tells is what is on disk in this state, if it is all of that. */
  async function letGo(state?: string): Promise<void> {
    if (!isOwned) return;
    isOwned = false;
    await store.endRun(runId, state);
  }

  /** Others keep the session too, or no longer as they did: what both tell is told by them. */
  async function share(now: readonly RunRecord[]): Promise<void> {
    await letGo();
    others = now;
    forget();
    await settleRun(store, runId, { hasOtherIds });
  }

  async function end(conversation: Conversation): Promise<void> {
    const now = othersIn(await sessionOf(conversation), runId);
    if (isSame(others, now)) await letGo(conversation.state);
    else await share(now);
  }

  async function sessionOf(conversation: Conversation): Promise<SessionRecord | undefined> {
    const session = (await store.session(runId)) ?? (await store.session(conversation.sessionId));
    if (!hasOtherIds || session?.runs.some((one) => !isImported(one))) return session;
    const other = await findOtherName(store, agent.name, (await readConversation(conversation, openDatabase)).events);
    otherName = other?.agentSessionId;
    return other ?? session;
  }

  async function read(conversation: Conversation): Promise<'followed' | 'busy'> {
    if (!source) {
      source = createSource(conversation, openDatabase);
      rest = createRest(first, others, await besidesOf(store, runId));
    }
    const growth = source?.read(conversation);
    try {
      for (;;) {
        const piece = await growth?.next();
        if (!piece || piece.done) {
          if (piece?.value === 'again') break;
          if (run !== 'none') await deliverEvents(rest.besides(), conversation);
          await flush();
          return 'followed';
        }
        if (await deliver(piece.value, conversation)) continue;
        await letGo();
        forget();
        return 'busy';
      }
    } finally {
      await growth?.return('same');
    }
    forget();
    return read(conversation);
  }

  /**
   * What was told piece by piece may be in another order than it happened, or in more turns: when others read the same, it is told as
   * they do. What is too long for memory is left to the import. Whether that is so.
   */
  async function correct(conversation: Conversation): Promise<boolean> {
    if (!source?.isDoubtful || others.length > 0) return false;
    const isLong = conversation.bytes > ORDERED_BYTES;
    const whole = isLong ? undefined : (await readConversation(conversation, openDatabase)).events;
    if (whole && isSameTelling(await eventsOf(store, runId), whole)) return false;
    await letGo();
    forget();
    const database = openDatabase && { openDatabase };
    if (whole) await importConversations({ store, conversations: [conversation], ...database });
    return true;
  }

  /** What is left at the end, or after a while, of what was read. */
  async function add(moments: readonly Moment[]): Promise<void> {
    for (const moment of moments) for (const event of rest.emit(moment)) put(event);
    await flush();
  }

  return {
    runId,
    get inTurn() {
      return open > 0;
    },
    async look(conversation) {
      if (isIgnored) return 'ignored';
      const now = othersIn(await sessionOf(conversation), runId);
      if (!isSame(others, now)) await share(now);
      if (now.some(({ state }) => state !== 'ended')) return 'busy';
      if (now.some(({ piped }) => piped)) return 'shared';
      try {
        const what = await read(conversation);
        return isIgnored ? 'ignored' : what;
      } catch (error) {
        forget();
        isOwned = false;
        if (error instanceof GlassboxError && error.code === 'conflict') return 'elsewhere';
        throw error;
      }
    },
    async settle() {
      if (run !== 'none') await add(source?.settle() ?? []);
    },
    async release(conversation) {
      if (run !== 'begun' || (await correct(conversation))) return;
      run = 'released';
      await end(conversation);
    },
    async close(conversation) {
      if (run === 'none') return;
      await add(source?.end() ?? []);
      if (await correct(conversation)) return;
      source = undefined;
      if (run === 'begun') await end(conversation);
      run = 'none';
    },
    async emit(drafts) {
      if (run === 'none') return [];
      // Whoever gives them keeps them.
      const events = drafts.flatMap((draft) => rest.emit({ at: Date.now(), draft: { ...draft } }));
      batch.push(...events);
      await flush();
      return events;
    },
  };
}

function othersIn(session: SessionRecord | undefined, own: string): RunRecord[] {
  return session?.runs.filter(({ runId }) => runId !== own && !isTranscript(runId)) ?? [];
}

/** A run that goes on, or ended later than it was known to, has other things of its own. */
function isSame(before: readonly RunRecord[], now: readonly RunRecord[]): boolean {
  const known = new Map(before.map((run) => [run.runId, run]));
  return (
    before.length === now.length &&
    now.every(({ runId, state, updatedAt, endedAt }) => {
      const one = known.get(runId);
      return one?.state === state && (state !== 'ended' || (one.updatedAt === updatedAt && one.endedAt === endedAt));
    })
  );
}

/** A run of glassbox whose agent has not said yet which conversation it is: this may be the one, when it began there and since then. */
async function isBeingStarted(store: Store, agent: string, events: readonly AgentEvent[]): Promise<boolean> {
  const { items } = await store.list({ agent, state: 'running', limit: 50 });
  const begun = events.at(-1)?.at ?? 0;
  const place = events.find((event) => event.type === 'session-start')?.cwd;
  return items.some(({ runs }) =>
    runs.some(
      ({ runId, state, agentSessionId, startedAt, cwd = place }) =>
        !isTranscript(runId) &&
        state !== 'ended' &&
        agentSessionId === undefined &&
        begun >= startedAt - SLACK_MS &&
        (place === undefined || cwd === place),
    ),
  );
}

/** But for when it was told, and what stands in no file. */
function isSameTelling(kept: readonly AgentEvent[], whole: readonly AgentEvent[]): boolean {
  const told = ({ seq: _, at: __, ...event }: AgentEvent) => event;
  return isDeepStrictEqual(kept.filter((event) => !isBeside(event)).map(told), whole.map(told));
}

/** Events of what is read, but for what these runs have, and with what others told between. */
function createRest(conversation: Conversation, others: readonly RunRecord[] = [], told: readonly AgentEvent[] = []) {
  let seq = 0;
  const emit = createEmitter(conversation);
  const besides = createBesides(told);
  const leave =
    others.length > 0
      ? createLeaving({ isKnown: isDuring(others), balanceAt: balanceAfterRuns(others) })
      : (event: AgentEvent) => [event];
  const counted = (event: AgentEvent): AgentEvent => {
    seq += 1;
    return { ...event, seq };
  };
  return {
    emit: (moment: Moment): AgentEvent[] => [...besides.before(moment.at), ...emit(moment).flatMap(leave)].map(counted),
    /** Those that came after all that was read. */
    besides: (): AgentEvent[] => besides.rest().map(counted),
  };
}
