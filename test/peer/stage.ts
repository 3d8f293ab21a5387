/** Where one test plays: a fresh place, a model, the runs started there, and the proof that nothing of them is left. */
import { expect } from 'vitest';
import type { EventOf } from '../../src/event/index.js';
import type { RunRequest } from '../../src/run/index.js';
import type { ModelServer } from './model/http.js';
import type { Script } from './model/turn.js';
import type { Peer } from './peer.js';
import { only, type Play, play } from './play.js';
import { createSandbox, processesWith, type Sandbox } from './sandbox.js';

export interface Stage extends AsyncDisposable {
  readonly agent: string;
  readonly program: string;
  readonly sandbox: Sandbox;
  readonly env: Sandbox['env'];
  readonly model: ModelServer;
  /** Later runs share the home, the project and the model of the first. */
  start(request?: Partial<RunRequest>, onEvent?: Parameters<typeof play>[1]): Play;
  /** Lines and fields that are not known. */
  unknown(): EventOf<'unknown'>[];
  /** What came so far, for a test that failed. */
  story(): string;
}

export type ScriptOf = (sandbox: Sandbox) => Script;

export async function createStage(peer: Peer, script: ScriptOf): Promise<Stage> {
  const program = peer.program();
  const sandbox = createSandbox();
  const model = await peer.model(script(sandbox));
  peer.setUp?.(sandbox, model);
  const env = { ...sandbox.env, ...peer.env(model) };
  const plays: Play[] = [];
  return {
    agent: peer.agent,
    program,
    sandbox,
    env,
    model,
    start(request, onEvent) {
      const base = { agent: peer.agent, prompt: 'please go on', program, cwd: sandbox.cwd, env };
      const played = play({ ...base, ...peer.request, ...request }, onEvent);
      plays.push(played);
      return played;
    },
    unknown: () => plays.flatMap(({ events }) => only(events, 'unknown')),
    story: () =>
      plays
        .flatMap(({ events, handle }) => [...events.map((event) => JSON.stringify(event)), handle.stderrTail()])
        .join('\n'),
    async [Symbol.asyncDispose]() {
      for (const { handle } of plays) handle.cancel();
      const ends = await Promise.all(plays.map(({ handle }) => handle.completion));
      await model.close();
      // A process may have lost the mark of its run; the fresh place gives it away all the same.
      const left = processesWith(sandbox.folder, ...plays.map(({ handle }) => handle.runId));
      sandbox.remove();
      const notEnded = ends.flatMap(({ open }) => open.processes);
      expect({ notEnded, left }, 'processes that outlive their run').toEqual({ notEnded: [], left: [] });
    },
  };
}
