/** Server-sent events over `fetch`, so that programs can send a header and a dropped connection goes on where it was. */
import { createParser } from 'eventsource-parser';

export interface ServerEvent {
  id: string | undefined;
  event: string;
  data: string;
}

/** Far above what the server sends in one event: 4 MiB of an agent's, or a list of sessions. */
const MOST_CHARACTERS = 64 * 1024 * 1024;

/** Linear in what comes, however it is cut. Comment lines are heartbeats and say nothing. */
export async function* readServerEvents(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<ServerEvent, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const read: ServerEvent[] = [];
  let failure: Error | undefined;
  const parser = createParser({
    maxBufferSize: MOST_CHARACTERS,
    onEvent: ({ id, event = 'message', data }) => read.push({ id, event, data }),
    // A field that nobody knows is ignored, as the format asks for.
    onError: (error) => {
      if (error.type === 'max-buffer-size-exceeded') failure = error;
    },
  });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      parser.feed(decoder.decode(value, { stream: true }));
      yield* read.splice(0);
      if (failure) throw failure;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
