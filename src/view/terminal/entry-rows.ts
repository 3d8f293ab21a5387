/** One entry of a conversation as rows of a terminal: what was asked, said, decided, spent or told beside it. */
import stringWidth from 'fast-string-width';
import { lineFor, resolutionText } from '../../consent/index.js';
import type { TurnOutcome } from '../../event/index.js';
import { tellMoney } from '../../ledger/index.js';
import {
  type Approval,
  type Block,
  isInterruptToldBefore,
  isRunEndTold,
  type Row,
  type Run,
  rowAt,
  type SessionState,
  type Turn,
  values,
} from '../../session/index.js';
import { attachmentText, capitalised, duration, eventText, runEndText, tokens } from '../../word/index.js';
import { safe, safeLine } from '../text/safe.js';
import { markdownRows } from './markdown-rows.js';
import { type Look, MEASURE, rowsOf, styled } from './styled.js';
import { toolRows } from './tool-rows.js';

export interface EntryOptions {
  width: number;
  color: boolean;
  /** Everything: thoughts, and outputs to their end. Without it they are one line each that says how long they are. */
  isFull: boolean;
  /** Thoughts to their end, whatever else is short. */
  hasThoughts?: boolean;
  /** Words instead of marks and bars, for who listens to it. */
  isPlain?: boolean;
  /** Of every output its last lines, so many, whatever else is short. */
  outputLines?: number;
}

/** How far what is said stands from the edge. */
export const MARGIN = '  ';

/** `before`: the entry above it. */
export function entryRows(row: Row, before: Row | undefined, state: SessionState, options: EntryOptions): string[] {
  const margin = MARGIN.repeat(row.depth);
  const room = { ...options, width: options.width - margin.length, indent: margin.length };
  return inside(row).map((one) => margin + one);

  function inside(one: Row): string[] {
    switch (one.kind) {
      case 'user':
        return promptRows(one, room);
      case 'text':
      case 'thinking':
        if (one.content.retracted) return [];
        return one.kind === 'text' ? answerRows(one.content, room) : thoughtRows(one.content, room);
      case 'tool':
        return toolRows([one], state, room);
      case 'approval':
        return questionRows(one.content, room);
      case 'turn':
        return turnRows(one.content, room);
      case 'event':
        return eventRows(one.content, room);
      case 'run':
        return isRunEndTold(one.content) && !isInterruptToldBefore(one, before) ? runRows(one.content, room) : [];
      case 'task':
      case 'hook':
        return [];
    }
  }
}

/** Several reads as one line. */
export function readRows(
  reads: readonly Extract<Row, { kind: 'tool' }>[],
  before: Row | undefined,
  state: SessionState,
  options: EntryOptions,
): string[] {
  const [first] = reads;
  if (!first || reads.length === 1) return first ? entryRows(first, before, state, options) : [];
  const margin = MARGIN.repeat(first.depth);
  const room = { ...options, width: options.width - margin.length, indent: margin.length };
  return toolRows(reads, state, room).map((row) => margin + row);
}

export const isSpeech = ({ kind }: Row): boolean => kind === 'user' || kind === 'text';

/** Number of the run that an entry is of, where it or, for a text, its message says so. */
export function runOf(row: Row, { messages }: Pick<SessionState, 'messages'>): number | undefined {
  if (row.kind === 'text' || row.kind === 'thinking') return rowAt(messages, row.message)?.run;
  const { content } = row;
  return 'run' in content && typeof content.run === 'number' ? content.run : undefined;
}

/** When it began, where it tells that. */
export function beganAt(row: Row, { messages }: Pick<SessionState, 'messages'>): number | undefined {
  const content = row.kind === 'text' || row.kind === 'thinking' ? rowAt(messages, row.message) : row.content;
  return content && 'startedAt' in content ? content.startedAt : undefined;
}

/** What stands above another run of the session; above one that goes on, when this part of it began. */
export function runRule(run: Run | undefined, { width, color }: EntryOptions, at = run?.startedAt ?? 0): string[] {
  if (!run) return [];
  const when = new Date(at).toISOString().slice(0, 16).replace('T', ' ');
  const words = `── ${safeLine(run.agent, 30)} · ${when} `;
  return rowsOf([{ text: words + '─'.repeat(Math.max(0, width - words.length)), looks: ['dim'] }], width, color);
}

function promptRows(
  { content, depth }: Extract<Row, { kind: 'user' }>,
  { width, color, isPlain }: EntryOptions,
): string[] {
  if (content.replay) return [];
  const text = [...values(content.blocks)].map((block) => block.text).join('\n');
  if (text === '') return [];
  if (content.synthetic) return noteRows(text, ['dim'], { width, color });
  // What an agent tells another is no word of the person's.
  const mark = isPlain ? (depth > 0 ? 'Task: ' : 'You: ') : '> ';
  const looks: Look[] = [depth > 0 ? 'dim' : 'bold'];
  const room = Math.min(width, MEASURE) - mark.length;
  const given = (content.attachments ?? []).map(attachmentText);
  const told = [
    ...rowsOf([{ text: safe(text), looks }], room, color),
    ...given.flatMap((one) => rowsOf([{ text: `with ${safe(one)}`, looks: ['dim'] }], room, color)),
  ];
  return told.map(
    (row, index) =>
      (index === 0 ? styled(mark, depth > 0 ? ['dim'] : ['accent'], color) : ' '.repeat(mark.length)) + row,
  );
}

function answerRows({ text, partial }: Block, { width, color }: EntryOptions): string[] {
  const rows = markdownRows(text, { width: width - MARGIN.length, color });
  return [...rows, ...(partial ? cutOff({ width, color }) : [])].map((row) => (row === '' ? '' : MARGIN + row));
}

/** Below a text that never came to its end. */
export const cutOff = ({ width, color }: { width: number; color: boolean }): string[] =>
  rowsOf([{ text: '(cut off)', looks: ['dim'] }], width, color);

function thoughtRows(
  { text, redacted, durationMs }: Block,
  { width, color, isFull, hasThoughts, isPlain }: EntryOptions,
): string[] {
  const time = durationMs === undefined || durationMs === 0 ? '' : ` for ${duration(durationMs)}`;
  const words = `Thought${time}${redacted ? ', and keeps it to itself' : ''}`;
  const head = rowsOf([{ text: isPlain ? words : `▸ ${words}`, looks: ['dim'] }], width, color);
  if (!(isFull || hasThoughts) || text === '') return head;
  return [
    ...head,
    ...rowsOf([{ text: safe(text), looks: ['dim', 'italic'] }], width - 4, color).map((row) => `    ${row}`),
  ];
}

/** A question that belongs to no call: what was asked, and what became of it. */
function questionRows({ request, resolution, status }: Approval, { width, color, isPlain }: EntryOptions): string[] {
  if (request.kind === 'hook') return [];
  const questions = request.questions?.map(({ question }) => question) ?? [lineFor(request)];
  const answer = resolution
    ? resolutionText(request, resolution)
    : status === 'pending'
      ? 'waits for an answer'
      : 'no longer asked';
  const mark = isPlain ? 'Question: ' : '? ';
  return [
    ...questions.flatMap((question) =>
      rowsOf([{ text: `${mark}${safeLine(question)}`, looks: ['warning'] }], width, color),
    ),
    ...noteRows(answer, ['dim'], { width: width - 2, color }).map((row) => `  ${row}`),
  ];
}

function turnRows({ end, durationMs, cost, usage }: Turn, { width, color, isPlain }: EntryOptions): string[] {
  if (!end) return [];
  const facts = [
    durationMs !== undefined && durationMs > 0 && duration(durationMs),
    usage && tokens(usage) !== undefined && `${tokens(usage)} tokens`,
    cost && tellMoney(cost),
  ].filter((fact) => typeof fact === 'string');
  const [mark, looks, word] = OUTCOMES[end.outcome] ?? OUTCOMES.unknown;
  const words = end.error?.message ?? (end.outcome === 'unknown' ? 'The turn ended without a result' : '');
  if (facts.length === 0 && words === '') return [];
  const first = `${isPlain ? word : mark} `;
  const rest = words === '' ? (['dim'] as const) : looks;
  const indent = isPlain ? 0 : first.length;
  return joinedToFit([safeLine(words), ...facts].filter(Boolean), isPlain ? ', ' : ' · ', width - first.length).flatMap(
    (text, index) =>
      index === 0
        ? rowsOf(
            [
              { text: first, looks },
              { text, looks: rest },
            ],
            width,
            color,
          )
        : rowsOf([{ text, looks: rest }], width - indent, color).map((row) => ' '.repeat(indent) + row),
  );
}

/** As many beside each other as fit; what is longer than that stands alone. */
function joinedToFit(parts: readonly string[], between: string, width: number): string[] {
  const rows: string[] = [];
  for (const part of parts) {
    const longer = rows.length === 0 ? part : `${rows.at(-1)}${between}${part}`;
    if (rows.length > 0 && stringWidth(longer) <= width) rows[rows.length - 1] = longer;
    else rows.push(part);
  }
  return rows;
}

const OUTCOMES: Record<TurnOutcome, readonly [mark: string, looks: readonly Look[], word: string]> = {
  success: ['✔', ['good'], 'Done:'],
  interrupted: ['⊘', ['warning'], 'Interrupted:'],
  unknown: ['·', ['warning'], 'Ended:'],
  failed: ['✖', ['bad'], 'Failed:'],
  'max-turns': ['✖', ['bad'], 'Failed:'],
  'over-budget': ['✖', ['bad'], 'Failed:'],
};

/** Without it an agent that crashed or was never started would look like one that had nothing to say. */
function runRows({ end }: Run, { width, color, isPlain }: EntryOptions): string[] {
  if (!end) return [];
  const [mark, looks] = end.reason === 'cancelled' ? OUTCOMES.interrupted : OUTCOMES.failed;
  const words = safeLine(runEndText(end, end.error?.message ?? end.detail));
  const hint = end.error?.hint === undefined ? [] : noteRows(end.error.hint, ['dim'], { width: width - 2, color });
  return [
    ...rowsOf([{ text: isPlain ? words : `${mark} ${words}`, looks }], width, color),
    ...hint.map((row) => `  ${row}`),
  ];
}

/** A warning is a sentence of its own, and may begin with an id, which people type as it is. */
function eventRows(event: Extract<Row, { kind: 'event' }>['content'], { width, color }: EntryOptions): string[] {
  const text = eventText(event);
  const words = event.type === 'warning' ? safeLine(text) : capitalised(safeLine(text));
  return text === '' ? [] : rowsOf([{ text: words, looks: loud(event.type) }], Math.min(width, MEASURE), color);
}

export function noteRows(
  text: string,
  looks: readonly Look[],
  { width, color }: { width: number; color: boolean },
): string[] {
  return text === '' ? [] : rowsOf([{ text: capitalised(safeLine(text)), looks }], Math.min(width, MEASURE), color);
}

const loud = (type: string): Look[] =>
  type === 'agent-error' ? ['bad'] : type === 'warning' || type === 'gap' ? ['warning'] : ['dim'];
