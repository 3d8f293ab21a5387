import type { Agent } from '../agent/index.js';
import type { AgentEvent } from '../event/index.js';
import { type ByteSource, openSource, type Signal } from '../jsonl/index.js';
import { createDecoder, type Decoder, type DecoderOptions } from './decoder.js';

export interface DecodeOptions extends DecoderOptions {
  agent: Agent | string;
  /** Aborting ends the loop quietly and closes the source; nothing comes after it. */
  signal?: Signal;
}

/**
 * The events of a whole source, live. The source is closed however the loop ends; one that fails throws a
 * `GlassboxError` after the events that close what was open.
 */
export function decode(
  source: ByteSource,
  { agent, signal, ...options }: DecodeOptions,
): AsyncGenerator<AgentEvent, void, undefined> {
  // Outside the generator, so that a wrong option is heard at once and not at the first read.
  const decoder = createDecoder(agent, options);
  return decodeAll(source, decoder, signal);
}

async function* decodeAll(source: ByteSource, decoder: Decoder, signal: Signal | undefined) {
  const reader = openSource(source, signal);
  let failure: unknown;
  try {
    for (let over = false; !over; ) {
      const bytes = await reader.read().catch((error: unknown) => {
        failure = error;
        return undefined;
      });
      over = bytes === undefined;
      for (const event of bytes ? decoder.push(bytes) : decoder.end()) {
        if (signal?.aborted) return;
        yield event;
      }
    }
  } finally {
    await reader.close();
  }
  if (failure) throw failure;
}
