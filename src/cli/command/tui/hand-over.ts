/** A session of the panels in the agent's own program: its run is ended first, the terminal is that program's, and what happened there is read in. */
import { setTimeout } from 'node:timers/promises';
import type { SessionRecord, Store } from '../../../store/index.js';
import { tellSession } from '../../kept/tell-session.js';
import { attendProgram } from '../../own-program/attend-program.js';
import { findOwnProgram } from '../../own-program/find-own-program.js';
import { readBack } from '../../own-program/read-back.js';
import { configurationFor } from '../../run-request.js';
import type { WholeScreen } from './whole-screen.js';

export interface HandOverOptions {
  process: NodeJS.Process;
  screen: WholeScreen;
  /** Somebody has left the panels. */
  signal: AbortSignal;
}

/** Throws a `GlassboxError` that says why when it cannot be opened; a run is ended only when it can. */
export async function handOver(store: Store, session: SessionRecord, options: HandOverOptions): Promise<void> {
  const { process, screen, signal } = options;
  const { env } = process;
  const { agent, agentSessionId, cwd = process.cwd() } = session;
  const { settings } = await configurationFor(cwd, process);
  const program = await findOwnProgram({ agent, agentSessionId, cwd }, { settings, env });
  if (session.state !== 'ended') await endRuns(store, session, signal);
  const since = Date.now();
  screen.leave();
  try {
    await attendProgram(process, program);
  } finally {
    if (!signal.aborted) screen.enter();
  }
  await readBack(store, session, { env, since });
  await untilEnded(store, session.id, signal);
}

const LOOKS = 40;
const LOOK_MS = 250;

/** Its program is gone; where these panels follow its file, that is noticed a moment later. */
async function untilEnded(store: Store, id: string, signal: AbortSignal): Promise<void> {
  for (let look = 0; look < LOOKS && !signal.aborted; look++) {
    const now = await store.session(id);
    if (!now || now.state === 'ended') return;
    await setTimeout(LOOK_MS);
  }
}

async function endRuns(store: Store, session: SessionRecord, signal: AbortSignal): Promise<void> {
  const live = session.runs.filter(({ state }) => state !== 'ended');
  const ends = live.map(({ runId, lastSeq }) => store.tail(runId, { fromSeq: lastSeq + 1, signal }));
  for (const { runId } of live) await tellSession(store, session, { type: 'stop' }, runId);
  for (const events of ends) for await (const _ of events);
}
