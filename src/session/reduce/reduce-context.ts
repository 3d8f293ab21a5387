/**
 * What the handler of an event writes to: a copy of the state, and the run that the event belongs to.
 *
 * Only `reduce` makes one, so the state that went in is never touched. Here are the places that several handlers share:
 * finding or making the thread, tool or message that an event speaks about.
 */
import type { AgentEvent } from '../../event/index.js';
import type { Belonging, Item, Message, ShownEvent, Tool } from '../item.js';
import { MAIN_THREAD, type Run, type SessionState, type Thread } from '../state.js';
import { append, emptyChunks, entryAt, withEntry } from '../table/chunks.js';
import { addRow, closeRow, findRow, keyOf, rowAt, setRow } from '../table/table.js';
import { type Copy, copyMessage, copyState, copyThread, copyTool, keep } from './copy.js';

export interface ReduceContext {
  readonly state: Copy<SessionState>;
  readonly run: Copy<Run>;
  /** Number of the run. */
  readonly number: number;
}

/** Where a new record of this event belongs; makes the thread when a sub-agent speaks for the first time. */
export function locate(context: ReduceContext, event: AgentEvent): Belonging {
  const at = { run: context.number, thread: MAIN_THREAD, turn: event.turn ?? 0 };
  if (event.parent === undefined) return at;
  const number = findOrAddTool(context, event.parent, at);
  const known = rowAt(context.state.tools, number)?.child;
  if (known !== undefined) return { ...at, thread: known };
  const thread = context.state.threads.size;
  context.state.threads = append<Thread>(context.state.threads, { tool: number, items: emptyChunks(), todos: [] });
  changeTool(context, number, (tool) => {
    tool.child = thread;
  });
  return { ...at, thread };
}

export function findTool({ state, number }: ReduceContext, id: string | undefined): number | undefined {
  return id === undefined ? undefined : findRow(state.tools, keyOf(number, id));
}

/** A tool that was not announced gets a card without a name: its sub-agent or its result was seen all the same. */
export function findOrAddTool(context: ReduceContext, id: string, at: Belonging): number {
  const known = findRow(context.state.tools, keyOf(context.number, id));
  if (known !== undefined) return known;
  const tool: Tool = { ...at, id, name: '', kind: 'other', status: 'running' };
  const number = addTool(context, tool);
  addItem(context, at.thread, { kind: 'tool', number });
  return number;
}

export function addTool({ state }: ReduceContext, tool: Tool): number {
  const number = state.tools.rows.size;
  state.tools = addRow(state.tools, keyOf(tool.run, tool.id), tool);
  return number;
}

export function changeTool(
  { state }: ReduceContext,
  number: number | undefined,
  change: (tool: Copy<Tool>) => void,
): void {
  const tool = rowAt(state.tools, number);
  if (number === undefined || tool === undefined) return;
  const copy = copyTool(tool);
  change(copy);
  // A tool that has ended is no longer open: one write for both.
  state.tools = copy.endedAt === undefined ? setRow(state.tools, number, copy) : closeRow(state.tools, number, copy);
}

export function findOrAddMessage(context: ReduceContext, event: AgentEvent & { messageId?: string }): number {
  const { state } = context;
  const id = event.messageId ?? '';
  const key = keyOf(context.number, id);
  const known = findRow(state.messages, key);
  if (known !== undefined) return known;
  const at = locate(context, event);
  const number = state.messages.rows.size;
  const message: Message = { ...at, id, role: 'assistant', blocks: emptyChunks(), calls: emptyChunks(), settled: -1 };
  state.messages = addRow(state.messages, key, message);
  addItem(context, at.thread, { kind: 'message', number });
  return number;
}

export function changeMessage(
  { state }: ReduceContext,
  number: number,
  change: (message: Copy<Message>) => void,
): void {
  const message = rowAt(state.messages, number);
  if (message === undefined) return;
  const copy = copyMessage(message);
  change(copy);
  const isOver = copy.endedAt !== undefined || copy.retracted !== undefined;
  state.messages = isOver ? closeRow(state.messages, number, copy) : setRow(state.messages, number, copy);
}

export function changeThread({ state }: ReduceContext, number: number, change: (thread: Copy<Thread>) => void): void {
  const thread = entryAt(state.threads, number);
  if (thread === undefined) return;
  const copy = copyThread(thread);
  change(copy);
  state.threads = withEntry(state.threads, number, copy);
}

export function addItem(context: ReduceContext, thread: number, item: Item): void {
  changeThread(context, thread, (copy) => {
    copy.items = append(copy.items, item);
  });
}

/** Puts an event into its thread as it came. */
export function show(context: ReduceContext, event: ShownEvent): void {
  addItem(context, locate(context, event).thread, { kind: 'event', event: keep(event) });
}

/** The state with this run in it, or with its newer version. */
export function withRun(state: SessionState, run: Run): SessionState {
  const next = copyState(state);
  const known = findRow(state.runs, run.runId);
  next.runs = known === undefined ? addRow(state.runs, run.runId, run) : setRow(state.runs, known, run);
  return next;
}
