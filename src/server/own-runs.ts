/** The runs that this server started: each is isolated, all end with the server. */
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { type AgentEvent, GlassboxError } from '../event/index.js';
import type { RunRequest } from '../run/index.js';
import type { ApprovalAnswer, SessionRecord, Store } from '../store/index.js';
import { applyAnswer, type KeptRun, keepRun } from './keep-run.js';
import { createLiveRun, type LiveRun } from './live-run.js';

export interface OwnRuns {
  /** Starts a run in one of the allowed projects. */
  start(request: RunRequest): Promise<Started>;
  /** Says it to the session's running agent, or resumes the session with it. */
  say(session: SessionRecord, text: string): Promise<Started>;
  live(runId: string): LiveRun | undefined;
  /** Waits until what has ended of a session is written. */
  settle(session: SessionRecord): Promise<void>;
  /** Answers directly, without the way through the store; absent when the run is not here. */
  answer(runId: string, approvalId: string, answer: ApprovalAnswer): boolean | undefined;
  /** False when the run is not here. */
  interrupt(runId: string): boolean;
  cancel(runId: string): boolean;
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
  defaults?: RunDefaults;
  onStoreFailure?(error: GlassboxError): void;
}

interface OwnRun extends KeptRun {
  live: LiveRun;
  hasEnded(): boolean;
}

export function createOwnRuns({ store, projects, defaults = {}, onStoreFailure }: OwnRunOptions): OwnRuns {
  const runs = new Map<string, OwnRun>();
  let closing = false;

  const start = async (request: RunRequest): Promise<Started> => {
    const cwd = await allowedDirectory(request.cwd, projects);
    const agent = typeof request.agent === 'string' ? request.agent : request.agent.name;
    const own = typeof defaults === 'function' ? await defaults({ agent, cwd }) : defaults;
    // Nothing is waited for between this and the start: a run that begins later would outlive the server.
    if (closing) throw new GlassboxError('conflict', 'The server is stopping. Start it again first.');
    const live = createLiveRun();
    // The end is told when it is written: whoever hears of it then finds it in the list too.
    let last: AgentEvent | undefined;
    const onEvent = (event: AgentEvent): void => {
      if (event.type === 'run-end') last = event;
      else live.push(event);
    };
    const kept = keepRun({ ...request, cwd }, { store, defaults: own, onEvent, onStoreFailure });
    const { runId } = kept.handle;
    runs.set(runId, { ...kept, live, hasEnded: () => last !== undefined });
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

  const isElsewhere = async (runId: string): Promise<boolean> => {
    const now = await store.session(runId);
    return now?.runs.find((run) => run.runId === runId)?.state !== 'ended';
  };

  return {
    start,

    async say(session, text) {
      const latest = session.runs.at(-1);
      const own = going(latest?.runId);
      if (own) {
        own.handle.say(text);
        return { runId: own.handle.runId, session: session.id };
      }
      await settle(session);
      if (latest && latest.state !== 'ended' && (await isElsewhere(latest.runId))) {
        throw new GlassboxError(
          'conflict',
          'This session runs in another process. Wait for its end, then continue it.',
        );
      }
      if (session.agentSessionId === undefined) {
        throw new GlassboxError('conflict', 'This session cannot be continued: its agent never told a session id.');
      }
      const baselineUsd = latest?.reported?.scope === 'session' ? latest.reported.usd : undefined;
      const { agent, agentSessionId: resume, cwd } = session;
      return start({ agent, prompt: text, resume, cwd, ...(baselineUsd !== undefined && { baselineUsd }) });
    },

    live: (runId) => runs.get(runId)?.live,

    answer(runId, approvalId, answer) {
      const own = runs.get(runId);
      return own && applyAnswer(own.handle, approvalId, answer);
    },

    settle,

    interrupt: (runId) => going(runId)?.handle.interrupt() ?? false,

    cancel(runId) {
      const own = going(runId);
      own?.handle.cancel();
      return own !== undefined;
    },

    count: () => [...runs.keys()].filter((runId) => going(runId)).length,

    async close() {
      closing = true;
      const ending = [...runs.values()];
      for (const { handle } of ending) handle.cancel();
      await Promise.all(ending.map(({ done }) => done));
    },
  };
}

/** Inside one of the projects, compared by whole path segments, where links really lead. */
async function allowedDirectory(cwd: string | undefined, projects: readonly string[]): Promise<string> {
  const wanted = path.resolve(cwd ?? projects[0] ?? '.');
  const [real, ...allowed] = await Promise.all([wanted, ...projects].map(realPath));
  const isInside = allowed.some((project) => {
    const relative = path.relative(project, real ?? wanted);
    return relative === '' || (!relative.startsWith('..') && !path.isAbsolute(relative));
  });
  if (!isInside) {
    throw new GlassboxError('forbidden', 'Agents may not be started in this directory. Allow it with --project.');
  }
  return wanted;
}

/** One that is not there leads nowhere else. */
async function realPath(file: string): Promise<string> {
  const full = path.resolve(file);
  return realpath(full).catch(() => full);
}
