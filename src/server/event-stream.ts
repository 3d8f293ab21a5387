/**
 * Server-sent events that a slow reader takes at its own pace: nothing is produced before the last piece is taken. They are written to
 * the connection itself, because a thousand viewers of streams would otherwise cost more than the runs that they watch.
 */
import { once } from 'node:events';
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { Principal } from './principal.js';
import type { Env } from './requires.js';

const HEARTBEAT_MS = 15_000;
const AGAIN_MS = 500;
/** How soon somebody who was sent away, at whichever hub, sees nothing more. */
const WATCH_MS = 5000;

/**
 * Sends pieces until there are none, or whoever asked is no longer known; a comment goes out when nothing else does, so that a dead
 * line is noticed.
 */
export function eventStream(
  context: Context<Env>,
  pieces: (signal: AbortSignal) => AsyncIterable<string | Uint8Array>,
): Response {
  const { outgoing } = context.env as HttpBindings;
  const stop = new AbortController();
  outgoing.once('close', () => stop.abort());
  const leaving = context.get('leaving');
  const leave = (): void => {
    // Another server may be there, or this one again: the reader goes on there where it was.
    outgoing.write(`retry: ${AGAIN_MS}\n\n`);
    outgoing.end();
    stop.abort();
  };
  leaving.addEventListener('abort', leave, { once: true });
  outgoing.once('close', () => leaving.removeEventListener('abort', leave));
  // The end of the connection is the end of the stream: without a frame around it each piece is one write.
  outgoing.useChunkedEncodingByDefault = false;
  outgoing.writeHead(200, {
    ...Object.fromEntries(context.res.headers),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  outgoing.flushHeaders();
  if (leaving.aborted) leave();
  void send(outgoing, pieces(stop.signal), stop.signal, context.get('principal'));
  // What hono takes for: somebody else answers.
  return new Response(null, { headers: { 'x-hono-already-sent': 'true' } });
}

export function message(data: string, id?: number): string {
  return id === undefined ? `data: ${data}\n\n` : `id: ${id}\ndata: ${data}\n\n`;
}

type Outgoing = HttpBindings['outgoing'];

async function send(
  outgoing: Outgoing,
  pieces: AsyncIterable<string | Uint8Array>,
  signal: AbortSignal,
  reader: Principal,
): Promise<void> {
  const heart = setInterval(() => outgoing.write(':\n\n'), HEARTBEAT_MS);
  const watch = setInterval(() => void cutUnknown(outgoing, reader), WATCH_MS);
  try {
    for await (const piece of pieces) {
      heart.refresh();
      if (!outgoing.write(piece)) await once(outgoing, 'drain', { signal });
    }
  } catch {
    // The reader is gone, or opens the stream again and hears the reason as a status.
  }
  clearInterval(heart);
  clearInterval(watch);
  outgoing.end();
}

async function cutUnknown(outgoing: Outgoing, reader: Principal): Promise<void> {
  if (!(await reader.isKnown())) outgoing.destroy();
}
