/** Work: files, todos, plans and tasks that live beside the conversation. */
import type { EventOf } from '../event/index.js';
import { append, emptyChunks } from './chunks.js';
import { keep } from './copy.js';
import type { FileChange, Task } from './item.js';
import { addItem, changeThread, changeTool, findTool, locate, type Scene, show } from './scene.js';
import { addRow, closeRow, findRow, isOpen, keyOf, rowAt, setRow } from './table.js';

export function addFileChange(scene: Scene, event: EventOf<'file-change'>): void {
  const { state } = scene;
  const number = state.changes.size;
  const tool = findTool(scene, event.toolId);
  const { at, path = '', kind = 'edit', to, diff } = event;
  state.changes = append<FileChange>(state.changes, { run: scene.number, at, path, kind, to, diff, tool });
  changeTool(scene, tool, (copy) => {
    copy.changes = append(copy.changes ?? emptyChunks<number>(), number);
  });
}

export function replaceTodos(scene: Scene, event: EventOf<'todo-update'>): void {
  changeThread(scene, locate(scene, event).thread, (thread) => {
    thread.todos = event.todos ?? [];
  });
}

export function setPlanMode(scene: Scene, event: EventOf<'plan-mode'>): void {
  scene.run.planning = event.state !== 'exit';
  show(scene, event);
}

export function startTask(scene: Scene, event: EventOf<'task-start'>): void {
  findOrAddTask(scene, event);
}

export function noteTaskProgress({ state, number: run }: Scene, event: EventOf<'task-progress'>): void {
  const number = findRow(state.tasks, keyOf(run, event.id));
  const task = rowAt(state.tasks, number);
  if (number === undefined || task === undefined || !isOpen(state.tasks, number)) return;
  state.tasks = setRow(state.tasks, number, { ...task, progress: keep(event) });
}

export function endTask(scene: Scene, event: EventOf<'task-end'>): void {
  const { state } = scene;
  const { number, task } = findOrAddTask(scene, event);
  if (!isOpen(state.tasks, number)) return;
  state.tasks = closeRow(state.tasks, number, {
    ...task,
    status: event.status ?? 'unknown',
    endedAt: event.at,
    durationMs: event.durationMs ?? (task.startedAt === undefined ? undefined : event.at - task.startedAt),
    summary: event.summary,
    error: event.error,
    tokens: event.tokens,
    toolUses: event.toolUses,
    progress: undefined,
  });
}

/** A task is shown on the card of the tool call that started it; one without a card stands for itself. */
function findOrAddTask(scene: Scene, event: EventOf<'task-start' | 'task-end'>): { number: number; task: Task } {
  const { state } = scene;
  const key = keyOf(scene.number, event.id);
  const known = findRow(state.tasks, key);
  const found = rowAt(state.tasks, known);
  if (known !== undefined && found !== undefined) return { number: known, task: found };
  const at = locate(scene, event);
  const tool = findTool(scene, event.toolId);
  const task: Task = { ...at, id: event.id, status: 'running', tool, ...beginningOf(event) };
  const number = state.tasks.rows.size;
  state.tasks = addRow(state.tasks, key, task);
  if (tool === undefined) addItem(scene, at.thread, { kind: 'task', number });
  changeTool(scene, tool, (copy) => {
    copy.task = number;
  });
  return { number, task };
}

function beginningOf(event: EventOf<'task-start' | 'task-end'>): Pick<Task, 'kind' | 'startedAt'> & Partial<Task> {
  if (event.type === 'task-end') return { kind: 'other' };
  const { kind = 'other', description, background, agentType, at: startedAt } = event;
  return { kind, description, background, agentType, startedAt };
}
