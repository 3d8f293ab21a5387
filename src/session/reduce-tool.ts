/** Tool calls: one card per id, which ends once. */
import type { EventOf } from '../event/index.js';
import { append } from './chunks.js';
import type { Copy } from './copy.js';
import { type Belonging, type Message, positionOf, type Tool } from './item.js';
import {
  addItem,
  addTool,
  changeMessage,
  changeTool,
  findOrAddMessage,
  findOrAddTool,
  findTool,
  locate,
  type Scene,
} from './scene.js';
import { findRow, isOpen, keyOf, rowAt } from './table.js';

/** While a tool runs its output is kept up to this length, by letting go of its beginning. */
const LONGEST_RUNNING_OUTPUT = 1024 * 1024;

export function startTool(scene: Scene, event: EventOf<'tool-start'>): void {
  // The thread first: a call that names itself as its parent has a card by then.
  const at = locate(scene, event);
  const known = findRow(scene.state.tools, keyOf(scene.number, event.id));
  if (known === undefined) addAnnounced(scene, event, at);
  else announce(scene, known, event);
}

export function growToolInput(scene: Scene, event: EventOf<'tool-input-delta'>): void {
  changeOpenTool(scene, event.id, (tool) => {
    if (tool.status === 'preparing') tool.inputText = (tool.inputText ?? '') + (event.text ?? '');
  });
}

export function endToolInput(scene: Scene, event: EventOf<'tool-input-end'>): void {
  const number = findOrAddTool(scene, event.id, locate(scene, event));
  changeTool(scene, number, (tool) => {
    tool.input = event.input;
    tool.summary = event.summary;
    tool.cuts = event.cuts ?? tool.cuts;
    tool.inputText = undefined;
    tool.startedAt ??= event.at;
    if (tool.status === 'preparing') tool.status = 'running';
  });
}

export function growToolOutput(scene: Scene, event: EventOf<'tool-output-delta'>): void {
  changeOpenTool(scene, event.id, (tool) => {
    const output = (tool.output ?? '') + (event.text ?? '');
    const isLong = output.length > LONGEST_RUNNING_OUTPUT;
    // Half of it at a time, so that the copying stays a constant share of what comes in.
    tool.output = isLong ? output.slice(-LONGEST_RUNNING_OUTPUT / 2) : output;
    tool.outputCut = isLong || tool.outputCut;
  });
}

export function noteToolProgress(scene: Scene, event: EventOf<'tool-progress'>): void {
  changeOpenTool(scene, event.id, (tool) => {
    tool.progress = { elapsedMs: event.elapsedMs, text: event.text };
  });
}

export function endTool(scene: Scene, event: EventOf<'tool-end'>): void {
  const number = findOrAddTool(scene, event.id, locate(scene, event));
  if (!isOpen(scene.state.tools, number)) return;
  changeTool(scene, number, (tool) => {
    tool.name ||= event.name ?? '';
    tool.status = event.status ?? 'unknown';
    tool.endedAt = event.at;
    tool.durationMs = event.durationMs ?? (tool.startedAt === undefined ? undefined : event.at - tool.startedAt);
    tool.outputCut = event.output === undefined ? tool.outputCut : undefined;
    tool.output = event.output ?? tool.output;
    tool.attachments = event.attachments;
    tool.exitCode = event.exitCode;
    if (event.cuts) tool.cuts = [...(tool.cuts ?? []), ...event.cuts];
    tool.task = findTask(scene, event.taskId) ?? tool.task;
    tool.inputText = undefined;
    tool.progress = undefined;
  });
}

function addAnnounced(scene: Scene, event: EventOf<'tool-start'>, { run, thread, turn }: Belonging): void {
  const { id, name = '', kind = 'other', mcp, title, remote, at: startedAt } = event;
  const tool: Tool = { run, thread, turn, id, name, kind, mcp, title, remote, status: 'preparing', startedAt };
  const number = addTool(scene, tool);
  if (event.messageId === undefined) addItem(scene, thread, { kind: 'tool', number });
  else
    changeMessage(scene, findOrAddMessage(scene, event), (message) => {
      message.calls = append(message.calls, { tool: number, after: placeOf(event, message) });
    });
}

/** Only complete blocks count, so that a call stands at the same place whether deltas were seen or not. */
function placeOf({ index }: EventOf<'tool-start'>, { settled }: Message): number {
  return index === undefined ? settled : positionOf('thinking', index) - 1;
}

/** The announcement of a tool that was seen before it: only what is missing is filled in. */
function announce(scene: Scene, number: number, event: EventOf<'tool-start'>): void {
  const known = rowAt(scene.state.tools, number);
  if (known === undefined || known.name !== '') return;
  changeTool(scene, number, (tool) => {
    const { name = '', kind = 'other', mcp, title, remote } = event;
    Object.assign(tool, { name, kind, mcp, title, remote });
    if (tool.endedAt === undefined) tool.startedAt ??= event.at;
  });
}

/** Deltas never make a record: what only they knew would be missing where they are dropped. */
function changeOpenTool(scene: Scene, id: string, change: (tool: Copy<Tool>) => void): void {
  const number = findTool(scene, id);
  if (number !== undefined && isOpen(scene.state.tools, number)) changeTool(scene, number, change);
}

function findTask({ state, number }: Scene, id: string | undefined): number | undefined {
  return id === undefined ? undefined : findRow(state.tasks, keyOf(number, id));
}
