/** What stands in the tabs of a session, each as rows of a width. Only what changed is drawn again. */
import { type Block, type Row, rowAt, type SessionState, selectConversation, type Tool } from '../../session/index.js';
import { conversationRows } from '../terminal/conversation-rows.js';
import { type EntryOptions, entryRows, MARGIN } from '../terminal/entry-rows.js';
import { growText, TEXT_BEGINNING, type TextPlace } from '../terminal/growing-text.js';
import { thinkingRow, withCursor } from '../terminal/live-rows.js';
import { styled } from '../terminal/styled.js';
import { isUnderWay, openToolRows } from '../terminal/tool-rows.js';
import { changeRows } from './change-rows.js';
import { numberRows } from './number-rows.js';
import type { Listed, Opened, Tab } from './state.js';

export interface TabOptions {
  readonly width: number;
  readonly color: boolean;
  /** The moment that is drawn, by the clock of the events. */
  readonly now: number;
}

/** Of an output in its tab; what is before that is counted. */
const OUTPUT_LINES = 200;

export function tabRows(tab: Tab, listed: Listed, opened: Opened | undefined, options: TabOptions): string[] {
  if (tab === 'numbers') return numberRows(listed, opened?.state, options);
  if (!opened) return [styled('Reading…', ['dim'], options.color)];
  const rows = rowsOfTab(tab, opened.state, options);
  const shown = rows.length > 0 ? rows : [styled(EMPTY[tab], ['dim'], options.color)];
  return opened.from > 0 ? [styled(EARLIER, ['dim'], options.color), ...shown] : shown;
}

const EARLIER = '… what was before is read when you come here';

const EMPTY: Record<Exclude<Tab, 'numbers'>, string> = {
  conversation: 'Nothing was said yet.',
  tools: 'No tool was used.',
  thinking: 'It tells nothing of what it thinks.',
  changes: 'No file was changed.',
};

function rowsOfTab(tab: Exclude<Tab, 'numbers'>, state: SessionState, options: TabOptions): string[] {
  const { width, color } = options;
  switch (tab) {
    case 'conversation': {
      const look = { width, color, isFull: false };
      return conversationRows(state, look, (row, before) => drawn(row, before, state, look, options));
    }
    case 'tools': {
      const look = { width, color, isFull: false, outputLines: OUTPUT_LINES };
      const rows = selectConversation(state, { isShown: isTool });
      return separated(rows.map((row, index) => drawn(row, rows[index - 1], state, look, options)));
    }
    case 'thinking': {
      const look = { width, color, isFull: false, hasThoughts: true };
      const rows = selectConversation(state, { isShown: isThought });
      return separated(rows.map((row, index) => drawn(row, rows[index - 1], state, look, options)));
    }
    case 'changes':
      return changeRows(state, options);
  }
}

const isTool = ({ kind }: Row): boolean => kind === 'tool';
const isThought = ({ kind }: Row): boolean => kind === 'thinking';

function separated(parts: readonly string[][]): string[] {
  return parts.filter((rows) => rows.length > 0).flatMap((rows, index) => (index > 0 ? ['', ...rows] : rows));
}

function drawn(
  row: Row,
  before: Row | undefined,
  state: SessionState,
  look: EntryOptions,
  options: TabOptions,
): string[] {
  const margin = MARGIN.repeat(row.depth);
  const room = { ...look, now: options.now, width: look.width - margin.length };
  if (row.kind === 'tool' && isUnderWay(row.content))
    return openToolRows(row.content, state, room).map((line) => margin + line);
  if (row.kind === 'thinking' && !row.content.complete) {
    const since = row.content.startedAt ?? rowAt(state.messages, row.message)?.startedAt;
    const head = margin + thinkingRow(since, room);
    return look.hasThoughts ? [head, ...entryRows(row, before, state, look).slice(1)] : [head];
  }
  if (row.kind === 'text' && !row.content.complete && row.content.retracted === undefined)
    return withCursor(growing(row.key, row.content, margin + MARGIN, look), look);
  return onceFor(row, before, state, look);
}

/** Rows of entries that no event concerned since keep their identity, so that they are drawn once for each look. */
const known = new WeakMap<Row, { look: string; rows: string[] }>();

function onceFor(row: Row, before: Row | undefined, state: SessionState, look: EntryOptions): string[] {
  // What was decided about a call stands in the table of questions.
  const decided = row.kind === 'tool' ? decisionOf(row.content, state) : '';
  const name = `${look.width} ${look.color} ${look.hasThoughts} ${look.outputLines} ${decided}`;
  const found = known.get(row);
  if (found?.look === name && row.kind !== 'run') return found.rows;
  const rows = entryRows(row, before, state, look);
  known.set(row, { look: name, rows });
  return rows;
}

function decisionOf({ approval }: Tool, state: SessionState): string {
  return rowAt(state.approvals, approval)?.status ?? '';
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
