/**
 * The main thread's side of the worker: calls with answers, and news about changes.
 *
 * A worker that died is started again by the next call; what it had not answered is rejected and may be sent again. It keeps the
 * process alive only while somebody waits for it.
 */
import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { GlassboxError } from '../../event/index.js';
import type { Change, Door } from '../shell/engine.js';
import type { FileCalls, FromWorker, PortableError, ToWorker } from './message.js';

export interface Client extends Door<FileCalls> {
  /** Resolves when the store is usable. */
  open(): Promise<void>;
}

interface Waiting {
  resolve(value: unknown): void;
  reject(error: GlassboxError): void;
}

export function createClient(path: string): Client {
  const waiting = new Map<number, Waiting>();
  const listeners = new Set<(changes: readonly Change[]) => void>();
  let worker: Worker | undefined;
  let ready: Promise<void> | undefined;
  let isReady = false;
  let closed = false;
  let lastId = 0;

  return {
    open: start,
    call: (method, ...args) => ask((id) => ({ kind: 'call', id, method, args })) as never,
    append: (batch) => ask((id) => ({ kind: 'append', id, batch })) as Promise<number>,
    listen(notice) {
      listeners.add(notice);
      if (worker) tellListeners();
      else start().catch(() => notice([]));
      return () => {
        if (listeners.delete(notice)) tellListeners();
      };
    },
    async close() {
      if (closed) return;
      if (worker) await ask((id) => ({ kind: 'close', id })).catch(() => {});
      closed = true;
      listeners.clear();
      await worker?.terminate();
    },
  };

  function start(): Promise<void> {
    if (closed) return Promise.reject(new GlassboxError('store', `The store ${path} is closed.`));
    ready ??= new Promise((resolve, reject) => {
      const own = new Worker(workerFile(), {
        workerData: path,
        // Its garbage is small and young; the default would let every process that keeps a run grow by 20 MB.
        resourceLimits: { maxYoungGenerationSizeMb: 3 },
      });
      const lose = (error: GlassboxError) => {
        reject(error);
        if (worker === own) forget(error);
      };
      own.on('message', (message: FromWorker) => {
        if (message.kind === 'ready') begin();
        else if (message.kind === 'failed') lose(revive(message.error));
        else receive(message);
      });
      own.on('error', (error) => lose(died(error.message)));
      own.on('exit', () => lose(died('it ended')));
      worker = own;

      function begin(): void {
        isReady = true;
        tellListeners();
        resolve();
      }
    });
    return ready;
  }

  function receive(message: FromWorker): void {
    if (message.kind === 'changed') {
      for (const notice of [...listeners]) notice(message.changes);
    } else if (message.kind === 'result') {
      take(message.id)?.resolve(message.value);
    } else if (message.kind === 'error') {
      take(message.id)?.reject(revive(message.error));
    }
  }

  async function ask(make: (id: number) => ToWorker): Promise<unknown> {
    await start();
    lastId += 1;
    const message = make(lastId);
    return new Promise((resolve, reject) => {
      waiting.set(lastId, { resolve, reject });
      hold();
      worker?.postMessage(message);
    });
  }

  function take(id: number): Waiting | undefined {
    const found = waiting.get(id);
    waiting.delete(id);
    hold();
    return found;
  }

  /** Readers are woken without news: they look again, and that starts the next worker. */
  function forget(error: GlassboxError): void {
    worker = undefined;
    ready = undefined;
    isReady = false;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
    for (const notice of [...listeners]) notice([]);
  }

  function tellListeners(): void {
    worker?.postMessage({ kind: 'listen', listeners: listeners.size } satisfies ToWorker);
    hold();
  }

  function hold(): void {
    if (!isReady || waiting.size > 0 || listeners.size > 0) worker?.ref();
    else worker?.unref();
  }

  function died(why: string): GlassboxError {
    return new GlassboxError('store', `The thread of the store ${path} died (${why}). The next call starts it again.`);
  }
}

function revive({ code, message }: PortableError): GlassboxError {
  return new GlassboxError(code, message);
}

/** Beside this module in the bundle, above it when it became part of a shared chunk, in `dist` when the sources run. */
function workerFile(): URL {
  const places = ['./', '../', '../../../dist/'].map((folder) => new URL(`${folder}store-worker.js`, import.meta.url));
  const found = places.find((place) => existsSync(place));
  if (!found)
    throw new GlassboxError('store', 'The file store-worker.js is missing: build glassbox first (npm run build).');
  return found;
}
