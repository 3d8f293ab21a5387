/** Server-sent events that a slow reader pulls at its own pace: nothing is produced before it is taken. */

const HEARTBEAT_MS = 15_000;

/** Turns batches of messages into a response; a comment goes out when nothing else does, so that a dead line is noticed. */
export function eventStream(
  messages: (signal: AbortSignal) => AsyncIterable<string>,
  requestSignal: AbortSignal,
): Response {
  const stop = new AbortController();
  const encoder = new TextEncoder();
  const signal = AbortSignal.any([stop.signal, requestSignal]);
  const iterator = messages(signal)[Symbol.asyncIterator]();
  let next: Promise<IteratorResult<string>> | undefined;

  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        next ??= iterator.next();
        let timer: NodeJS.Timeout | undefined;
        const beat = new Promise<'beat'>((resolve) => {
          timer = setTimeout(resolve, HEARTBEAT_MS, 'beat');
        });
        try {
          const result = await Promise.race([next, beat]);
          if (result === 'beat') {
            controller.enqueue(encoder.encode(':\n\n'));
            return;
          }
          next = undefined;
          if (result.done) controller.close();
          else controller.enqueue(encoder.encode(result.value));
        } catch {
          // The reader opens the stream again and hears the reason as a status.
          controller.close();
        } finally {
          clearTimeout(timer);
        }
      },
      async cancel() {
        stop.abort();
        await iterator.return?.();
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(stream, {
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    },
  });
}

export function message(data: string, id?: number): string {
  return id === undefined ? `data: ${data}\n\n` : `id: ${id}\ndata: ${data}\n\n`;
}
