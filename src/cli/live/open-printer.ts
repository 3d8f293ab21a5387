/** How a run that goes on is shown: alive on a terminal, in lines everywhere else, or as it is asked for. */
import type { AskingTerminal } from '../ask/asking-terminal.js';
import type { FormatFlag } from '../flag/format-flag.js';
import type { ViewFlags } from '../flag/view-flag.js';
import { createPrinter, type Printer, type PrinterOptions } from '../print/printer.js';
import type { KeyUse } from './live-control.js';
import { createLivePrinter } from './live-printer.js';

export type LiveFlags = ViewFlags & FormatFlag;

export interface OpenPrinterOptions extends PrinterOptions {
  /** What is said before its first event. */
  starting?: string | undefined;
  keys?: KeyUse | undefined;
  /** Where somebody can be asked. */
  terminal?: AskingTerminal | undefined;
}

export function openPrinter(flags: LiveFlags, process: NodeJS.Process, options: OpenPrinterOptions = {}): Printer {
  const { starting, keys, terminal, ...lines } = options;
  const manner = mannerOf(flags, process);
  if (manner === 'lines') return createPrinter(flags, process, lines);
  const counting = createPrinter(flags, process, { ...lines, sink: SILENT });
  return createLivePrinter(counting, flags, process, { isPlain: manner === 'plain', starting, keys, terminal });
}

/** Who asks for what only lines have gets lines; where nothing can be drawn again, words are what is left of a picture. */
export function mannerOf(
  { format, json, verbose, quiet, progress, text }: LiveFlags,
  { stdout, env }: Pick<NodeJS.Process, 'stdout' | 'env'>,
): 'live' | 'plain' | 'lines' {
  if (json || format === 'lines') return 'lines';
  const canDraw = stdout.isTTY === true && env.TERM !== 'dumb';
  if (format === 'plain' || (format === 'live' && !canDraw)) return 'plain';
  return format === 'live' || (canDraw && !verbose && !quiet && !progress && text) ? 'live' : 'lines';
}

const SILENT = { write: () => undefined, closed: new AbortController().signal };
