/**
 * A conversation as rows for a list that shows a part of it: sub-agents stand below the call that started them.
 *
 * A row whose content did not change is the same object as before, so that a view redraws only what changed.
 */
import { refuseUnknown } from '../../event/option.js';
import type { Approval, Block, Hook, Item, Message, ShownEvent, Task, Tool, Turn } from '../item.js';
import { MAIN_THREAD, type Run, type SessionState } from '../state.js';
import { type CachedRows, isCurrent, noteSource, type RowSource, tableOf } from '../table/cached-rows.js';
import { entryAt, leaves } from '../table/chunks.js';
import { rowAt } from '../table/table.js';
import { messageParts } from './message-parts.js';

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
  /** Leaves rows out. The same function each time, or nothing of before can be used again. */
  isShown?: (row: Row) => boolean;
  /** Only this thread and what is nested in it. */
  thread?: number;
}

/** Sub-agents nested deeper than this stay folded. */
const DEEPEST = 32;

/** The first time it costs what the session is long; after that hardly more than what changed. */
export function selectConversation(state: SessionState, options: ConversationOptions = {}): Row[] {
  refuseUnknown('selectConversation', options, { isFolded: true, isShown: true, thread: true });
  const { isFolded = foldNothing, isShown = showAll, thread = MAIN_THREAD } = options;
  const listing = createListing({ state, isFolded, isShown });
  addThread(listing, thread, 0);
  return listing.rows;
}

interface Question {
  readonly state: SessionState;
  readonly isFolded: (tool: Tool) => boolean;
  readonly isShown: (row: Row) => boolean;
}

interface Listing extends Question {
  readonly rows: Row[];
  readonly sources: RowSource[];
  /** Rows of before, by their content. */
  readonly known: ReadonlyMap<object, Row>;
  /** Rows of a sub-agent are among them. */
  hasNested: boolean;
}

function createListing({ state, isFolded, isShown }: Question, before: readonly Row[] = []): Listing {
  const known = new Map<object, Row>(before.map((row) => [row.content, row]));
  return { state, isFolded, isShown, rows: [], sources: [], known, hasNested: false };
}

const foldNothing = () => false;
const showAll = () => true;

interface KnownSection extends CachedRows<Row> {
  readonly depth: number;
  readonly isShown: Listing['isShown'];
  /** Nothing but an event changes it. */
  readonly isFixed: boolean;
}

/** The newest version of each, by the first of its items, which stays when others come. */
const sections = new WeakMap<object, KnownSection>();

function addThread(listing: Listing, thread: number, depth: number): void {
  const items = entryAt(listing.state.threads, thread)?.items;
  if (items === undefined) return;
  for (const [base, leaf] of leaves(items)) {
    for (const row of sectionRows(listing, leaf, depth, thread, base)) listing.rows.push(row);
  }
}

function sectionRows(
  question: Question,
  leaf: readonly (Item | null)[],
  depth: number,
  thread: number,
  base: number,
): readonly Row[] {
  const [first] = leaf;
  const before = first ? sections.get(first) : undefined;
  const isAlike = before?.isFixed && before.depth === depth && before.isShown === question.isShown;
  if (isAlike && isCurrent(before, leaf, question.state)) return before.rows;
  const listing = createListing(question, before?.rows);
  for (const [slot, item] of leaf.entries()) if (item) addItemRows(listing, item, depth, thread, base + slot);
  const { rows, sources, hasNested, isShown } = listing;
  // A sub-agent has sections of its own, and is folded and unfolded without any event.
  if (first) sections.set(first, { leaf, rows, sources, depth, isShown, isFixed: !hasNested });
  return rows;
}

function addItemRows(listing: Listing, item: Item, depth: number, thread: number, position: number): void {
  if (item.kind === 'message') addMessage(listing, item.number, depth);
  else if (item.kind === 'tool') addTool(listing, item.number, depth);
  else if (item.kind === 'event') {
    put(listing, { key: `e${thread}.${position}`, depth, kind: 'event', content: item.event });
  } else {
    const { kind, number } = item;
    noteSource(listing.sources, listing.state, kind, number);
    const content = rowAt<object>(tableOf(listing.state, kind), number);
    if (content === undefined) return;
    put(listing, { key: `${kind}${number}`, depth, kind, content } as Row);
  }
}

function addMessage(listing: Listing, number: number, depth: number): void {
  noteSource(listing.sources, listing.state, 'message', number);
  const message = rowAt(listing.state.messages, number);
  if (message === undefined) return;
  if (message.role === 'user') {
    if (message.retracted !== undefined) return;
    put(listing, { key: `m${number}`, depth, kind: 'user', content: message });
    return;
  }
  for (const part of messageParts(message)) {
    if (part.kind === 'call') addTool(listing, part.tool, depth);
    else {
      const { block, position } = part;
      put(listing, { key: `m${number}.${position}`, depth, kind: block.kind, content: block, message: number });
    }
  }
}

function addTool(listing: Listing, number: number, depth: number): void {
  const { state } = listing;
  noteSource(listing.sources, state, 'tool', number);
  const tool = rowAt(state.tools, number);
  if (tool === undefined) return;
  const children = tool.child === undefined ? 0 : (entryAt(state.threads, tool.child)?.items.count ?? 0);
  const folded = children > 0 && (depth >= DEEPEST || listing.isFolded(tool));
  put(listing, { key: `t${number}`, depth, kind: 'tool', content: tool, children, folded });
  listing.hasNested ||= tool.child !== undefined;
  if (tool.child !== undefined && !folded) addThread(listing, tool.child, depth + 1);
}

function put(listing: Listing, row: Row): void {
  const before = listing.known.get(row.content);
  const shown = before && isSame(before, row) ? before : row;
  if (listing.isShown(shown)) listing.rows.push(shown);
}

/** For two rows of one content. */
function isSame(before: Row, row: Row): boolean {
  if (before.depth !== row.depth) return false;
  return (
    row.kind !== 'tool' || (before.kind === 'tool' && before.children === row.children && before.folded === row.folded)
  );
}
