/** Remarks beside the output, on stderr. */
import type { SessionRecord } from '../../store/index.js';
import { safe } from '../../view/text/safe.js';
import { byWords, type Where } from './by-words.js';
import type { Printer } from './printer.js';

export type Stderr = Pick<NodeJS.WriteStream, 'write'> & Where;

export function note(stderr: Stderr, text: string): void {
  stderr.write(`${byWords(`glassbox: ${safe(text)}`, stderr)}\n`);
}

/** How to go on is told only where its agent came to say how. */
export function noteKept(stderr: Stderr, { id, agentSessionId }: Pick<SessionRecord, 'id' | 'agentSessionId'>): void {
  note(stderr, `kept as ${id}.${agentSessionId === undefined ? '' : ` Go on with: glassbox resume ${id} "…"`}`);
}

/** How much there was to read. */
export function noteStats(stderr: Stderr, printer: Pick<Printer, 'stats'>): void {
  const { events, errors } = printer.stats();
  note(stderr, `stream stats: ${events} events, ${errors} errors (lines that could not be read)`);
}
