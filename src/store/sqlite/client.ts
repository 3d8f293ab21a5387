/**
 * The main thread's side of the worker: calls with answers, and news about changes.
 *
 * A worker that died is started again by the next call; what it had not answered is rejected and may be sent again. It keeps the
 * process alive only while somebody waits for it.
 */
import type { Worker } from 'node:worker_threads';
import { GlassboxError } from '../../event/index.js';
import type { Change, Door } from '../shell/engine.js';
import type { FileCalls, FromWorker, PortableError, Result, ToWorker } from './message.js';
import { leaveThread, takeThread } from './thread.js';

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
  let closing: Promise<void> | undefined;
  let lastId = 0;
  let letGo = (): void => {};

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
    close: () => (closing ??= shut()),
  };

  async function shut(): Promise<void> {
    await ready?.catch(() => {});
    // Whatever is asked from here on would be asked of a thread that may be another store's.
    const isDone =
      worker &&
      post((id) => ({ kind: 'close', id }))
        .then(() => true)
        .catch(() => false);
    closed = true;
    listeners.clear();
    if (!worker) return;
    const own = worker;
    const isKept = await isDone;
    letGo();
    worker = undefined;
    await (isKept ? leaveThread(own, path) : own.terminate());
  }

  function start(): Promise<void> {
    if (closed) return Promise.reject(isClosed());
    ready ??= new Promise((resolve, reject) => {
      const own = takeThread();
      const lose = (error: GlassboxError) => {
        reject(error);
        if (worker === own) forget(error);
      };
      const hearing = {
        message(message: FromWorker) {
          if (message.kind === 'ready') begin();
          else if (message.kind === 'failed') fail(revive(message.error));
          else receive(message);
        },
        error: (error: Error) => lose(died(error.message)),
        exit: () => lose(died('it ended')),
      };
      for (const [name, hear] of Object.entries(hearing)) own.on(name, hear);
      letGo = () => {
        for (const [name, hear] of Object.entries(hearing)) own.off(name, hear);
      };
      worker = own;
      own.postMessage({ kind: 'open', path } satisfies ToWorker);

      function begin(): void {
        isReady = true;
        tellListeners();
        resolve();
      }

      function fail(error: GlassboxError): void {
        letGo();
        lose(error);
        void own.terminate();
      }
    });
    return ready;
  }

  function receive(message: FromWorker): void {
    if (message.kind === 'changed') {
      for (const notice of [...listeners]) notice(message.changes);
    } else if (message.kind === 'appended') {
      message.results.forEach(settle);
    } else if (message.kind === 'result') {
      settle(message);
    }
  }

  function settle(result: Result): void {
    const asked = take(result.id);
    if ('error' in result) asked?.reject(revive(result.error));
    else asked?.resolve(result.value);
  }

  async function ask(make: (id: number) => ToWorker): Promise<unknown> {
    await start();
    if (closed) throw isClosed();
    return post(make);
  }

  function post(make: (id: number) => ToWorker): Promise<unknown> {
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

  function isClosed(): GlassboxError {
    return new GlassboxError('store', `The store ${path} is closed.`);
  }

  function died(why: string): GlassboxError {
    return new GlassboxError('store', `The thread of the store ${path} died (${why}). The next call starts it again.`);
  }
}

function revive({ code, message }: PortableError): GlassboxError {
  return new GlassboxError(code, message);
}
