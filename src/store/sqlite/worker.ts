/**
 * The worker thread: takes calls in order, writes appends that wait together in one transaction, tells what changed.
 *
 * It also beats the heart of this process's runs, so that a busy main thread does not look dead.
 */
import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { connect } from './connection.js';
import { type Batch, createEngine, type Engine } from './engine.js';
import { explain } from './failure.js';
import type { FromWorker, PortableError, ToWorker } from './message.js';
import { HEARTBEAT_MS, type Self } from './owner.js';

/** How soon changes of other processes are seen. */
const POLL_MS = 100;
/** How soon a dead owner is noticed by those who watch. */
const REAP_MS = 2_000;

if (parentPort) await serve(parentPort, String(workerData));

async function serve(port: NonNullable<typeof parentPort>, path: string): Promise<void> {
  const send = (message: FromWorker) => port.postMessage(message);
  let engine: Engine;
  try {
    engine = createEngine(await connect(path), describeSelf());
  } catch (error) {
    send({ kind: 'failed', error: portable(error, path) });
    port.close();
    return;
  }

  const appends: { id: number; batch: Batch }[] = [];
  let listeners = 0;
  const timers = [
    setInterval(() => quietly(() => engine.beat()), HEARTBEAT_MS),
    setInterval(() => listeners > 0 && quietly(lookForDead), REAP_MS),
    setInterval(() => listeners > 0 && quietly(poll), POLL_MS),
  ];

  port.on('message', (message: ToWorker) => {
    if (message.kind === 'append') {
      if (appends.push(message) === 1) setImmediate(flush);
      return;
    }
    flush();
    if (message.kind === 'listen') {
      if (listeners === 0) quietly(() => engine.changes());
      listeners = message.listeners;
    } else if (message.kind === 'close') {
      for (const timer of timers) clearInterval(timer);
      answer(message.id, () => engine.close());
      port.close();
    } else {
      answer(message.id, () => (engine[message.method] as (...args: unknown[]) => unknown)(...message.args));
      tellChanges();
    }
  });
  send({ kind: 'ready' });

  /** What arrived while the last transaction was written goes into the next one. */
  function flush(): void {
    if (appends.length === 0) return;
    const taken = appends.splice(0);
    try {
      const acknowledged = engine.append(taken.map(({ batch }) => batch));
      for (const [index, { id }] of taken.entries()) send({ kind: 'result', id, value: acknowledged[index] });
    } catch (error) {
      for (const { id } of taken) send({ kind: 'error', id, error: portable(error, path) });
    }
    tellChanges();
  }

  function answer(id: number, work: () => unknown): void {
    try {
      send({ kind: 'result', id, value: work() });
    } catch (error) {
      send({ kind: 'error', id, error: portable(error, path) });
    }
  }

  function poll(): void {
    if (engine.hasForeignChanges()) tellChanges();
  }

  function lookForDead(): void {
    engine.reap();
    tellChanges();
  }

  function tellChanges(): void {
    if (listeners === 0) return;
    quietly(() => {
      const changes = engine.changes();
      if (changes.length > 0) send({ kind: 'changed', changes });
    });
  }
}

/** A beat or a look that fails is repeated soon; the next real call reports the failure. */
function quietly(work: () => void): void {
  try {
    work();
  } catch {}
}

function portable(error: unknown, path: string): PortableError {
  const { code, message } = explain(error, path);
  return { code, message };
}

function describeSelf(): Self {
  return { pid: process.pid, host: `${hostname()} ${processNamespace()}`.trim(), now: Date.now, isAlive };
}

/** Containers may share a host name and a disk, but not their process ids. */
function processNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
