/** The session that is looked at: its runs one after the other, without loss or repetition, whatever happens to the connection. */
import { atom, computed } from 'nanostores';
import type { SessionRecord } from '../../../client/index.js';
import { initialState, type SessionState, values } from '../../../session/index.js';
import { prepareMarkdown } from '../text/markdown-blocks.js';
import { createEventQueue, type EventQueue } from './event-queue.js';
import { openGlimpse } from './glimpse.js';
import { createBreather, nextTask } from './pace.js';
import { client, isLoggedOut, messageOf } from './server.js';
import { $connection, $sessions, rememberSession } from './sessions.js';

export interface OpenSession {
  id: string;
  /** `glimpse`: only the end of it is there so far. */
  phase: 'loading' | 'glimpse' | 'ready' | 'failed';
  state: SessionState;
  /** Why it cannot be shown. */
  problem?: string;
}

export const $open = atom<OpenSession | undefined>();

/** A session whose owner died has things that began and will never end: they must not look as if they went on. */
export const $isLive = computed([$open, $sessions], (open, sessions) => sessions[open?.id ?? '']?.state !== 'ended');

/** What is longer than this takes a while to load. */
const LONG_EVENTS = 3000;

/** Follows a session until the returned function is called. */
export function openSession(id: string): () => void {
  const stop = new AbortController();
  $open.set({ id, phase: 'loading', state: initialState });
  void follow(id, stop.signal);
  nextTask(prepareMarkdown);
  return () => {
    stop.abort();
    if ($open.get()?.id === id) $open.set(undefined);
  };
}

async function follow(id: string, signal: AbortSignal): Promise<void> {
  let record: SessionRecord;
  try {
    record = await client.session(id);
  } catch (error) {
    if (isLoggedOut(error)) $connection.set('logged-out');
    if (!signal.aborted) $open.set({ id, phase: 'failed', state: initialState, problem: messageOf(error) });
    return;
  }
  if (signal.aborted) return;
  rememberSession(record);
  const goal = record.runs.reduce((sum, run) => sum + run.lastSeq, 0);
  const newest = record.runs.findLast(({ lastSeq }) => lastSeq > 0);
  const glimpse =
    newest && goal > LONG_EVENTS
      ? await openGlimpse(newest, signal, (state) => $open.set({ id, phase: 'glimpse', state }))
      : undefined;
  if (signal.aborted) return;
  let isLoaded = goal === 0;
  const queue = createEventQueue({
    isLoading(state) {
      isLoaded ||= reached(state) >= goal + (glimpse?.ahead() ?? 0);
      return !isLoaded;
    },
    show(state) {
      glimpse?.close();
      $open.set({ id, phase: 'ready', state });
    },
  });
  signal.addEventListener('abort', () => queue.close());
  if (isLoaded) queue.show();
  await followRuns(record.id, queue, signal);
}

/** A session gets another run when it is continued, so the list of sessions is asked again after each. */
async function followRuns(id: string, queue: EventQueue, signal: AbortSignal): Promise<void> {
  for (let position = 0; !signal.aborted; position += 1) {
    const run = await nthRun(id, position, signal);
    if (run === undefined) return;
    let seq = 0;
    while (!signal.aborted && !isComplete(id, run, seq)) {
      await untilVisible(signal);
      seq = await followRun(id, run, seq, queue, signal);
    }
  }
}

/** Reads until the run has ended, or the page is hidden: a browser has few connections, which the tabs share. */
async function followRun(id: string, runId: string, from: number, queue: EventQueue, signal: AbortSignal) {
  let seq = from;
  const pause = new AbortController();
  const breathe = createBreather();
  const hide = () => document.hidden && pause.abort();
  document.addEventListener('visibilitychange', hide);
  try {
    const events = client.events(runId, {
      fromSeq: from + 1,
      signal: AbortSignal.any([signal, pause.signal]),
      onConnection: (state) => {
        if (state === 'lost') void refresh(id).then(() => isComplete(id, runId, seq) && pause.abort());
      },
    });
    for await (const event of events) {
      seq = event.seq;
      queue.push(event);
      const rest = breathe();
      if (rest) await rest;
      // A run whose owner died has no last event that would say so.
      if (isComplete(id, runId, seq)) break;
    }
  } catch (error) {
    if (isLoggedOut(error)) $connection.set('logged-out');
    await untilAborted(signal);
  } finally {
    document.removeEventListener('visibilitychange', hide);
  }
  if (!signal.aborted && !document.hidden) await refresh(id);
  return seq;
}

function isComplete(id: string, runId: string, seq: number): boolean {
  const run = $sessions.get()[id]?.runs.find((one) => one.runId === runId);
  return run?.state === 'ended' && seq >= run.lastSeq;
}

async function refresh(id: string): Promise<void> {
  try {
    rememberSession(await client.session(id));
  } catch {
    // The connection's own state says what is wrong.
  }
}

function nthRun(id: string, position: number, signal: AbortSignal): Promise<string | undefined> {
  return new Promise((resolve) => {
    const look = () => {
      const runId = $sessions.get()[id]?.runs[position]?.runId;
      if (runId === undefined && !signal.aborted) return;
      stopListening();
      resolve(runId);
    };
    const stopListening = $sessions.listen(look);
    signal.addEventListener('abort', look);
    look();
  });
}

function untilVisible(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (document.hidden && !signal.aborted) return;
      document.removeEventListener('visibilitychange', look);
      resolve();
    };
    document.addEventListener('visibilitychange', look);
    signal.addEventListener('abort', look);
    look();
  });
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve());
  });
}

function reached({ runs }: SessionState): number {
  let sum = 0;
  for (const run of values(runs.rows)) sum += run.seq;
  return sum;
}
