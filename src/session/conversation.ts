/**
 * A conversation as rows for a list that shows a part of it: sub-agents stand below the call that started them.
 *
 * A row whose content did not change is the same object as before, so that a view redraws only what changed.
 */
import { entries, entryAt } from './chunks.js';
import type { Approval, Block, Hook, Item, Message, ShownEvent, Task, Tool, Turn } from './item.js';
import { messageParts } from './message-parts.js';
import { MAIN_THREAD, type Run, type SessionState } from './state.js';
import { rowAt, type Table } from './table.js';

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

export function selectConversation(state: SessionState, options: ConversationOptions = {}): Row[] {
  const rows: Row[] = [];
  // A stack of its own instead of recursion, because nothing limits how deep sub-agents nest.
  const pending = [{ rows: threadRows(state, options.thread ?? MAIN_THREAD, 0, options), depth: 0 }];
  for (let top = pending.at(-1); top !== undefined; top = pending.at(-1)) {
    const next = top.rows.next();
    if (next.done) {
      pending.pop();
      continue;
    }
    rows.push(next.value);
    const child = next.value.kind === 'tool' && !next.value.folded ? next.value.content.child : undefined;
    const depth = top.depth + 1;
    if (child !== undefined) pending.push({ rows: threadRows(state, child, depth, options), depth });
  }
  return rows;
}

function* threadRows(
  state: SessionState,
  thread: number,
  depth: number,
  options: ConversationOptions,
): Generator<Row, void> {
  const items = entryAt(state.threads, thread)?.items;
  if (items === undefined) return;
  for (const [position, item] of entries(items)) {
    if (item.kind === 'message') yield* messageRows(state, item.number, depth, options);
    else if (item.kind === 'tool') yield* toolRow(state, item.number, depth, options);
    else if (item.kind === 'event')
      yield rowFor(`e${thread}.${position}`, depth, { kind: 'event', content: item.event });
    else yield* recordRow(state, item, depth);
  }
}

function* messageRows(
  state: SessionState,
  number: number,
  depth: number,
  options: ConversationOptions,
): Generator<Row> {
  const message = rowAt(state.messages, number);
  if (message === undefined) return;
  if (message.role === 'user') {
    if (message.retracted === undefined) yield rowFor(`m${number}`, depth, { kind: 'user', content: message });
    return;
  }
  for (const part of messageParts(message)) {
    if (part.kind === 'call') yield* toolRow(state, part.tool, depth, options);
    else {
      const { block, position } = part;
      yield rowFor(`m${number}.${position}`, depth, { kind: block.kind, content: block, message: number });
    }
  }
}

function* toolRow(state: SessionState, number: number, depth: number, options: ConversationOptions): Generator<Row> {
  const tool = rowAt(state.tools, number);
  if (tool === undefined) return;
  const children = tool.child === undefined ? 0 : (entryAt(state.threads, tool.child)?.items.count ?? 0);
  const folded = children > 0 && (options.isFolded?.(tool) ?? false);
  yield rowFor(`t${number}`, depth, { kind: 'tool', content: tool, children, folded });
}

function* recordRow(state: SessionState, item: Extract<Item, { number: number }>, depth: number): Generator<Row> {
  const key = `${item.kind}${item.number}`;
  const table: Table<object> = TABLES[item.kind as keyof typeof TABLES](state);
  const content = rowAt(table, item.number);
  if (content !== undefined) yield rowFor(key, depth, { kind: item.kind, content } as RowContent);
}

const TABLES = {
  task: (state: SessionState) => state.tasks,
  approval: (state: SessionState) => state.approvals,
  hook: (state: SessionState) => state.hooks,
  turn: (state: SessionState) => state.turns,
  run: (state: SessionState) => state.runs,
};

/** The row made last for a content. Immutable contents make it a cache that can only be right or missing. */
const made = new WeakMap<object, Row>();

function rowFor(key: string, depth: number, content: RowContent): Row {
  const before = made.get(content.content);
  if (before?.key === key && before.depth === depth && isSameFold(before, content)) return before;
  const row: Row = { key, depth, ...content };
  made.set(content.content, row);
  return row;
}

function isSameFold(before: Row, content: RowContent): boolean {
  if (before.kind !== 'tool' || content.kind !== 'tool') return before.kind === content.kind;
  return before.children === content.children && before.folded === content.folded;
}
