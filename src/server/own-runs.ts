/** The runs that this server started: each is isolated, all end with the server. */
import path from 'node:path';
import {
  type AgentEvent,
  type Decider,
  GlassboxError,
  type Instruction,
  type Reception,
  type Terms,
} from '../event/index.js';
import { isInside, realPath } from '../run/approval/real-path.js';
import { type Agent, continueUnder, isOfRun, type RunRequest, run } from '../run/index.js';
import { type KeptRun, keepRun, requireDone, type SessionRecord, type Store } from '../store/index.js';
import { createLiveRun, type LiveRun } from './live-run.js';

export interface OwnRuns {
  /** Starts a run in one of the allowed projects. */
  start(request: RunRequest): Promise<Started>;
  /** Says it to the session's running agent, in whichever process, or resumes the session with it. */
  say(session: SessionRecord, text: string, from: Decider): Promise<Started>;
  /** Tells a run something, also one of another process. */
  tell(runId: string, instruction: Instruction, from: Decider): Promise<Reception>;
  /** Throws when one of these suggestions would let an agent do everything unasked, and that may not be begun from here. */
  checkRemembered(runId: string, approval: string, positions: readonly number[]): Promise<void>;
  live(runId: string): LiveRun | undefined;
  /** Waits until what has ended of a session is written. */
  settle(session: SessionRecord): Promise<void>;
  /** Tells in a run that something inside it tried to do what only people may; nothing when the run is not here. */
  tellOfAttempt(run: string, what: string): void;
  count(): number;
  /** Ends all of them by their ladders and waits. */
  close(): Promise<void>;
}

export interface Started {
  runId: string;
  session: string;
}

export type RunDefaults = Partial<RunRequest> | ((run: { agent: string; cwd: string }) => Promise<Partial<RunRequest>>);

export interface OwnRunOptions {
  store: Store;
  projects: readonly string[];
  /** Whether an agent may be started that asks for nothing. */
  allowsBypass: () => Promise<boolean>;
  /** One of the server's own, or else the name. */
  agentNamed?: (name: string) => Agent | string;
  defaults?: RunDefaults;
  onStoreFailure?(error: GlassboxError): void;
}

interface OwnRun extends KeptRun {
  live: LiveRun;
  /** How often something inside of it tried to act. */
  attempts: number;
  hasEnded(): boolean;
}

export function createOwnRuns({
  store,
  projects,
  defaults = {},
  agentNamed = (name) => name,
  ...options
}: OwnRunOptions): OwnRuns {
  const runs = new Map<string, OwnRun>();
  let closing = false;

  const start = async (request: RunRequest, before?: Terms): Promise<Started> => {
    const cwd = allowedDirectory(request.cwd, projects);
    const agent = typeof request.agent === 'string' ? agentNamed(request.agent) : request.agent;
    const name = typeof agent === 'string' ? agent : agent.name;
    const own = typeof defaults === 'function' ? await defaults({ agent: name, cwd }) : defaults;
    const wanted: RunRequest = { followUp: true, ...continueUnder(before), ...request, agent, cwd };
    const { permission = own.permission } = wanted;
    if (permission === 'bypass' && !(await options.allowsBypass())) {
      throw new GlassboxError(
        'forbidden',
        noBypass(before ? 'Continue it in a terminal' : 'Choose another permission'),
      );
    }
    // Nothing is waited for between this and the start: a run that begins later would outlive the server.
    if (closing) throw new GlassboxError('conflict', 'The server is stopping. Start it again first.');
    const live = createLiveRun();
    // The end is told when it is written: whoever hears of it then finds it in the list too.
    let last: AgentEvent | undefined;
    const onEvent = (event: AgentEvent): void => {
      if (event.type === 'run-end') last = event;
      else live.push(event);
    };
    const kept = keepRun(run(wanted, own), { store, onEvent, onStoreFailure: options.onStoreFailure });
    const { runId } = kept.handle;
    runs.set(runId, { ...kept, live, attempts: 0, hasEnded: () => last !== undefined });
    void kept.done.finally(() => {
      if (last) live.push(last);
      live.end();
      runs.delete(runId);
    });
    // Asked for twice it is made once; a store that fails must not hide the run, so its id stands in.
    const record = await store.startRun(kept.start).catch(() => undefined);
    return { runId, session: record?.session ?? runId };
  };

  /** A run that still goes on here; one that has ended may still be being written. */
  const going = (runId: string | undefined): OwnRun | undefined => {
    const own = runs.get(runId ?? '');
    return own?.hasEnded() ? undefined : own;
  };

  const settle = async (session: SessionRecord): Promise<void> => {
    for (const { runId } of session.runs) if (!going(runId)) await runs.get(runId)?.done;
  };

  const goesOn = async (runId: string): Promise<boolean> => {
    if (going(runId)) return true;
    const now = await store.session(runId);
    return now?.runs.find((run) => run.runId === runId)?.state !== 'ended';
  };

  /** Directly where the run is here. That an answer is late may also mean that there was never such a question: the store knows. */
  const tell = async (runId: string, instruction: Instruction, from: Decider): Promise<Reception> => {
    const reception = runs.get(runId)?.handle.tell(instruction, from);
    if (reception && !(reception.outcome === 'late' && instruction.type === 'answer')) return reception;
    return store.tell(runId, instruction, from);
  };

  return {
    start,

    async say(session, text, from) {
      const latest = session.runs.at(-1);
      await settle(session);
      if (latest && latest.state !== 'ended' && (await goesOn(latest.runId))) {
        const { runId } = latest;
        const reception = await tell(runId, { type: 'say', text }, from);
        if (reception.outcome === 'done') return { runId, session: session.id };
        // Else it, or its owner, ended a moment ago.
        if (reception.outcome === 'refused' || (await goesOn(runId))) requireDone(reception);
      }
      if (session.agentSessionId === undefined) {
        throw new GlassboxError('conflict', 'This session cannot be continued: its agent never told a session id.');
      }
      const { agent, agentSessionId: resume, cwd } = session;
      const balance = latest?.balance;
      return start({ agent, prompt: text, resume, cwd, ...(balance && { balance }) }, latest?.terms);
    },

    tell,

    async checkRemembered(runId, approval, positions) {
      if (positions.length === 0 || (await options.allowsBypass())) return;
      // A question of a run that is here may not be written yet.
      const own = runs.get(runId)?.handle.pending();
      const asked = own ?? (await store.approvals(runId)).map(({ request }) => request);
      const { suggestions = [] } = asked.find(({ id }) => id === approval) ?? {};
      const isBypass = positions.some((position) => {
        const { allows, what = [] } = suggestions[position] ?? {};
        return allows === 'mode' && what.includes('bypass');
      });
      if (isBypass) throw new GlassboxError('forbidden', noBypass('Answer it in a terminal'));
    },

    live: (runId) => runs.get(runId)?.live,

    tellOfAttempt(named, what) {
      const own = [...runs.values()].find(({ handle }) => isOfRun(named, handle.runId));
      if (!own) return;
      own.attempts += 1;
      // Not without end: it may try again and again.
      if (own.attempts <= MOST_ATTEMPTS)
        own.handle.warn('act-from-inside', `Something inside this run tried to ${what}. It was refused.`);
    },

    settle,

    count: () => [...runs.keys()].filter((runId) => going(runId)).length,

    async close() {
      closing = true;
      const ending = [...runs.values()];
      for (const { handle } of ending) handle.cancel('glassbox was stopped');
      await Promise.all(ending.map(({ done }) => done));
    },
  };
}

const MOST_ATTEMPTS = 10;

/** Whoever comes over the network may be somebody else, so the person who owns the machine has to have written it down. */
const noBypass = (instead: string): string =>
  `Agents that ask for nothing may not be started from here. ${instead}, or allow it in your own configuration file: "serve": { "bypass": true }.`;

/** Inside one of the projects, where links really lead. */
function allowedDirectory(cwd: string | undefined, projects: readonly string[]): string {
  const wanted = path.resolve(cwd ?? projects[0] ?? '.');
  const allowed = projects.map((project) => realPath(path.resolve(project)));
  if (!isInside(realPath(wanted), allowed)) {
    throw new GlassboxError('forbidden', 'Agents may not be started in this directory. Allow it with --project.');
  }
  return wanted;
}
