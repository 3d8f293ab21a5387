/** `glassbox/claude`: Claude Code's own words, typed, for programs that want the wire and not the neutral events (S0). */
import type { WireEvent } from './agent/claude/wire.js';
import { isObject } from './agent/field.js';
import type { DecodeErrorCode, GlassboxError } from './event/index.js';
import { refuseUnknown } from './event/option.js';
import { type ByteSource, createItemReader, type ReadOptions } from './jsonl/index.js';

export * from './agent/claude/block.js';
export type * from './agent/claude/wire.js';

/** Why a line is no event; never its text. */
export interface WireError {
  code: DecodeErrorCode | 'not_an_event';
  line: number;
  bytes: number;
}

export type NextWireEvent =
  | { done: false; event: WireEvent }
  | { done: false; error: WireError }
  /** `error` when the source failed. */
  | { done: true; error?: GlassboxError };

export interface WireDecoder {
  /** One line, one answer: an event, or what is wrong with the line. Goes on after an error. */
  next(): Promise<NextWireEvent>;
  /** Every event to the end, bad lines skipped; closes the source however the loop ends. Throws if the source fails. */
  decode(): AsyncGenerator<WireEvent, void, undefined>;
}

export interface WireOptions extends ReadOptions {
  /** Hears of each line that `decode` skips. */
  onSkip?: (error: WireError) => void;
}

/** Reads Claude Code's lines as they are, typed, one at a time or to the end. */
export function createWireDecoder(source: ByteSource, options: WireOptions = {}): WireDecoder {
  refuseUnknown('createWireDecoder', options, { maxLineBytes: true, signal: true, onSkip: true });
  const reader = createItemReader(source, options);

  const next = async (): Promise<NextWireEvent> => {
    const found = await reader.next();
    if (found.done) return found;
    const { item } = found;
    const { line, bytes } = item;
    if (item.kind === 'error') return { done: false, error: { code: item.code, line, bytes } };
    if (isObject(item.value) && typeof item.value.type === 'string') {
      return { done: false, event: item.value as WireEvent };
    }
    return { done: false, error: { code: 'not_an_event', line, bytes } };
  };

  async function* decode(): AsyncGenerator<WireEvent, void, undefined> {
    try {
      for (let found = await next(); ; found = await next()) {
        if (found.done) {
          if (found.error) throw found.error;
          return;
        }
        if ('event' in found) yield found.event;
        else options.onSkip?.(found.error);
      }
    } finally {
      await reader.close();
    }
  }

  return { next, decode };
}
