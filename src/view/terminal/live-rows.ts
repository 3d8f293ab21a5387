/**
 * A session that goes on, as rows of two kinds: those that are final, to be printed once and left to scroll away, and those of its open
 * end, to be drawn again. Pure: the same state, place, size and moment give the same rows, and what was final are in the end those of
 * `conversationRows`.
 */
import {
  type Block,
  entryAt,
  type Row,
  rowAt,
  type SessionState,
  selectConversation,
  selectTodos,
  type Tool,
  values,
} from '../../session/index.js';
import { counted } from '../../word/index.js';
import { cutToWidth } from '../text/cut-to-width.js';
import { safeLine } from '../text/safe.js';
import {
  cutOff,
  type EntryOptions,
  entryRows,
  isSpeech,
  MARGIN,
  noteRows,
  readRows,
  runOf,
  runRule,
} from './entry-rows.js';
import { BEGINNING, createFlow, type Flow, type Place } from './flow.js';
import { growText, TEXT_BEGINNING, type TextPlace } from './growing-text.js';
import { styled } from './styled.js';
import { foldedReads, isUnderWay, mayFold, openToolLine, openToolRows, spinner } from './tool-rows.js';

export interface LiveOptions extends EntryOptions {
  /** Rows that the open end may take. */
  height: number;
  /** The moment that is drawn, by the clock of the events. */
  now: number;
  /** Nothing more will come: everything is final. */
  isOver?: boolean;
}

/** What was told for good. */
export interface Told {
  readonly place: Place;
  /** Of the rows of the conversation; the first ones are all among them, up to the one that is `last` and as many as `prefix` says. */
  readonly keys: ReadonlySet<string>;
  readonly prefix: number;
  readonly last?: string | undefined;
  /** Told before they ended, because they would have held back too much. */
  readonly early: ReadonlySet<string>;
  /** How far texts that grow were told. */
  readonly texts: ReadonlyMap<string, TextPlace>;
  /** Messages whose texts stand there, and may be withdrawn. */
  readonly messages: ReadonlySet<number>;
}

export const NOTHING_TOLD: Told = {
  place: BEGINNING,
  keys: new Set(),
  prefix: 0,
  early: new Set(),
  texts: new Map(),
  messages: new Set(),
};

export interface LiveRows {
  settled: string[];
  open: string[];
  told: Told;
}

/** Of what a sub-agent does, while it does it. */
const CHILDREN = 3;
const MOST_TODOS = 6;

export function liveRows(state: SessionState, told: Told, options: LiveOptions): LiveRows {
  for (let early: string[] = []; ; ) {
    const drawn = draw(state, told, early, options);
    const held = drawn.holding;
    // What holds back more than a screen is told as it is; how it ended is told when it ends.
    if (drawn.open.length <= options.height || held === undefined || early.includes(held)) {
      const { settled, open, told: now } = drawn;
      const todos = options.isOver ? [] : todoRows(state, options);
      return { settled, open: lastOf([...open, ...todos], options), told: now };
    }
    early = [...early, held];
  }
}

interface Drawn extends LiveRows {
  /** The call that keeps others from being final. */
  holding?: string | undefined;
}

function draw(state: SessionState, told: Told, early: readonly string[], options: LiveOptions): Drawn {
  const rows = selectConversation(state);
  const next = {
    keys: told.keys,
    early: new Set([...told.early, ...early]),
    texts: new Map(told.texts),
    messages: new Set(told.messages),
  };
  const settled = createFlow(told.place);
  // What a sub-agent in the background does comes in between.
  const prefix = rows[told.prefix - 1]?.key === told.last ? told.prefix : 0;
  let index = prefix;
  const blocked = new Set<number>();
  let holding: string | undefined;
  const held: (() => void)[] = [];
  let open: Flow | undefined;

  tellWithdrawn();
  for (; index < rows.length; index += 1) {
    const row = rows[index] as Row;
    const isAgain = next.early.has(row.key) && next.keys.has(row.key);
    if (next.keys.has(row.key) && !(isAgain && isFinal(row, state))) continue;
    const before = rows[index - 1];
    const reads = options.isFull ? [] : foldedReads(rows, index).filter(({ key }) => !next.keys.has(key));
    const thread = threadOf(row, state);
    const isBlocked = isHeld(thread);
    if (reads.length > 0 && !isAgain) {
      const after = rows[index + reads.length];
      const isEnd = after === undefined || mayFold(after);
      index += reads.length - 1;
      if (isBlocked || (isEnd && !options.isOver))
        hold(thread, row, () => put(open as Flow, row, readRows(reads, before, state, options)));
      else {
        put(settled, row, readRows(reads, before, state, options));
        finish(reads);
      }
    } else if (row.kind === 'text' && !isBlocked && row.content.retracted === undefined) tellText(row, thread);
    else if (
      !isBlocked &&
      ((isFinal(row, state) && !isAwaited(row, rows[index + 1])) || options.isOver || early.includes(row.key))
    ) {
      put(settled, row, entryRows(row, before, state, options), isSpeech(row));
      finish([row]);
      if (isFinal(row, state)) next.early.delete(row.key);
      if (row.kind === 'turn') next.messages.clear();
    } else {
      if (!isBlocked && row.kind === 'tool' && row.children === 0) holding ??= row.key;
      const children = row.kind === 'tool' ? childrenOf(rows, index) : [];
      const at = index;
      index += children.length;
      hold(thread, row, () => put(open as Flow, row, openRows(row, rows[at - 1], children), isSpeech(row)));
    }
  }

  const flow = createFlow(settled.place);
  open = flow;
  for (const show of held) show();
  return {
    settled: settled.rows,
    open: flow.rows,
    told: { ...next, place: settled.place, ...prefixOf(rows, next, prefix) },
    holding,
  };

  function hold(thread: number, _row: Row, show: () => void): void {
    blocked.add(thread);
    held.push(show);
  }

  function finish(some: readonly Row[]): void {
    next.keys = new Set([...next.keys, ...some.map(({ key }) => key)]);
  }

  /** Something before it in its own conversation, or in one around it, is not final yet. */
  function isHeld(thread: number): boolean {
    for (let at: number | undefined = thread; at !== undefined; at = parentOf(at, state))
      if (blocked.has(at)) return true;
    return false;
  }

  /** Under whom it stands is said again where something else came between. */
  function put(flow: Flow, row: Row, drawn: readonly string[], isBlock = false): void {
    if (drawn.length === 0) return;
    const { place } = flow;
    const run = runOf(row, state);
    if (run !== undefined && place.run !== undefined && run !== place.run)
      flow.add(runRule(rowAt(state.runs, run), options), true);
    place.run = run ?? place.run;
    const thread = threadOf(row, state);
    const caller = rowAt(state.tools, entryAt(state.threads, thread)?.tool);
    const isNew = thread !== place.thread && place.tool !== caller?.id && !isAround(thread, place.thread, state);
    if (caller && isNew) flow.add([callerRow(row.depth, caller, options)], false);
    flow.add(drawn, isBlock);
    place.thread = thread;
    place.tool = row.kind === 'tool' ? row.content.id : undefined;
  }

  function tellText(row: Extract<Row, { kind: 'text' | 'thinking' }>, thread: number): void {
    const from = next.texts.get(row.key) ?? TEXT_BEGINNING;
    const isComplete = row.content.complete || options.isOver === true;
    const grown = grow(row, from, isComplete);
    if (grown.settled.length > 0) {
      // What goes on has its air already.
      if (from.hasRows && settled.place.thread === thread) settled.rows.push(...grown.settled);
      else put(settled, row, grown.settled, true);
      settled.place.isSpeech = true;
      next.messages.add(row.message);
    }
    if (isComplete) {
      next.texts.delete(row.key);
      finish([row]);
      return;
    }
    next.texts.set(row.key, grown.place);
    const isFirst = !grown.place.hasRows;
    hold(thread, row, () => {
      const shown = withCursor(grown.open, options);
      if (isFirst) put(open as Flow, row, shown, true);
      else (open as Flow).rows.push(...shown);
      if (shown.length > 0) (open as Flow).place.isSpeech = true;
    });
  }

  /** With its margins; a text that goes on has none of its own air before it. */
  function grow({ content, depth }: { content: Block; depth: number }, from: TextPlace, isComplete: boolean) {
    const margin = MARGIN.repeat(depth + 1);
    const room = { width: options.width - margin.length, color: options.color };
    const { settled, open, place } = growText(content.text, isComplete, from, room);
    const cut = isComplete && content.partial ? cutOff(room) : [];
    const indented = (lines: readonly string[]) => lines.map((line) => (line === '' ? '' : margin + line));
    return { settled: indented([...settled, ...cut]), open: indented(open), place };
  }

  function openRows(row: Row, before: Row | undefined, children: readonly Row[]): string[] {
    const margin = MARGIN.repeat(row.depth);
    const room = { ...options, width: options.width - margin.length, indent: margin.length };
    if (row.kind === 'thinking' && !row.content.complete) {
      const since = row.content.startedAt ?? rowAt(state.messages, row.message)?.startedAt;
      return [margin + thinkingRow(since, options)];
    }
    if (row.kind === 'text') {
      const from = next.texts.get(row.key) ?? TEXT_BEGINNING;
      const { settled, open } = grow(row, from, row.content.complete);
      return row.content.complete ? settled : withCursor([...settled, ...open], options);
    }
    if (row.kind !== 'tool' || !isUnderWay(row.content)) return entryRows(row, before, state, options);
    const head = openToolRows(row.content, state, room);
    return [...head.map((line) => margin + line), ...childRows(children, state, options)];
  }

  /** What stands there and no longer holds. */
  function tellWithdrawn(): void {
    for (const number of next.messages) {
      const message = rowAt(state.messages, number);
      const why =
        message?.retracted ?? (message && [...values(message.blocks)].find((block) => block.retracted)?.retracted);
      if (why === undefined) continue;
      next.messages.delete(number);
      settled.add(noteRows(`The text above was withdrawn (${safeLine(why, 60)})`, ['warning'], options), false);
    }
  }
}

/** Whether nothing about it can change any more. */
function isFinal(row: Row, state: SessionState): boolean {
  switch (row.kind) {
    case 'tool':
      // What was decided about it may be told after it has ended.
      return !isUnderWay(row.content) && rowAt(state.approvals, row.content.approval)?.status !== 'pending';
    case 'approval':
      return row.content.status !== 'pending';
    case 'thinking':
      return row.content.complete;
    case 'user':
    case 'text':
    case 'task':
    case 'hook':
    case 'turn':
    case 'run':
    case 'event':
      return true;
  }
}

/** How a file was changed is told after the call has ended. */
function isAwaited(row: Row, after: Row | undefined): boolean {
  if (row.kind !== 'tool' || after !== undefined) return false;
  const { status, edits, changes } = row.content;
  return status === 'ok' && changes === undefined && edits !== undefined && edits.length > 0;
}

function threadOf(row: Row, state: SessionState): number {
  if (row.kind === 'text' || row.kind === 'thinking') return rowAt(state.messages, row.message)?.thread ?? 0;
  if (row.kind === 'event') return Number(/^e(\d+)\./.exec(row.key)?.[1] ?? 0);
  return 'thread' in row.content ? row.content.thread : 0;
}

function parentOf(thread: number, state: SessionState): number | undefined {
  return thread === 0 ? undefined : rowAt(state.tools, entryAt(state.threads, thread)?.tool)?.thread;
}

/** Whether a conversation is one of those around another. */
function isAround(thread: number, inner: number, state: SessionState): boolean {
  for (let at = parentOf(inner, state); at !== undefined; at = parentOf(at, state)) if (at === thread) return true;
  return false;
}

function childrenOf(rows: readonly Row[], at: number): Row[] {
  const depth = rows[at]?.depth ?? 0;
  const end = rows.findIndex((row, index) => index > at && row.depth <= depth);
  return rows.slice(at + 1, end < 0 ? rows.length : end);
}

/** The last deeds of a sub-agent, a line each. */
function childRows(children: readonly Row[], state: SessionState, options: LiveOptions): string[] {
  const tools = children.filter((row) => row.kind === 'tool');
  return tools.slice(-CHILDREN).map(({ content, depth }) => {
    const margin = MARGIN.repeat(depth);
    const room = { ...options, width: options.width - margin.length, indent: margin.length };
    return margin + openToolLine(content, state, room);
  });
}

function callerRow(depth: number, { title, name, summary = '' }: Tool, { width, color }: LiveOptions): string {
  const words = `↳ ${safeLine(title || name, 40)} ${safeLine(summary, 200)}`.trimEnd();
  const margin = MARGIN.repeat(Math.max(0, depth - 1));
  return margin + styled(cutToWidth(words, width - margin.length), ['dim'], color);
}

export function thinkingRow(since: number | undefined, { now, color }: Pick<LiveOptions, 'now' | 'color'>): string {
  const waited = since === undefined ? 0 : Math.floor((now - since) / 1000);
  return styled(`${spinner(now)} Thinking${waited > 0 ? ` for ${waited} s` : ''}`, ['dim'], color);
}

/** Where it goes on. */
export function withCursor(rows: readonly string[], { width, color }: Pick<LiveOptions, 'width' | 'color'>): string[] {
  const last = rows.at(-1);
  if (last === undefined) return [];
  const cursor = styled('▌', ['accent'], color);
  return [...rows.slice(0, -1), cutless(last, width) ? `${last}${cursor}` : last];
}

/** Colours have no width, so this is too careful at times and never wrong. */
const cutless = (row: string, width: number): boolean => row.length < width;

function todoRows(state: SessionState, { width, color }: LiveOptions): string[] {
  const todos = selectTodos(state);
  if (!todos.some(({ status }) => status !== 'done')) return [];
  const active = Math.max(0, todos.findIndex(({ status }) => status !== 'done') - 1);
  const shown = todos.slice(active, active + MOST_TODOS);
  const rest = todos.length - active - shown.length;
  const rows = shown.map(({ text, status }) => {
    const words = cutToWidth(safeLine(text, 300), width - 4);
    if (status === 'done') return `  ${styled(`☑ ${words}`, ['dim'], color)}`;
    return status === 'active'
      ? `  ${styled('▸', ['accent'], color)} ${styled(words, ['bold'], color)}`
      : `  ☐ ${words}`;
  });
  const done = todos.filter(({ status }) => status === 'done').length;
  const more =
    rest > 0 ? [styled(`  … ${counted(rest, 'more', 'more')}, ${done} of ${todos.length} done`, ['dim'], color)] : [];
  return ['', ...rows, ...more];
}

/** What does not fit is above, and comes when it is final. */
function lastOf(rows: readonly string[], { height, color }: LiveOptions): string[] {
  if (rows.length <= height) return [...rows];
  const left = rows.length - Math.max(1, height - 1);
  return [styled(`… ${counted(left, 'row')} above`, ['dim'], color), ...rows.slice(left)].slice(0, Math.max(1, height));
}

function prefixOf(
  rows: readonly Row[],
  { keys, early }: Pick<Told, 'keys' | 'early'>,
  from: number,
): Pick<Told, 'prefix' | 'last'> {
  let prefix = from;
  for (let key = rows[prefix]?.key; key !== undefined && keys.has(key) && !early.has(key); key = rows[prefix]?.key)
    prefix += 1;
  return { prefix, last: rows[prefix - 1]?.key };
}
