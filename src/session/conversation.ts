/**
 * A conversation as rows for a list that shows a part of it: sub-agents stand below the call that started them.
 *
 * A row whose content did not change is the same object as before, so that a view redraws only what changed.
 */
import { entryAt, leaves } from './chunks.js';
import type { Approval, Block, Hook, Item, Message, ShownEvent, Task, Tool, Turn } from './item.js';
import { messageParts } from './message-parts.js';
import { MAIN_THREAD, type Run, type SessionState } from './state.js';
import { rowAt } from './table.js';

export type Row = {
  /** Stable name of the row, unique in the session. */
  readonly key: string;
  /** 0 in the main conversation, one more for each sub-agent around it. */
  readonly depth: number;
} & RowContent;

type RowContent =
  /** One text of the agent; `message` is the number of its message. */
  | { readonly kind: 'text' | 'thinking'; readonly content: Block; readonly message: number }
  | { readonly kind: 'user'; readonly content: Message }
  /** `children`: how many items its sub-agent has; they follow unless `folded`. */
  | { readonly kind: 'tool'; readonly content: Tool; readonly children: number; readonly folded: boolean }
  | { readonly kind: 'task'; readonly content: Task }
  | { readonly kind: 'approval'; readonly content: Approval }
  | { readonly kind: 'hook'; readonly content: Hook }
  /** The turn ended here. */
  | { readonly kind: 'turn'; readonly content: Turn }
  /** The run ended here. */
  | { readonly kind: 'run'; readonly content: Run }
  | { readonly kind: 'event'; readonly content: ShownEvent };

export interface ConversationOptions {
  /** Leaves a sub-agent's rows out; its tool stays. Nothing is folded by default. */
  isFolded?: (tool: Tool) => boolean;
  /** Only this thread and what is nested in it. */
  thread?: number;
}

/** Sub-agents nested deeper than this stay folded. */
const DEEPEST = 32;

export function selectConversation(state: SessionState, options: ConversationOptions = {}): Row[] {
  const rows: Row[] = [];
  addThread({ state, rows, isFolded: options.isFolded ?? (() => false) }, options.thread ?? MAIN_THREAD, 0);
  return rows;
}

interface Listing {
  readonly state: SessionState;
  readonly rows: Row[];
  readonly isFolded: (tool: Tool) => boolean;
}

function addThread(listing: Listing, thread: number, depth: number): void {
  const items = entryAt(listing.state.threads, thread)?.items;
  if (items === undefined) return;
  for (const [base, leaf] of leaves(items)) {
    for (let slot = 0; slot < leaf.length; slot++) {
      const item = leaf[slot];
      if (item) addItemRows(listing, item, depth, thread, base + slot);
    }
  }
}

function addItemRows(listing: Listing, item: Item, depth: number, thread: number, position: number): void {
  const { state, rows } = listing;
  if (item.kind === 'message') addMessage(listing, item.number, depth);
  else if (item.kind === 'tool') addTool(listing, item.number, depth);
  else if (item.kind === 'event') {
    rows.push(
      known(item, depth) ?? made(item, { key: `e${thread}.${position}`, depth, kind: 'event', content: item.event }),
    );
  } else {
    const content = rowAt<object>(TABLES[item.kind](state), item.number);
    if (content === undefined) return;
    const key = `${item.kind}${item.number}`;
    rows.push(known(content, depth) ?? made(content, { key, depth, kind: item.kind, content } as Row));
  }
}

function addMessage(listing: Listing, number: number, depth: number): void {
  const { state, rows } = listing;
  const message = rowAt(state.messages, number);
  if (message === undefined) return;
  if (message.role === 'user') {
    if (message.retracted !== undefined) return;
    rows.push(known(message, depth) ?? made(message, { key: `m${number}`, depth, kind: 'user', content: message }));
    return;
  }
  for (const part of messageParts(message)) {
    if (part.kind === 'call') addTool(listing, part.tool, depth);
    else {
      const { block, position } = part;
      rows.push(
        known(block, depth) ??
          made(block, { key: `m${number}.${position}`, depth, kind: block.kind, content: block, message: number }),
      );
    }
  }
}

function addTool(listing: Listing, number: number, depth: number): void {
  const { state, rows } = listing;
  const tool = rowAt(state.tools, number);
  if (tool === undefined) return;
  const children = tool.child === undefined ? 0 : (entryAt(state.threads, tool.child)?.items.count ?? 0);
  const folded = children > 0 && (depth >= DEEPEST || listing.isFolded(tool));
  const before = known(tool, depth);
  const isSame = before?.kind === 'tool' && before.children === children && before.folded === folded;
  rows.push(isSame ? before : made(tool, { key: `t${number}`, depth, kind: 'tool', content: tool, children, folded }));
  if (tool.child !== undefined && !folded) addThread(listing, tool.child, depth + 1);
}

const TABLES = {
  task: (state: SessionState) => state.tasks,
  approval: (state: SessionState) => state.approvals,
  hook: (state: SessionState) => state.hooks,
  turn: (state: SessionState) => state.turns,
  run: (state: SessionState) => state.runs,
};

/** The row made last for something immutable: a cache that is right or missing, never wrong. */
const rowsMade = new WeakMap<object, Row>();

function known(source: object, depth: number): Row | undefined {
  const row = rowsMade.get(source);
  return row?.depth === depth ? row : undefined;
}

function made(source: object, row: Row): Row {
  rowsMade.set(source, row);
  return row;
}
