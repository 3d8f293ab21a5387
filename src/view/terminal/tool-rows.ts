/** What an agent does, a line each: a mark for how it went, the deed, and at the end of the line how long and by whose leave. */
import stringWidth from 'fast-string-width';
import { type DifferencePart, differencePartsOf, pathWithin, resolutionText } from '../../consent/index.js';
import { entryAt, type Row, rowAt, type SessionState, type Tool, values } from '../../session/index.js';
import { counted, duration } from '../../word/index.js';
import { cutToWidth } from '../text/cut-to-width.js';
import { partRows } from '../text/index.js';
import { safeLine, safeOutput } from '../text/safe.js';
import { deedLine, type Fact, factsText, NO_SUMS, type Sums, sumsText } from './deed-line.js';
import { type Look, rowsOf, styled } from './styled.js';

interface Options {
  width: number;
  /** Columns to the left of it that are not its own. */
  indent?: number;
  color: boolean;
  isFull: boolean;
  isPlain?: boolean;
  /** Of every output its last lines, so many, whatever else is short. */
  outputLines?: number;
}

/** Of a call that is under way. */
interface OpenOptions extends Options {
  /** The moment that is drawn, by the clock of the events. */
  now: number;
}

type ToolRow = Extract<Row, { kind: 'tool' }>;

/** How many lines of an output that went wrong are shown. */
const LAST_LINES = 8;
/** How many lines of an output that still grows, and how long it takes until they are worth it. */
const OPEN_LINES = 3;
const PATIENCE_MS = 2000;
/** How many rows of a change. */
const MOST_ROWS = 40;
const BAR = '  │ ';

/** Something lives: it turns with the clock, ten steps a second. */
export const spinner = (now: number): string => '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'.charAt(Math.floor(now / 100) % 10);

/** Several looks into files, one after the other, say no more than their number. */
export function foldedReads(rows: readonly Row[], from: number): ToolRow[] {
  const reads: ToolRow[] = [];
  for (let at = from; at < rows.length; at += 1) {
    const row = rows[at];
    if (row?.kind !== 'tool' || !isQuietRead(row.content) || row.depth !== rows[from]?.depth) break;
    reads.push(row);
  }
  return reads;
}

/** One more look into a file that may still come to stand with those before it. */
export const mayFold = (row: Row | undefined): boolean =>
  row?.kind === 'tool' && row.content.kind === 'read' && isUnderWay(row.content) && row.content.approval === undefined;

export const isUnderWay = ({ status }: Tool): boolean =>
  status === 'preparing' || status === 'waiting' || status === 'running';

const isQuietRead = ({ kind, status, approval, child }: Tool): boolean =>
  kind === 'read' && status === 'ok' && approval === undefined && child === undefined;

/** One call, or several reads as one line. */
export function toolRows(rows: readonly ToolRow[], state: SessionState, options: Options): string[] {
  const [first] = rows;
  if (!first) return [];
  if (rows.length > 1) return [readsLine(rows, state, options)];
  const tool = first.content;
  const parts = tool.status === 'failed' || tool.status === 'denied' ? [] : changeParts(tool, state);
  const decision = decisionOf(tool, state);
  const about = aboutOf(tool, state);
  const sums = isOnlyChange(parts, about) ? sumsOf(parts) : NO_SUMS;
  const isBeside = decision !== '' && isBesideHead(decision, about + sumsText(sums), tool, state, options);
  return [
    headRow(tool, state, options, { parts, decision: isBeside ? decision : '' }),
    ...(isBeside ? [] : decisionRows(decision, options)),
    ...changeRows(parts, about, options),
    ...outputRows(tool, options),
  ];
}

/** A call that is under way: it turns, tells how long it takes, and what it printed last. */
export function openToolRows(tool: Tool, state: SessionState, options: OpenOptions): string[] {
  const { status, startedAt, output = '' } = tool;
  const { now, width, color } = options;
  const elapsed = startedAt === undefined ? 0 : Math.max(0, now - startedAt);
  const told = status === 'waiting' ? 'waits for you' : elapsed >= 1000 ? duration(wholeSeconds(elapsed)) : '';
  const [mark, look] = MARKS[status] ?? MARKS.unknown;
  const head = deedLine(
    {
      ...{ mark: status === 'running' ? spinner(now) : mark, look, word: WORDS[status], isAlive: true },
      ...{ called: calledOf(tool), about: aboutOf(tool, state), facts: told === '' ? [] : [{ text: told }] },
    },
    options,
  );
  const lines = elapsed < PATIENCE_MS ? [] : safeOutput(output.slice(-4000)).trimEnd().split('\n').slice(-OPEN_LINES);
  return [
    head,
    ...lines
      .filter((text) => text.trim() !== '')
      .map((text) => styled(BAR + cutToWidth(text.replaceAll('\t', '  '), width - BAR.length), ['dim'], color)),
  ];
}

/** Only that it is there: for what stands below another call. */
export function openToolLine(tool: Tool, state: SessionState, options: OpenOptions): string {
  return isUnderWay(tool)
    ? (openToolRows({ ...tool, output: '' }, state, options)[0] ?? '')
    : headRow(tool, state, options);
}

const wholeSeconds = (ms: number): number => Math.floor(ms / 1000) * 1000;

function readsLine(rows: readonly ToolRow[], state: SessionState, options: Options): string {
  const names = [...new Set(rows.map(({ content }) => aboutOf(content, state)))].filter(Boolean);
  const time = rows.reduce((sum, { content }) => sum + (content.durationMs ?? 0), 0);
  return deedLine(
    {
      ...{ mark: '✔', look: 'good', word: WORDS.ok },
      ...{ called: `Read ${counted(rows.length, 'file')}`, about: names.join(', ') },
      facts: time > 0 ? [{ text: duration(time), leaves: 1 }] : [],
    },
    options,
  );
}

const MARKS: Record<Tool['status'], readonly [mark: string, look: Look]> = {
  preparing: ['○', 'dim'],
  waiting: ['◆', 'warning'],
  running: ['●', 'accent'],
  ok: ['✔', 'good'],
  failed: ['✖', 'bad'],
  denied: ['⊘', 'warning'],
  cancelled: ['⊘', 'warning'],
  unknown: ['·', 'dim'],
};

/** The same for who listens. */
const WORDS: Record<Tool['status'], string> = {
  preparing: 'Preparing',
  waiting: 'Waiting',
  running: 'Running',
  ok: 'Done',
  failed: 'Failed',
  denied: 'Denied',
  cancelled: 'Cancelled',
  unknown: 'Ended',
};

const calledOf = ({ mcp, title, name }: Tool): string =>
  mcp ? `${mcp.tool} (${mcp.server})` : title || name || 'Tool';

interface HeadFacts {
  parts?: readonly DifferencePart[];
  /** Who allowed it or not; empty where that stands elsewhere. */
  decision?: string;
}

function headRow(
  tool: Tool,
  state: SessionState,
  options: Options,
  { parts = [], decision = '' }: HeadFacts = {},
): string {
  const { status } = tool;
  const [mark, look] = MARKS[status] ?? MARKS.unknown;
  const about = aboutOf(tool, state);
  return deedLine(
    {
      ...{ mark, look, word: WORDS[status] ?? WORDS.unknown, called: calledOf(tool), about },
      ...(isOnlyChange(parts, about) && { sums: sumsOf(parts) }),
      facts: factsOf(tool, state, options, decision),
    },
    options,
  );
}

function factsOf(
  { status, exitCode, durationMs, output = '', approval }: Tool,
  state: SessionState,
  { isFull }: Pick<Options, 'isFull'>,
  decision: string,
): Fact[] {
  const lines = output === '' ? 0 : safeOutput(output).trimEnd().split('\n').length;
  const facts: Fact[] = [];
  if (exitCode !== undefined && exitCode !== 0) facts.push({ text: `exit ${exitCode}` });
  if (lines > 1 && status !== 'failed' && !isFull) facts.push({ text: `${lines} lines`, leaves: 0 });
  // Where somebody was asked, most of it is how long that took.
  const isAsked = rowAt(state.approvals, approval)?.resolution !== undefined;
  if (durationMs !== undefined && durationMs > 0 && !isAsked) facts.push({ text: duration(durationMs), leaves: 1 });
  if (decision !== '') facts.push({ text: decision.charAt(0).toLowerCase() + decision.slice(1) });
  return facts;
}

/** What it is about is the file that it changed, and no other. */
function isOnlyChange([part, ...others]: readonly DifferencePart[], about: string): boolean {
  return part !== undefined && others.length === 0 && part.to === undefined && safeLine(part.path ?? '', 300) === about;
}

const sumsOf = (parts: readonly DifferencePart[]): Sums => ({
  added: sum(parts, 'added'),
  removed: sum(parts, 'removed'),
});

const sum = (parts: readonly DifferencePart[], name: 'added' | 'removed'): number =>
  parts.reduce((all, part) => all + part[name], 0);

/** At the end of the line, where what it is about is not cut for it, or not much. */
function isBesideHead(decision: string, about: string, tool: Tool, state: SessionState, options: Options): boolean {
  if (options.isPlain) return true;
  const used = stringWidth(calledOf(tool)) + Math.min(ENOUGH, stringWidth(about)) + 5;
  return used + stringWidth(factsText(factsOf(tool, state, options, decision))) <= options.width;
}

/** Columns that tell what it is about. */
const ENOUGH = 40;

/** Of a long command the first line; a path as it is seen from the project. */
function aboutOf({ summary = '', run, progress }: Tool, state: SessionState): string {
  const words = safeLine(pathWithin(progress?.text ?? summary, rowAt(state.runs, run)?.facts.cwd), 300);
  // It may be cut a second time.
  return words.replace(/\.{3}$/, '…');
}

/** Who allowed it, and what was said with a refusal. */
function decisionOf({ approval, denial }: Tool, state: SessionState): string {
  const asked = rowAt(state.approvals, approval);
  const words = asked?.resolution
    ? resolutionText(asked.request, asked.resolution)
    : denial === undefined
      ? ''
      : `Denied: ${denial}`;
  return safeLine(words);
}

/** Where it is too long to stand beside what it is about. */
function decisionRows(decision: string, { width, color }: Options): string[] {
  if (decision === '') return [];
  return rowsOf([{ text: decision, looks: ['dim'] }], width - 4, color).map((row) => `    ${row}`);
}

function changeRows(
  parts: readonly DifferencePart[],
  about: string,
  { width, color, isFull, isPlain }: Options,
): string[] {
  // The line above has the name and the sums of it.
  const named = isOnlyChange(parts, about)
    ? parts.map(({ path: _, ...part }) => ({ ...part, added: 0, removed: 0 }))
    : parts;
  const rows = partRows(named, { width: width - BAR.length, color });
  return opened(rows, isFull ? rows.length : MOST_ROWS, 'first', { color, isPlain });
}

/** As it was compared with the file when it was asked; as the agent told it; or as it stands in the call. */
export function changeParts(tool: Tool, state: SessionState): DifferencePart[] {
  const request = rowAt(state.approvals, tool.approval)?.request;
  const told = tool.changes ? [...values(tool.changes)].flatMap((number) => entryAt(state.changes, number) ?? []) : [];
  const patches = told.flatMap(({ path, diff }) => (diff === undefined ? [] : [{ path, patch: diff }]));
  return differencePartsOf(
    {
      input: tool.input,
      ...(tool.edits && { edits: tool.edits }),
      ...(request?.differences && { differences: request.differences }),
    },
    { patches, directory: rowAt(state.runs, tool.run)?.facts.cwd },
  );
}

function outputRows({ status, output = '' }: Tool, { width, color, isFull, isPlain, outputLines }: Options): string[] {
  if (output.trim() === '' || (status !== 'failed' && !isFull && outputLines === undefined)) return [];
  const rows = rowsOf([{ text: safeOutput(output).trimEnd(), looks: ['dim'] }], width - BAR.length, color);
  return opened(rows, outputLines ?? (isFull ? rows.length : LAST_LINES), 'last', { color, isPlain });
}

function opened(
  rows: readonly string[],
  most: number,
  which: 'first' | 'last',
  { color, isPlain = false }: { color: boolean; isPlain?: boolean | undefined },
): string[] {
  const left = rows.length - most;
  const shown = left <= 0 ? rows : which === 'first' ? rows.slice(0, most) : rows.slice(left);
  const more = left <= 0 ? [] : [styled(`… ${counted(left, 'line')} more`, ['dim'], color)];
  const all = which === 'first' ? [...shown, ...more] : [...more, ...shown];
  return all.map((row) => (isPlain ? ' '.repeat(BAR.length) : styled(BAR, ['dim'], color)) + row);
}
