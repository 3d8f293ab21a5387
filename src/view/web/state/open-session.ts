/** The session that is looked at: its runs one after the other, without loss or repetition, whatever happens to the connection. */
import { atom, computed } from 'nanostores';
import type { SessionRecord } from '../../../client/index.js';
import { initialState, type SessionState, values } from '../../../session/index.js';
import { prepareMarkdown } from '../text/markdown-blocks.js';
import { createEventQueue, type EventQueue } from './event-queue.js';
import { createYield, nextTask } from './main-thread.js';
import { goOn, sessionPath } from './route.js';
import { client, isLoggedOut, messageOf } from './server.js';
import { openSessionTail } from './session-tail.js';
import { $connection, $sessions, loadSession } from './sessions.js';

export interface OpenSession {
  id: string;
  /** `tail`: only the end of it is there so far. */
  phase: 'loading' | 'tail' | 'ready' | 'failed';
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
    record = await loadSession(id);
  } catch (error) {
    if (isLoggedOut(error)) $connection.set('logged-out');
    if (!signal.aborted) $open.set({ id, phase: 'failed', state: initialState, problem: messageOf(error) });
    return;
  }
  if (signal.aborted) return;
  if (record.id !== id) return goOn(sessionPath(record.id));
  signal.addEventListener('abort', leadAlong(id));
  // What is followed on disk may be told anew from its beginning.
  while (!signal.aborted) await followFromBeginning($sessions.get()[id] ?? record, signal);
}

/** Resolves when what was shown is no longer what is kept. */
async function followFromBeginning(record: SessionRecord, outer: AbortSignal): Promise<void> {
  const { id } = record;
  const own = new AbortController();
  const signal = AbortSignal.any([outer, own.signal]);
  const goal = record.runs.reduce((sum, run) => sum + run.lastSeq, 0);
  const newest = record.runs.findLast(({ lastSeq }) => lastSeq > 0);
  const tail =
    newest && goal > LONG_EVENTS
      ? await openSessionTail(newest, signal, (state) => $open.set({ id, phase: 'tail', state }))
      : undefined;
  if (signal.aborted) return;
  let isLoaded = goal === 0;
  const queue = createEventQueue({
    isLoading(state) {
      isLoaded ||= reached(state) >= goal + (tail?.ahead() ?? 0);
      return !isLoaded;
    },
    show(state) {
      tail?.close();
      $open.set({ id, phase: 'ready', state });
    },
  });
  signal.addEventListener('abort', () => queue.close());
  if (isLoaded) queue.show();
  await followRuns(id, queue, signal);
  own.abort();
}

/** Leads to where the session is, when it is no longer known here: it became part of an older one, or the list has only newer ones. */
function leadAlong(id: string): () => void {
  return $sessions.listen((sessions) => {
    if (sessions[id] !== undefined) return;
    loadSession(id).then(
      (record) => {
        if (record.id !== id && $open.get()?.id === id) goOn(sessionPath(record.id));
      },
      () => undefined,
    );
  });
}

/**
 * A session gets another run when it is continued, and a run that was quiet may go on, so the list of sessions is asked again after each. Resolves
 * when a run that was read is gone, or has fewer events than were read.
 */
async function followRuns(id: string, queue: EventQueue, signal: AbortSignal): Promise<void> {
  const read = new Map<string, Read>();
  const isAnew = () => [...read].some(([runId, before]) => isOther(id, runId, before));
  while (!signal.aborted) {
    const runId = await nextRun(id, read, isAnew, signal);
    if (runId === undefined) return;
    const epoch = runOf(id, runId)?.owner?.epoch ?? 0;
    let seq = read.get(runId)?.seq ?? 0;
    do {
      await untilVisible(signal);
      seq = await followRun(id, runId, { seq, epoch, isAnew }, queue, signal);
      read.set(runId, { seq, epoch });
    } while (!signal.aborted && !isComplete(id, runId, seq) && !isAnew());
  }
}

/** How far a run was read, and who wrote it then. */
interface Read {
  seq: number;
  epoch: number;
}

interface Following extends Read {
  /** What was read is no longer what is kept. */
  isAnew(): boolean;
}

/**
 * It was filled anew, or is gone because another run of the session tells the same. The list may lag behind what is read, so that fewer events alone
 * mean nothing.
 */
function isOther(id: string, runId: string, { seq, epoch }: Read): boolean {
  if ($sessions.get()[id] === undefined) return false;
  const run = runOf(id, runId);
  return !run || ((run.owner?.epoch ?? 0) > epoch && run.lastSeq < seq);
}

type RunRecord = SessionRecord['runs'][number];

function runOf(id: string, runId: string): RunRecord | undefined {
  return $sessions.get()[id]?.runs.find((one) => one.runId === runId);
}

/** Reads until the run has ended, or the page is hidden: a browser has few connections, which the tabs share. */
async function followRun(id: string, runId: string, from: Following, queue: EventQueue, signal: AbortSignal) {
  let { seq } = from;
  const isOver = () => from.isAnew() || isOther(id, runId, { ...from, seq });
  const pause = new AbortController();
  const takeBreak = createYield();
  const hide = () => document.hidden && pause.abort();
  document.addEventListener('visibilitychange', hide);
  const stopListening = $sessions.listen(() => {
    if (isOver()) pause.abort();
  });
  try {
    const events = client.events(runId, {
      fromSeq: seq + 1,
      signal: AbortSignal.any([signal, pause.signal]),
      onConnection: (state) => {
        if (state === 'lost') void refresh(id).then(() => isComplete(id, runId, seq) && pause.abort());
      },
    });
    for await (const event of events) {
      seq = event.seq;
      queue.push(event);
      const rest = takeBreak();
      if (rest) await rest;
      // A run whose owner died has no last event that would say so.
      if (isComplete(id, runId, seq)) break;
    }
  } catch (error) {
    if (isLoggedOut(error)) $connection.set('logged-out');
    await refresh(id);
    if (!isOver()) await untilAborted(signal);
  } finally {
    stopListening();
    document.removeEventListener('visibilitychange', hide);
  }
  if (!signal.aborted && !document.hidden) await refresh(id);
  return seq;
}

function isComplete(id: string, runId: string, seq: number): boolean {
  const run = runOf(id, runId);
  return run?.state === 'ended' && seq >= run.lastSeq;
}

async function refresh(id: string): Promise<void> {
  try {
    await loadSession(id);
  } catch {
    // The connection's own state says what is wrong.
  }
}

const NOTHING: Read = { seq: -1, epoch: 0 };

/** The first run of which something is left to be read; undefined when one of them is another than the one that was read. */
function nextRun(
  id: string,
  read: ReadonlyMap<string, Read>,
  isAnew: () => boolean,
  signal: AbortSignal,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const look = () => {
      const runs = $sessions.get()[id]?.runs ?? [];
      const next = runs.find(({ runId, lastSeq }) => lastSeq > (read.get(runId) ?? NOTHING).seq);
      const isOver = isAnew() || signal.aborted;
      if (!isOver && next === undefined) return;
      stopListening();
      resolve(isOver ? undefined : next?.runId);
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
