/** A real agent's own program that somebody started without glassbox, watched by the observer while what is true is written down. */
import type { ChildProcess } from 'node:child_process';
import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Agent } from '../../../src/agent/agent.js';
import { TRACES } from '../../../src/agent/trace.js';
import { requireAgent } from '../../../src/decode/index.js';
import { defined } from '../../../src/event/index.js';
import { hookEvidence } from '../../../src/hook/hook-evidence.js';
import { planInstall } from '../../../src/hook/installation.js';
import { listenAt } from '../../../src/hook/listener.js';
import { settingsPath, socketPath } from '../../../src/hook/place.js';
import { findSender } from '../../../src/hook/sender.js';
import { createObserver, type Observer, type Seen } from '../../../src/observer/index.js';
import { isLive, type State } from '../../../src/presence/index.js';
import { openForeign } from '../../../src/store/foreign.js';
import { startProgram } from '../headless.js';
import { gate, type Script } from '../model/turn.js';
import type { Peer } from '../peer.js';
import { processesWith, type Sandbox } from '../sandbox.js';
import { createStage, type Stage } from '../stage.js';
import { nameOf } from '../table.js';
import { type OpenTerminal, openTerminal } from '../terminal.js';
import type { Shown, Timeline } from './timeline.js';

export interface Observed extends AsyncDisposable {
  readonly stage: Stage;
  readonly timeline: Timeline;
  /** From now on this is true; undefined when nobody outside can say. */
  is(state: State | undefined): void;
  /** The last that was seen of the session; undefined before there is one. */
  seen(): Seen | undefined;
  until(what: string, holds: () => boolean): Promise<void>;
  open(...args: string[]): OpenTerminal;
  start(...args: string[]): ChildProcess;
  signal(name: NodeJS.Signals): void;
}

/** The model says nothing until `let go` opens its gate. */
export interface Play {
  name: string;
  /** With our hooks in the settings of the agent, as `glassbox hooks install` puts them there. */
  hooks?: true;
  script(letGo: Promise<void>): Script;
  perform(observed: Observed, letGo: () => void): Promise<void>;
}

const PATIENCE_MS = 200_000;

export async function observe(peer: Peer, play: Play): Promise<Timeline> {
  const held = gate();
  const stage = await createStage(peer, () => play.script(held.promise));
  peer.introduce?.(stage.sandbox);
  await using observed = await createObserved(peer, play, stage);
  await play.perform(observed, held.open);
  observed.timeline.until = Date.now();
  return observed.timeline;
}

async function createObserved(peer: Peer, { name, hooks }: Play, stage: Stage): Promise<Observed> {
  const { sandbox } = stage;
  const timeline: Timeline = { play: name, agent: nameOf(peer), truth: [], shown: [], until: 0 };
  const observer = createObserver({
    agents: TRACES.filter((agent) => agent.name === peer.agent),
    env: {},
    home: sandbox.home,
    openDatabase: openForeign,
  });
  const listening = hooks && (await hearHooked(requireAgent(peer.agent), sandbox, observer));
  const stop = new AbortController();
  let last: Seen | undefined;
  const watching = (async () => {
    for await (const all of observer.watch({ signal: stop.signal })) {
      // A program that starts itself anew leaves a session behind that has ended.
      last = all.findLast(({ presence }) => isLive(presence)) ?? all.at(-1);
      const value: Shown = last?.presence.state ?? 'unseen';
      if (timeline.shown.at(-1)?.value !== value) timeline.shown.push({ at: Date.now(), value });
    }
  })();
  const until: Observed['until'] = async (what, holds) => {
    const end = Date.now() + PATIENCE_MS;
    while (!holds()) {
      if (Date.now() > end) throw new Error(`${what} did not come`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  return {
    stage,
    timeline,
    is: (value) => void timeline.truth.push({ at: Date.now(), value }),
    seen: () => last,
    until,
    open: (...args) => openTerminal({ ...stage, env: { ...stage.env, ...peer.asks?.env } }, args),
    start: (...args) => startProgram(stage, args),
    signal: (signalName) => signalAll(sandbox, signalName),
    async [Symbol.asyncDispose]() {
      stop.abort();
      await watching;
      await listening?.close();
      signalAll(sandbox, 'SIGKILL');
      await until('the end of all processes', () => processesWith(sandbox.folder).length === 0);
      await stage[Symbol.asyncDispose]();
    },
  };
}

/** One of them may end by itself meanwhile. */
function signalAll({ folder }: Sandbox, name: NodeJS.Signals): void {
  for (const pid of processesWith(folder))
    try {
      process.kill(pid, name);
    } catch {}
}

/** Installs our hooks into the fresh home, and hands what they tell to the observer. */
async function hearHooked(agent: Agent, { home, folder }: Sandbox, observer: Observer) {
  const surroundings = { env: {}, home, stateFolder: folder };
  const socket = socketPath(surroundings);
  mkdirSync(dirname(socket), { mode: 0o700 });
  if (agent.hooks) mkdirSync(dirname(settingsPath(agent.hooks, surroundings)), { recursive: true });
  const sender = await findSender(dirname(socket));
  if (!sender) throw new Error('no program brings text to a socket here');
  await (await planInstall(agent, surroundings, { sender, check: false })).make();
  return listenAt(socket, (payload, connection) => {
    connection.end();
    const call = agent.hooks?.read(payload);
    const evidence = call && hookEvidence(call, Date.now());
    if (process.env.STATE_PAYLOADS) appendFileSync(process.env.STATE_PAYLOADS, `${JSON.stringify(payload)}\n`);
    if (evidence)
      observer.addEvidence(defined({ agent: agent.name, sessionId: call.sessionId, cwd: call.cwd, evidence }));
  });
}

/** Long enough that being wrong shows. */
export const hold = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 3000));
