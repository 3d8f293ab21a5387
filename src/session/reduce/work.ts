/** Work: files, todos, plans and tasks that live beside the conversation. */
import type { EventOf } from '../../event/index.js';
import type { FileChange, Task } from '../item.js';
import { append, emptyChunks } from '../table/chunks.js';
import { addRow, closeRow, findRow, isOpen, keyOf, rowAt, setRow } from '../table/table.js';
import { account } from './account.js';
import { keep } from './copy.js';
import { elapsedMs } from './elapsed.js';
import { addItem, changeThread, changeTool, findTool, locate, type ReduceContext, show } from './reduce-context.js';

export function addFileChange(context: ReduceContext, event: EventOf<'file-change'>): void {
  const { state } = context;
  const number = state.changes.size;
  const tool = findTool(context, event.toolId);
  const { at, path = '', kind = 'edit', to, diff } = event;
  state.changes = append<FileChange>(state.changes, { run: context.number, at, path, kind, to, diff, tool });
  changeTool(context, tool, (copy) => {
    copy.changes = append(copy.changes ?? emptyChunks<number>(), number);
  });
}

export function replaceTodos(context: ReduceContext, event: EventOf<'todo-update'>): void {
  changeThread(context, locate(context, event).thread, (thread) => {
    thread.todos = event.todos ?? [];
  });
}

export function setPlanMode(context: ReduceContext, event: EventOf<'plan-mode'>): void {
  context.run.planning = event.state !== 'exit';
  show(context, event);
}

export function startTask(context: ReduceContext, event: EventOf<'task-start'>): void {
  account(context, event);
  findOrAddTask(context, event);
}

export function noteTaskProgress({ state, number: run }: ReduceContext, event: EventOf<'task-progress'>): void {
  const number = findRow(state.tasks, keyOf(run, event.id));
  const task = rowAt(state.tasks, number);
  if (number === undefined || task === undefined || !isOpen(state.tasks, number)) return;
  state.tasks = setRow(state.tasks, number, { ...task, progress: keep(event) });
}

export function endTask(context: ReduceContext, event: EventOf<'task-end'>): void {
  const { state } = context;
  const { number, task } = findOrAddTask(context, event);
  if (!isOpen(state.tasks, number)) return;
  state.tasks = closeRow(state.tasks, number, {
    ...task,
    status: event.status ?? 'unknown',
    endedAt: event.at,
    durationMs: event.durationMs ?? elapsedMs(task.startedAt, event.at),
    summary: event.summary,
    error: event.error,
    tokens: event.tokens,
    toolUses: event.toolUses,
    progress: undefined,
  });
}

/** A task is shown on the card of the tool call that started it; one without a card stands for itself. */
function findOrAddTask(
  context: ReduceContext,
  event: EventOf<'task-start' | 'task-end'>,
): { number: number; task: Task } {
  const { state } = context;
  const key = keyOf(context.number, event.id);
  const known = findRow(state.tasks, key);
  const found = rowAt(state.tasks, known);
  if (known !== undefined && found !== undefined) return { number: known, task: found };
  const at = locate(context, event);
  const tool = findTool(context, event.toolId);
  const task: Task = { ...at, id: event.id, status: 'running', tool, ...beginningOf(event) };
  const number = state.tasks.rows.size;
  state.tasks = addRow(state.tasks, key, task);
  if (tool === undefined) addItem(context, at.thread, { kind: 'task', number });
  changeTool(context, tool, (copy) => {
    copy.task = number;
  });
  return { number, task };
}

function beginningOf(event: EventOf<'task-start' | 'task-end'>): Pick<Task, 'kind' | 'startedAt'> & Partial<Task> {
  if (event.type === 'task-end') return { kind: 'other' };
  const { kind = 'other', description, background, agentType, at: startedAt } = event;
  return { kind, description, background, agentType, startedAt };
}
