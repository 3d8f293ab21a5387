/**
 * The worker thread: takes calls in order, writes appends that wait together in one transaction, tells what changed. When its store is
 * closed it may be given another.
 *
 * It also beats the heart of this process's runs, so that a busy main thread does not look dead.
 */
import { type MessagePort, parentPort } from 'node:worker_threads';
import { GlassboxError } from '../../event/index.js';
import type { Batch } from '../shell/engine.js';
import { HEARTBEAT_MS } from '../table/owner-row.js';
import { type FileEngine, openEngine } from './engine.js';
import { explain } from './failure.js';
import { createFileNotifier } from './file-notifier.js';
import type { FromWorker, PortableError, ToWorker } from './message.js';
import { describeSelf } from './self.js';

/** How soon a dead owner is noticed by those who watch. */
const REAP_MS = 2_000;

if (parentPort) waitForStores(parentPort);

/** One after the other. */
function waitForStores(port: MessagePort): void {
  let hear: ((message: ToWorker) => void) | undefined;
  port.on('message', (message: ToWorker) => {
    if (message.kind === 'open') void begin(message.path);
    else hear?.(message);
  });

  async function begin(path: string): Promise<void> {
    hear = await serve(port, path);
    if (hear) port.postMessage({ kind: 'ready' } satisfies FromWorker);
  }
}

/** What hears of an open store. */
async function serve(port: MessagePort, path: string): Promise<((message: ToWorker) => void) | undefined> {
  const send = (message: FromWorker) => port.postMessage(message);
  let engine: FileEngine;
  try {
    engine = await openEngine(path, describeSelf());
  } catch (error) {
    send({ kind: 'failed', error: portable(error, path) });
    return undefined;
  }

  const appends: { id: number; batch: Batch }[] = [];
  const notifier = createFileNotifier(path);
  let listeners = 0;
  const timers = [
    setInterval(() => quietly(() => engine.beat()), HEARTBEAT_MS),
    setInterval(() => listeners > 0 && quietly(lookForDead), REAP_MS),
  ];

  return (message) => {
    if (message.kind === 'open') return;
    if (message.kind === 'append') {
      if (appends.push(message) === 1) setImmediate(flush);
      return;
    }
    flush();
    if (message.kind === 'listen') {
      if (listeners === 0) {
        quietly(() => engine.changes());
        notifier.start(() => quietly(look));
      }
      listeners = message.listeners;
      if (listeners === 0) notifier.stop();
    } else if (message.kind === 'close') {
      for (const timer of timers) clearInterval(timer);
      notifier.stop();
      answer(message.id, () => engine.close());
    } else {
      answer(message.id, () => (engine[message.method] as (...args: unknown[]) => unknown)(...message.args));
      tellChanges();
    }
  };

  /** What arrived while the last transaction was written goes into the next one. */
  function flush(): void {
    if (appends.length === 0) return;
    const taken = appends.splice(0);
    try {
      const acknowledged = engine.append(taken.map(({ batch }) => batch));
      send({
        kind: 'appended',
        results: taken.map(({ id }, index) => {
          const value = acknowledged[index];
          return value instanceof GlassboxError ? { id, error: portable(value, path) } : { id, value };
        }),
      });
    } catch (error) {
      const told = portable(error, path);
      send({ kind: 'appended', results: taken.map(({ id }) => ({ id, error: told })) });
    }
    tellChanges();
  }

  function answer(id: number, work: () => unknown): void {
    try {
      send({ kind: 'result', id, value: work() });
    } catch (error) {
      send({ kind: 'result', id, error: portable(error, path) });
    }
  }

  function look(): void {
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
      if (changes === 'missed') send({ kind: 'changed', changes: [] });
      else if (changes.length > 0) send({ kind: 'changed', changes });
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
