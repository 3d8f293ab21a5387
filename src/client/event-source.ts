/** Server-sent events over `fetch`, so that programs can send a header and a dropped connection goes on where it was. */

export interface ServerEvent {
  id: string | undefined;
  event: string;
  data: string;
}

/** Parses a stream of server-sent events; comment lines are heartbeats and say nothing. */
export async function* readServerEvents(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<ServerEvent, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  let id: string | undefined;
  let event = 'message';
  let data: string[] = [];
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const lines = (rest + decoder.decode(value, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const text = line.endsWith('\r') ? line.slice(0, -1) : line;
        if (text === '') {
          if (data.length > 0) yield { id, event, data: data.join('\n') };
          event = 'message';
          data = [];
          continue;
        }
        const colon = text.indexOf(':');
        const field = colon < 0 ? text : text.slice(0, colon);
        const content = colon < 0 ? '' : text.slice(text[colon + 1] === ' ' ? colon + 2 : colon + 1);
        if (field === 'id') id = content;
        else if (field === 'event') event = content;
        else if (field === 'data') data.push(content);
      }
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
