/**
 * A hub as the engine of a store: every call is a request, and who holds which run stands in the calls, so that the next one may go to
 * another hub. What was not answered is asked again: nothing that is asked here does more the second time.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type ErrorCode, GlassboxError } from '../../event/index.js';
import { type AppendQueue, createAppendQueue } from '../shell/append-queue.js';
import type { Batch, Change, Door } from '../shell/engine.js';
import { createChangeStream } from './change-stream.js';

export interface HubOptions {
  url: string;
  token: string;
}

/** A hub that restarts, or its neighbour, is back within a few seconds. */
const PATIENCE_MS = 10_000;
const REQUEST_MS = 60_000;
/** Of the answers that mean: not now. */
const AWAY = [408, 429, 502, 503, 504];
/** In one request; a hub takes no more than some megabytes. */
const MOST_LETTERS = 2 * 1024 * 1024;

export function createHubDoor({ url: base, token }: HubOptions): Door {
  const leaving = new AbortController();
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const underWay = new Set<Promise<unknown>>();
  const listeners = new Set<(changes: readonly Change[]) => void>();
  const stream = createChangeStream(`${base}/api/store/changes`, headers);
  const queue: AppendQueue = createAppendQueue(async (batches) => {
    const answers = (await ask('append', [batches])) as (number | { code: ErrorCode; message: string })[];
    return answers.map((answer) =>
      typeof answer === 'number' ? answer : new GlassboxError(answer.code, answer.message),
    );
  });

  return {
    call: (method, ...args) => ask(method, args) as Promise<never>,
    async append(batch) {
      let last = 0;
      for (const part of partsOf(batch)) last = await queue.append(part);
      return last;
    },
    listen(notice) {
      listeners.add(notice);
      if (listeners.size === 1) stream.start(tellAll);
      return () => {
        if (listeners.delete(notice) && listeners.size === 0) stream.stop();
      };
    },
    async close() {
      leaving.abort();
      listeners.clear();
      stream.stop();
      await Promise.allSettled([queue.idle(), ...underWay]);
    },
  };

  function tellAll(changes: readonly Change[]): void {
    for (const told of [...listeners]) told(changes);
  }

  async function ask(method: string, args: readonly unknown[]): Promise<unknown> {
    if (leaving.signal.aborted) throw new GlassboxError('store', `The store ${base} is closed.`);
    const asked = insist(method, JSON.stringify({ args }));
    underWay.add(asked);
    try {
      return await asked;
    } finally {
      underWay.delete(asked);
    }
  }

  async function insist(method: string, body: string): Promise<unknown> {
    const until = Date.now() + PATIENCE_MS;
    for (let pauseMs = 50; ; pauseMs = Math.min(2 * pauseMs, 1000)) {
      const answer = await request(method, body);
      if (!('away' in answer)) return answer.value;
      if (leaving.signal.aborted || Date.now() > until) throw away(answer.away);
      await sleep(pauseMs, undefined, { signal: leaving.signal }).catch(() => {});
    }
  }

  /** Throws what asking again would not change. */
  async function request(method: string, body: string): Promise<{ value?: unknown } | { away: string }> {
    const signal = AbortSignal.timeout(REQUEST_MS);
    let response: Response;
    let text: string;
    try {
      response = await fetch(`${base}/api/store/${method}`, {
        method: 'POST',
        headers,
        body,
        signal,
        redirect: 'error',
      });
      text = await response.text();
    } catch (error) {
      return { away: causeOf(error) };
    }
    if (response.ok) return JSON.parse(text) as { value?: unknown };
    const { code, message } = refusalIn(text) ?? { code: 'store', message: `It answered ${response.status}.` };
    if (AWAY.includes(response.status)) return { away: message };
    throw new GlassboxError(code, message);
  }

  function away(why: string): GlassboxError {
    return new GlassboxError(
      'store',
      `The hub ${base} cannot be reached (${why}). Is it running, and is the address right? What was acknowledged is safe.`,
    );
  }
}

function causeOf(error: unknown): string {
  const { cause, message } = error instanceof Error ? error : new Error(String(error));
  return cause instanceof Error && 'code' in cause ? String(cause.code) : message;
}

function refusalIn(text: string): { code: ErrorCode; message: string } | undefined {
  try {
    return (JSON.parse(text) as { error?: { code: ErrorCode; message: string } }).error;
  } catch {
    return undefined;
  }
}

/** A batch in pieces that a hub takes, each of which is kept before the next is sent. */
function* partsOf(batch: Batch): Generator<Batch, void, undefined> {
  let bodies: string[] = [];
  let letters = 0;
  for (const body of batch.bodies) {
    if (bodies.length > 0 && letters + body.length > MOST_LETTERS) {
      yield { ...batch, bodies };
      bodies = [];
      letters = 0;
    }
    bodies.push(body);
    letters += body.length;
  }
  yield { ...batch, bodies };
}
