/** Remarks beside the output, on stderr. */
import { safe } from '../view/text/safe.js';
import type { Printer } from './printer.js';

type Stderr = Pick<NodeJS.WriteStream, 'write'>;

export function note(stderr: Stderr, text: string): void {
  stderr.write(`glassbox: ${safe(text)}\n`);
}

/** S1-47: how much there was to read. */
export function noteStats(stderr: Stderr, printer: Pick<Printer, 'stats'>): void {
  const { events, errors } = printer.stats();
  note(stderr, `stream stats: ${events} events, ${errors} errors`);
}
