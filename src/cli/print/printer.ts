/** Events → stdout, as text or as JSON, at the speed of who reads it; and what they mean for the exit status. */
import { type AgentEvent, lineCount } from '../../event/index.js';
import { createTextView, safeJson } from '../../view/text/index.js';
import type { Person } from '../ask/person.js';
import { type ExitStatus, STATUS_OF_OUTCOME, STATUS_OF_REASON } from '../exit-status.js';
import { textViewOptions, type ViewFlags } from '../flag/view-flag.js';
import type { Where } from './by-words.js';
import { createSink, type Sink } from './sink.js';

export interface Printer {
  print(events: readonly AgentEvent[]): Promise<void> | undefined;
  /** Bytes that are none of ours, as they are; not among JSON, which they would break. */
  raw(bytes: Uint8Array): Promise<void> | undefined;
  /** The events are over. */
  end(): Promise<void> | undefined;
  /** How the run ended, as far as the events say; undefined while they say nothing. */
  status(): ExitStatus | undefined;
  /** How much came, and how much of it could not be read. */
  stats(): { events: number; errors: number };
  /** Makes room for a question on the same screen, until `release`. */
  hold(): void;
  release(): void;
  /** Where remarks are written, so that they stand below what was printed. */
  readonly remarks: Remarks;
  readonly closed: AbortSignal;
  /** Whoever reads it, where they can be asked on the very picture. */
  readonly person?: Person | undefined;
  /** What was typed there and never said. */
  unsaid?(): string[];
}

export type Remarks = Pick<NodeJS.WriteStream, 'write'> & Where;

export interface PrinterOptions {
  sink?: Sink;
  /** Somebody is asked on the same screen, and shown there what it is about. */
  isAsked?: boolean;
}

export function createPrinter(
  flags: ViewFlags,
  process: Pick<NodeJS.Process, 'stdout' | 'stderr' | 'env'>,
  { sink = createSink(process.stdout), isAsked = false }: PrinterOptions = {},
): Printer {
  const view = createTextView(textViewOptions(flags, process));
  const stats = { events: 0, errors: 0 };
  let status: ExitStatus | undefined;

  const linesOf = (event: AgentEvent): string[] => {
    if (flags.json) return [safeJson({ schema: 1, ...event })];
    const lines = view.push(event);
    return isAsked && event.type === 'approval-request' ? [] : lines;
  };
  const write = (lines: readonly string[]) => sink.write(lines.map((line) => `${line}\n`).join(''));

  return {
    print: (events) => {
      stats.events += events.length;
      for (const event of events) {
        if (event.type === 'decode-error') stats.errors += lineCount(event);
        if (event.type === 'turn-end') status = STATUS_OF_OUTCOME[event.outcome];
        if (event.type === 'run-end') status = STATUS_OF_REASON[event.reason];
      }
      return write(events.flatMap(linesOf));
    },
    raw: (bytes) => (flags.json ? undefined : sink.write(bytes)),
    end: () => write(flags.json ? [] : view.end()),
    status: () => status,
    stats: () => ({ ...stats }),
    hold() {},
    release() {},
    remarks: process.stderr,
    closed: sink.closed,
  };
}
