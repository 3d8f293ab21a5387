/**
 * Where an event takes place: a copy of the state that its handler may write to, and the run that it belongs to.
 *
 * Only `reduce` makes one, so the state that went in is never touched. Here are the places that several handlers share:
 * finding or making the thread, tool or message that an event speaks about.
 */
import type { AgentEvent } from '../event/index.js';
import { append, emptyChunks, entryAt, withEntry } from './chunks.js';
import { type Copy, copyMessage, copyState, copyThread, copyTool, keep } from './copy.js';
import type { Belonging, Item, Message, ShownEvent, Tool } from './item.js';
import { MAIN_THREAD, type Run, type SessionState, type Thread } from './state.js';
import { addRow, closeRow, findRow, keyOf, rowAt, setRow } from './table.js';

export interface Scene {
  readonly state: Copy<SessionState>;
  readonly run: Copy<Run>;
  /** Number of the run. */
  readonly number: number;
}

/** Where a new record of this event belongs; makes the thread when a sub-agent speaks for the first time. */
export function locate(scene: Scene, event: AgentEvent): Belonging {
  const at = { run: scene.number, thread: MAIN_THREAD, turn: event.turn ?? 0 };
  if (event.parent === undefined) return at;
  const number = findOrAddTool(scene, event.parent, at);
  const known = rowAt(scene.state.tools, number)?.child;
  if (known !== undefined) return { ...at, thread: known };
  const thread = scene.state.threads.size;
  scene.state.threads = append<Thread>(scene.state.threads, { tool: number, items: emptyChunks(), todos: [] });
  changeTool(scene, number, (tool) => {
    tool.child = thread;
  });
  return { ...at, thread };
}

export function findTool({ state, number }: Scene, id: string | undefined): number | undefined {
  return id === undefined ? undefined : findRow(state.tools, keyOf(number, id));
}

/** A tool that was not announced gets a card without a name: its sub-agent or its result was seen all the same. */
export function findOrAddTool(scene: Scene, id: string, at: Belonging): number {
  const known = findRow(scene.state.tools, keyOf(scene.number, id));
  if (known !== undefined) return known;
  const tool: Tool = { ...at, id, name: '', kind: 'other', status: 'running' };
  const number = addTool(scene, tool);
  addItem(scene, at.thread, { kind: 'tool', number });
  return number;
}

export function addTool({ state }: Scene, tool: Tool): number {
  const number = state.tools.rows.size;
  state.tools = addRow(state.tools, keyOf(tool.run, tool.id), tool);
  return number;
}

export function changeTool({ state }: Scene, number: number | undefined, change: (tool: Copy<Tool>) => void): void {
  const tool = rowAt(state.tools, number);
  if (number === undefined || tool === undefined) return;
  const copy = copyTool(tool);
  change(copy);
  // A tool that has ended is no longer open: one write for both.
  state.tools = copy.endedAt === undefined ? setRow(state.tools, number, copy) : closeRow(state.tools, number, copy);
}

export function findOrAddMessage(scene: Scene, event: AgentEvent & { messageId?: string }): number {
  const { state } = scene;
  const id = event.messageId ?? '';
  const key = keyOf(scene.number, id);
  const known = findRow(state.messages, key);
  if (known !== undefined) return known;
  const at = locate(scene, event);
  const number = state.messages.rows.size;
  const message: Message = { ...at, id, role: 'assistant', blocks: emptyChunks(), calls: emptyChunks(), settled: -1 };
  state.messages = addRow(state.messages, key, message);
  addItem(scene, at.thread, { kind: 'message', number });
  return number;
}

export function changeMessage({ state }: Scene, number: number, change: (message: Copy<Message>) => void): void {
  const message = rowAt(state.messages, number);
  if (message === undefined) return;
  const copy = copyMessage(message);
  change(copy);
  const isOver = copy.endedAt !== undefined || copy.retracted !== undefined;
  state.messages = isOver ? closeRow(state.messages, number, copy) : setRow(state.messages, number, copy);
}

export function changeThread({ state }: Scene, number: number, change: (thread: Copy<Thread>) => void): void {
  const thread = entryAt(state.threads, number);
  if (thread === undefined) return;
  const copy = copyThread(thread);
  change(copy);
  state.threads = withEntry(state.threads, number, copy);
}

export function addItem(scene: Scene, thread: number, item: Item): void {
  changeThread(scene, thread, (copy) => {
    copy.items = append(copy.items, item);
  });
}

/** Puts an event into its thread as it came. */
export function show(scene: Scene, event: ShownEvent): void {
  addItem(scene, locate(scene, event).thread, { kind: 'event', event: keep(event) });
}

/** The state with this run in it, or with its newer version. */
export function withRun(state: SessionState, run: Run): SessionState {
  const next = copyState(state);
  const known = findRow(state.runs, run.runId);
  next.runs = known === undefined ? addRow(state.runs, run.runId, run) : setRow(state.runs, known, run);
  return next;
}
