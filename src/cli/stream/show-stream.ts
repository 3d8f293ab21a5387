/** Bytes in, lines out: the loop that every command with an input shares. Needs the same memory however long the input is. */
import { type ByteSource, openSource } from '../../jsonl/index.js';
import type { Printer } from '../print/printer.js';
import type { Part, StreamReader } from './stream-reader.js';

export interface ShowStream {
  source: ByteSource;
  reader: StreamReader;
  printer: Pick<Printer, 'print' | 'raw' | 'end' | 'closed'>;
  /** Ends the reading early; what is open is then closed as if the input had ended. */
  signal: AbortSignal;
  /** Called with each piece when it is shown, and how much was read so far; the reading waits for what it returns. */
  onShown?: (bytes: Uint8Array, total: number) => unknown;
}

/** Resolves with how many bytes there were. Throws a `GlassboxError` when the source fails. */
export async function showStream({ source, reader, printer, signal, onShown }: ShowStream): Promise<number> {
  const input = openSource(source, AbortSignal.any([signal, printer.closed]));
  let total = 0;
  try {
    for (let bytes = await input.read(); bytes; bytes = await input.read()) {
      total += bytes.length;
      await showParts(reader.push(bytes), printer);
      await onShown?.(bytes, total);
    }
  } finally {
    await input.close();
    await showParts(reader.end(), printer);
    await printer.end();
  }
  return total;
}

async function showParts(parts: Part[], printer: ShowStream['printer']): Promise<void> {
  for (const part of parts) await (part.raw ? printer.raw(part.raw) : printer.print(part.events));
}
