/** The runs that this server started: each is isolated, all end with the server. */
import { keepFiles, placeToGoOn } from '../checkpoint/index.js';
import {
  type AgentEvent,
  type Decider,
  GlassboxError,
  type Instruction,
  type Reception,
  type Terms,
} from '../event/index.js';
import { createParking, goOnRequest, type Parked } from '../parking/index.js';
import {
  type Agent,
  bindAttachments,
  continueUnder,
  isOfRun,
  keptFiles,
  type RunHandle,
  type RunRequest,
  run,
} from '../run/index.js';
import { type KeptRun, keepRun, requireDone, type SessionRecord, type Store } from '../store/index.js';
import { createNeighbours, releaseWorktree } from '../worktree/index.js';
import { createLiveRun, type LiveRun } from './live-run.js';
import { directoryFor, placeOf } from './place.js';

export interface OwnRuns {
  /** Starts a run in one of the allowed projects. */
  start(request: StartWish, principal?: string): Promise<Started>;
  /** A session that a limit stopped, under the terms that it had. */
  goOn(parked: Parked, principal?: string): Promise<Started>;
  /** Says it to the session's running agent, in whichever process, or resumes the session with it. */
  say(session: SessionRecord, said: Said, from: Decider): Promise<Started>;
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

/** `attachments`: ids of kept files. `worktree`: in a folder and on a branch of its own. `goOn`: so many limits of the account it waits for by itself. */
export type StartWish = RunRequest & { worktree?: boolean | undefined; goOn?: number | undefined };

/** What is said, and how the session goes on otherwise than before. */
export type Said = { text: string; attachments?: readonly string[] | undefined } & Pick<
  RunRequest,
  'permission' | 'model' | 'effort' | 'fork' | 'beforeStart'
>;

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
  /** Whether the files of a run in this folder are kept before and after each turn; default no. */
  keepsFiles?: (cwd: string) => Promise<boolean>;
  /** What is copied into a work tree of this project though git ignores it; default nothing. */
  copiesInto?: (cwd: string) => Promise<readonly string[]>;
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
  const beginning = new Map<string, Promise<Started>>();
  let closing = false;

  const start = async (
    { worktree: isApart, goOn, attachments = [], ...request }: StartWish,
    principal?: string,
    before?: Terms,
  ): Promise<Started> => {
    const folder = await directoryFor(request.cwd, projects);
    const agent = typeof request.agent === 'string' ? agentNamed(request.agent) : request.agent;
    const name = typeof agent === 'string' ? agent : agent.name;
    const own = typeof defaults === 'function' ? await defaults({ agent: name, cwd: folder }) : defaults;
    const terms = continueUnder(before);
    const { permission = terms.permission ?? own.permission } = request;
    if (permission === 'bypass' && !(await options.allowsBypass())) {
      throw new GlassboxError(
        'forbidden',
        noBypass(before ? 'Continue it in a terminal' : 'Choose another permission'),
      );
    }
    const { worktree, cwd } = await placeOf(folder, isApart ? ((await options.copiesInto?.(folder)) ?? []) : undefined);
    const wanted: RunRequest = { followUp: true, ...terms, ...request, agent, cwd };
    const keepsFiles = (await options.keepsFiles?.(cwd)) ?? false;
    const neighbours = createNeighbours(store, cwd);
    let handle: RunHandle;
    try {
      // Nothing is waited for between this and the start: a run that begins later would outlive the server.
      if (closing) throw new GlassboxError('conflict', 'The server is stopping. Start it again first.');
      handle = run({ ...wanted, attachments: keptFiles(attachments), alsoHere: neighbours.names }, own);
      bindAttachments(attachments, handle.runId);
    } catch (error) {
      if (worktree) await releaseWorktree(worktree);
      throw error;
    }
    const live = createLiveRun();
    // The end is told when it is written: whoever hears of it then finds it in the list too.
    let last: AgentEvent | undefined;
    neighbours.tell(handle);
    const files = keepsFiles ? keepFiles(handle) : undefined;
    const park = createParking({
      ...{ runId: handle.runId, agent: name, cwd, request: { ...own, ...wanted } },
      store: Promise.resolve(store.location),
      ...(goOn !== undefined && { goOn: { times: goOn } }),
    });
    const onEvent = (event: AgentEvent): void => {
      files?.see(event);
      park.see(event);
      if (event.type === 'run-end') last = event;
      else live.push(event);
    };
    const kept = keepRun(handle, {
      ...{ store, onEvent, principal, onStoreFailure: options.onStoreFailure },
    });
    const { runId } = handle;
    // What the last turn left is kept before anybody is told that it can be gone back to, and a work tree is let go before
    // somebody goes on in it; both before the server goes.
    const done = Promise.all([kept.done, files?.done]).then(async ([completion]) => {
      await park.done();
      if (worktree) await releaseWorktree(worktree);
      return completion;
    });
    runs.set(runId, { ...kept, done, live, attempts: 0, hasEnded: () => last !== undefined });
    void done.finally(() => {
      if (last) live.push(last);
      live.end();
      runs.delete(runId);
    });
    // A store that fails must not hide the run, so its id stands in.
    const record = await kept.known;
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

  const sayTo = async (session: SessionRecord, said: Said, from: Decider): Promise<Started> => {
    const { text, attachments, fork, beforeStart, ...other } = said;
    const latest = session.runs.at(-1);
    await settle(session);
    const isOther = Object.values(other).some((value) => value !== undefined);
    if (!fork && latest && latest.state !== 'ended' && (await goesOn(latest.runId))) {
      if (isOther) throw new GlassboxError('conflict', STILL_WORKS);
      const { runId } = latest;
      const reception = await tell(runId, { type: 'say', text, ...(attachments && { attachments }) }, from);
      if (reception.outcome === 'done') return { runId, session: session.id };
      // Its turn is over and it is about to go, which takes some programs seconds: nobody who speaks then should have to wait for it.
      const leaving = reception.outcome === 'refused' && reception.code === 'conflict' ? runs.get(runId) : undefined;
      if (leaving) {
        await leaving.done;
        return sayTo(await sessionNow(session.id), said, from);
      }
      // Else it, or its owner, ended a moment ago.
      if (reception.outcome === 'refused' || (await goesOn(runId))) requireDone(reception);
    }
    if (session.agentSessionId === undefined) {
      throw new GlassboxError('conflict', 'This session cannot be continued: its agent never told a session id.');
    }
    const { agent, agentSessionId: resume, cwd } = session;
    const balance = latest?.balance;
    const changed = Object.fromEntries(Object.entries(other).filter(([, value]) => value !== undefined));
    return start(
      {
        ...{ agent, prompt: text, attachments, resume, cwd },
        ...(balance && { balance }),
        ...(await placeToGoOn(session)),
        ...(fork && { fork }),
        ...(beforeStart && { beforeStart }),
        ...changed,
      },
      from.who,
      latest?.terms,
    );
  };

  const sessionNow = async (id: string): Promise<SessionRecord> => {
    const session = await store.session(id);
    if (session) return session;
    throw new GlassboxError('not-found', 'There is no such session.');
  };

  /** What would begin a run of a session waits until the one before it has begun: two of them would be two agents in one conversation. */
  const oneByOne = (id: string, begin: () => Promise<Started>): Promise<Started> => {
    const begun = (beginning.get(id) ?? Promise.resolve()).then(begin, begin);
    beginning.set(id, begun);
    const forget = () => beginning.get(id) === begun && beginning.delete(id);
    begun.then(forget, forget);
    return begun;
  };

  return {
    start: (request, principal) => start(request, principal),

    goOn: ({ record, session: { id } }, principal) =>
      oneByOne(id, async () => {
        const session = await sessionNow(id);
        const { agent, cwd, runs: all } = session;
        const last = all.at(-1);
        if (last?.runId !== record.runId)
          throw new GlassboxError('conflict', 'This session has gone on already: it is not parked.');
        const wish = {
          ...{ agent, cwd, ...goOnRequest(record, session), ...(await placeToGoOn(session)) },
          goOn: record.timesLeft - 1,
        };
        return start(wish, principal ?? last.principal, last.terms);
      }),

    say: ({ id }, said, from) => oneByOne(id, async () => sayTo(await sessionNow(id), said, from)),

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

const STILL_WORKS =
  'The agent still works. Wait for its end, or stop it, to go on with another permission, model or effort.';

/** Whoever comes over the network may be somebody else, so the person who owns the machine has to have written it down. */
const noBypass = (instead: string): string =>
  `Agents that ask for nothing may not be started from here. ${instead}, or allow it in your own configuration file: "serve": { "bypass": true }.`;
