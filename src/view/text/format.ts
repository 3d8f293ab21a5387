/**
 * A flat event → one printed line; scripts read these lines, so that they never change. What comes from outside is filtered here, whoever made
 * the event.
 */
import { type OptionNames, refuseUnknown } from '../../event/option.js';
import { tellMoney } from '../../ledger/index.js';
import { duration, tokens } from '../../word/index.js';
import { layOut, type Piece } from './layout.js';
import { createPaint } from './palette.js';
import { LINE, safeFirstLine, safeLine, sentence } from './safe.js';
import type { StreamEvent } from './stream-event.js';

export interface FormatOptions {
  /** Stands in brackets before every line. */
  agentName: string;
  /** Tool output, details, and a summary at the end. */
  verbose?: boolean;
  /** Only what somebody must know: errors, questions, endings. */
  quiet?: boolean;
  /** What the agent says; on unless turned off. */
  showText?: boolean;
  thinking?: boolean;
  progress?: boolean;
  color?: boolean;
  /** Columns of the terminal: longer lines are broken at spaces and indented. Without it lines stay whole. */
  width?: number;
}

export interface Formatter {
  /** The line or lines for one event, each with its newline; empty when there is nothing to print. One write is one event. */
  format(event: StreamEvent | null | undefined): string;
}

const FORMAT_NAMES: OptionNames<FormatOptions> = {
  agentName: true,
  verbose: true,
  quiet: true,
  showText: true,
  thinking: true,
  progress: true,
  color: true,
  width: true,
};

/** One flat event in, its printed lines out. */
export function createFormatter(options: FormatOptions): Formatter {
  refuseUnknown('A text view', options, FORMAT_NAMES);
  const paint = createPaint(options.color ?? false);
  const name = safeLine(options.agentName, 40);
  return {
    format(event) {
      if (!event) return '';
      const layout = { name, depth: event.depth, width: options.width, paint };
      const rows = linesOf(event, options).flatMap((line) => layOut(line, layout));
      return rows.map((row) => `${row}\n`).join('');
    },
  };
}

function linesOf(event: StreamEvent, options: FormatOptions): Piece[][] {
  const { verbose = false, quiet = false, showText = true, thinking = false, progress = false } = options;
  switch (event.kind) {
    case 'ToolStart':
      return quiet ? [] : [toolLine(safeLine(event.toolName, 200), safeLine(event.toolInput))];
    case 'ToolEnd':
      if (event.toolError) return [[['error', `ERROR: ${safeLine(event.toolError, 300)}`]]];
      return verbose && !quiet && event.toolOutput ? [[['plain', `  -> ${safeLine(event.toolOutput, 100)}`]]] : [];
    case 'Text': {
      const line = safeFirstLine(event.text, LINE);
      return showText && !quiet && line ? [[['text', quoted(line)]]] : [];
    }
    case 'Thinking': {
      const line = safeFirstLine(event.text, LINE);
      return thinking && !quiet && line ? [[['quiet', `Thinking: ${quoted(line)}`]]] : [];
    }
    case 'Result':
      return verbose && event.isComplete
        ? [resultLine(event), [['quiet', `  ${summary(event)}`]]]
        : [resultLine(event)];
    case 'Notice':
      if (event.repeats && showText && !quiet) return [];
      return [[event.error ? ['error', `ERROR: ${safeLine(event.text, 300)}`] : ['notice', safeLine(event.text, 600)]]];
    case 'Todo':
      return (progress || verbose) && !quiet ? [[['quiet', todoText(event.todos)]]] : [];
    case 'Progress':
      return (progress || (verbose && event.verbose)) && !quiet ? [[['quiet', safeLine(event.text, 600)]]] : [];
    case 'Unknown':
      return progress && !quiet ? [[['quiet', safeLine(event.text, 200)]]] : [];
  }
}

const toolLine = (name: string, input: string): Piece[] =>
  input
    ? [
        ['tool', name],
        ['plain', `: ${input}`],
      ]
    : [['tool', name]];

/** Go's `%q`, as far as anything needs escaping after the filter. */
const quoted = (line: string): string => `"${line.replace(/["\\]/g, '\\$&').replace(/\t/g, '\\t')}"`;

function resultLine(event: Extract<StreamEvent, { kind: 'Result' }>): Piece[] {
  const { cost: usd, costOrigin: origin = 'reported' } = event;
  const cost = usd === undefined ? '' : ` (cost: ${tellMoney({ usd, origin })})`;
  if (event.outcome === 'success') return [['result', `Complete${cost}`]];
  if (event.outcome === 'interrupted') return [['notice', `Interrupted${more(event.error)}${cost}`]];
  return [['error', `Failed: ${safeLine(event.error, 300)}${cost}`]];
}

/** Somebody wanted it so, which is no failure; most agents say nothing but that it was so. */
function more(reason: string | undefined): string {
  const said = safeLine(reason, 300);
  const again = /^interrupted\b(.*?)\.?$/i.exec(said);
  return again?.[1] ?? (said && `: ${said}`);
}

/** The longer ending, on a line of its own so that the first stays as scripts know it. */
function summary(event: Extract<StreamEvent, { kind: 'Result' }>): string {
  const used = event.usage && tokens(event.usage);
  return [
    used && `tokens: ${used}`,
    `tools: ${event.tools}`,
    `errors: ${event.errors}`,
    event.durationMs !== undefined && `time: ${duration(event.durationMs)}`,
  ]
    .filter(Boolean)
    .join(', ');
}

function todoText(todos: Extract<StreamEvent, { kind: 'Todo' }>['todos']): string {
  const list = Array.isArray(todos) ? todos : [];
  const done = list.filter((todo) => todo?.status === 'done').length;
  const now = list.find((todo) => todo?.status === 'active') ?? list.find((todo) => todo?.status === 'pending');
  return now
    ? sentence`todo: ${done} of ${list.length} done, next: ${now.text}`
    : sentence`todo: ${done} of ${list.length} done`;
}
