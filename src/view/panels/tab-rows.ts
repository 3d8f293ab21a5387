/** What stands in the tabs of a session, each as rows of a width. Only what changed is drawn again. */
import { type Block, type Row, rowAt, type SessionState, selectConversation, type Tool } from '../../session/index.js';
import { type EntryOptions, entryRows, MARGIN } from '../terminal/entry-rows.js';
import { growText, TEXT_BEGINNING, type TextPlace } from '../terminal/growing-text.js';
import { thinkingRow, withCursor } from '../terminal/live-rows.js';
import { styled } from '../terminal/styled.js';
import { isUnderWay, openToolRows } from '../terminal/tool-rows.js';
import { changeRows } from './change-rows.js';
import { growingConversation } from './growing-conversation.js';
import { numberRows } from './number-rows.js';
import type { Listed, Opened, Tab } from './state.js';
import { timeRows } from './time-rows.js';

export interface TabOptions {
  readonly width: number;
  readonly color: boolean;
  /** The moment that is drawn, by the clock of the events. */
  readonly now: number;
}

/** Of an output in its tab; what is before that is counted. */
const OUTPUT_LINES = 200;

export function tabRows(tab: Tab, listed: Listed, opened: Opened | undefined, options: TabOptions): readonly string[] {
  if (tab === 'numbers') return [...numberRows(listed, opened?.state, options), ...timesOf(opened, options)];
  if (!opened) return [styled('Reading…', ['dim'], options.color)];
  const rows = rowsOfTab(tab, opened.state, options);
  const shown = rows.length > 0 ? rows : [styled(EMPTY[tab], ['dim'], options.color)];
  return opened.from > 0 ? [styled(EARLIER, ['dim'], options.color)].concat(shown) : shown;
}

/** Of a session of which only the end was read nobody knows where its time went. */
function timesOf(opened: Opened | undefined, options: TabOptions): string[] {
  const rows = opened?.from === 0 ? timeRows(opened.state, options) : [];
  return rows.length === 0 ? [] : ['', styled('Where the time went', ['bold'], options.color), ...rows];
}

const EARLIER = '… what was before is read when you come here';

const EMPTY: Record<Exclude<Tab, 'numbers'>, string> = {
  conversation: 'Nothing was said yet.',
  tools: 'No tool was used.',
  thinking: 'It tells nothing of what it thinks.',
  changes: 'No file was changed.',
};

function rowsOfTab(tab: Exclude<Tab, 'numbers'>, state: SessionState, options: TabOptions): readonly string[] {
  if (tab === 'changes') return changeRows(state, options);
  const look = lookOf(tab, options);
  const draw = (row: Row, before: Row | undefined) => drawn(row, before, state, look, options.now);
  if (tab === 'conversation') return growingConversation(state, look, draw);
  const rows = selectConversation(state, { isShown: tab === 'tools' ? isTool : isThought });
  return separated(rows.map((row, index) => draw(row, rows[index - 1])));
}

const looks = new Map<string, EntryOptions>();

/** The same object for the same look, so that what was drawn is known by it. */
function lookOf(tab: 'conversation' | 'tools' | 'thinking', { width, color }: TabOptions): EntryOptions {
  const name = `${tab} ${width} ${color}`;
  const known = looks.get(name);
  if (known) return known;
  const look = { width, color, isFull: false, ...MORE[tab] };
  looks.set(name, look);
  return look;
}

const MORE = { conversation: {}, tools: { outputLines: OUTPUT_LINES }, thinking: { hasThoughts: true } } as const;

const isTool = ({ kind }: Row): boolean => kind === 'tool';
const isThought = ({ kind }: Row): boolean => kind === 'thinking';

function separated(parts: readonly string[][]): string[] {
  return parts.filter((rows) => rows.length > 0).flatMap((rows, index) => (index > 0 ? ['', ...rows] : rows));
}

function drawn(row: Row, before: Row | undefined, state: SessionState, look: EntryOptions, now: number): string[] {
  const isOpen = row.kind === 'tool' ? isUnderWay(row.content) : isWritten(row) && !row.content.complete;
  return isOpen ? openRows(row, before, state, look, now) : onceFor(row, before, state, look);
}

type Written = Extract<Row, { kind: 'text' | 'thinking' }>;

const isWritten = (row: Row): row is Written => row.kind === 'text' || row.kind === 'thinking';

/** What goes on is drawn anew in each picture. */
function openRows(row: Row, before: Row | undefined, state: SessionState, look: EntryOptions, now: number): string[] {
  const margin = MARGIN.repeat(row.depth);
  const room = { ...look, now, width: look.width - margin.length };
  if (row.kind === 'tool') return openToolRows(row.content, state, room).map((line) => margin + line);
  if (row.kind === 'thinking') {
    const since = row.content.startedAt ?? rowAt(state.messages, row.message)?.startedAt;
    const head = margin + thinkingRow(since, room);
    return look.hasThoughts ? [head, ...entryRows(row, before, state, look).slice(1)] : [head];
  }
  if (row.kind !== 'text' || row.content.retracted !== undefined) return entryRows(row, before, state, look);
  return withCursor(growing(row.key, row.content, margin + MARGIN, look), look);
}

/** Rows of entries that no event concerned since keep their identity, so that they are drawn once for each look. */
const known = new WeakMap<Row, { look: EntryOptions; decided: string | undefined; rows: string[] }>();

function onceFor(row: Row, before: Row | undefined, state: SessionState, look: EntryOptions): string[] {
  // What was decided about a call stands in the table of questions.
  const decided = row.kind === 'tool' ? decisionOf(row.content, state) : undefined;
  const found = known.get(row);
  if (found?.look === look && found.decided === decided && row.kind !== 'run') return found.rows;
  const rows = entryRows(row, before, state, look);
  known.set(row, { look, decided, rows });
  return rows;
}

function decisionOf({ approval }: Tool, state: SessionState): string | undefined {
  return approval === undefined ? undefined : rowAt(state.approvals, approval)?.status;
}

interface Grown {
  text: string;
  look: string;
  place: TextPlace;
  rows: string[];
}

/** Texts that grow, by the names of their rows: what of one is final is drawn once, and holds for whatever begins with it. */
const grown = new Map<string, Grown>();
const MOST_GROWN = 16;

function growing(key: string, { text }: Block, margin: string, { width, color }: EntryOptions): string[] {
  const look = `${width} ${color} ${margin.length}`;
  const before = grown.get(key);
  const isSame = before?.look === look && text.startsWith(before.text);
  const room = { width: width - margin.length, color };
  const from = isSame ? before.place : TEXT_BEGINNING;
  const { settled, open, place } = growText(text, false, from, room);
  const rows = [...(isSame ? before.rows : []), ...settled];
  grown.delete(key);
  grown.set(key, { text, look, place, rows });
  const [oldest] = grown.keys();
  if (grown.size > MOST_GROWN && oldest !== undefined) grown.delete(oldest);
  return [...rows, ...open].map((row) => (row === '' ? '' : margin + row));
}
