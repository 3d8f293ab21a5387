/** Tool calls: one card per id, which ends once. */
import type { EventOf } from '../../event/index.js';
import { type Belonging, type Message, positionOf, type Tool } from '../item.js';
import { append } from '../table/chunks.js';
import { findRow, isOpen, keyOf, rowAt } from '../table/table.js';
import type { Copy } from './copy.js';
import { elapsedMs } from './elapsed.js';
import {
  addItem,
  addTool,
  changeMessage,
  changeTool,
  findOrAddMessage,
  findOrAddTool,
  findTool,
  locate,
  type ReduceContext,
} from './reduce-context.js';

/** While a tool runs its output is kept up to this length, by letting go of its beginning. */
const LONGEST_RUNNING_OUTPUT = 1024 * 1024;

export function startTool(context: ReduceContext, event: EventOf<'tool-start'>): void {
  // The thread first: a call that names itself as its parent has a card by then.
  const at = locate(context, event);
  const known = findRow(context.state.tools, keyOf(context.number, event.id));
  if (known === undefined) addAnnounced(context, event, at);
  else announce(context, known, event);
}

export function growToolInput(context: ReduceContext, event: EventOf<'tool-input-delta'>): void {
  changeOpenTool(context, event.id, (tool) => {
    if (tool.status === 'preparing') tool.inputText = (tool.inputText ?? '') + (event.text ?? '');
  });
}

export function endToolInput(context: ReduceContext, event: EventOf<'tool-input-end'>): void {
  const number = findOrAddTool(context, event.id, locate(context, event));
  changeTool(context, number, (tool) => {
    tool.input = event.input;
    tool.paths = event.paths;
    tool.command = event.command;
    tool.commandAt = event.commandAt;
    tool.hosts = event.hosts;
    tool.edits = event.edits;
    tool.summary = event.summary;
    tool.cuts = event.cuts ?? tool.cuts;
    tool.inputText = undefined;
    tool.startedAt ??= event.at;
    if (tool.status === 'preparing') tool.status = 'running';
  });
}

export function growToolOutput(context: ReduceContext, event: EventOf<'tool-output-delta'>): void {
  changeOpenTool(context, event.id, (tool) => {
    const output = (tool.output ?? '') + (event.text ?? '');
    const isLong = output.length > LONGEST_RUNNING_OUTPUT;
    // Half of it at a time, so that the copying stays a constant share of what comes in.
    tool.output = isLong ? output.slice(-LONGEST_RUNNING_OUTPUT / 2) : output;
    tool.outputCut = isLong || tool.outputCut;
  });
}

export function noteToolProgress(context: ReduceContext, event: EventOf<'tool-progress'>): void {
  changeOpenTool(context, event.id, (tool) => {
    tool.progress = { elapsedMs: event.elapsedMs, text: event.text };
  });
}

export function endTool(context: ReduceContext, event: EventOf<'tool-end'>): void {
  const number = findOrAddTool(context, event.id, locate(context, event));
  if (!isOpen(context.state.tools, number)) return;
  changeTool(context, number, (tool) => {
    tool.name ||= event.name ?? '';
    tool.status = event.status ?? 'unknown';
    tool.endedAt = event.at;
    tool.durationMs = event.durationMs ?? elapsedMs(tool.startedAt, event.at);
    tool.outputCut = event.output === undefined ? tool.outputCut : undefined;
    tool.output = event.output ?? tool.output;
    tool.attachments = event.attachments;
    tool.exitCode = event.exitCode;
    if (event.cuts) tool.cuts = [...(tool.cuts ?? []), ...event.cuts];
    tool.task = findTask(context, event.taskId) ?? tool.task;
    tool.inputText = undefined;
    tool.progress = undefined;
  });
}

function addAnnounced(context: ReduceContext, event: EventOf<'tool-start'>, { run, thread, turn }: Belonging): void {
  const { id, name = '', kind = 'other', mcp, title, remote, at: startedAt } = event;
  const tool: Tool = { run, thread, turn, id, name, kind, mcp, title, remote, status: 'preparing', startedAt };
  const number = addTool(context, tool);
  if (event.messageId === undefined) addItem(context, thread, { kind: 'tool', number });
  else
    changeMessage(context, findOrAddMessage(context, event), (message) => {
      message.calls = append(message.calls, { tool: number, after: placeOf(event, message) });
    });
}

/** Only complete blocks count, so that a call stands at the same place whether deltas were seen or not. */
function placeOf({ index }: EventOf<'tool-start'>, { settled }: Message): number {
  return index === undefined ? settled : positionOf('thinking', index) - 1;
}

/** The announcement of a tool that was seen before it: only what is missing is filled in. */
function announce(context: ReduceContext, number: number, event: EventOf<'tool-start'>): void {
  const known = rowAt(context.state.tools, number);
  if (known === undefined || known.name !== '') return;
  changeTool(context, number, (tool) => {
    const { name = '', kind = 'other', mcp, title, remote } = event;
    Object.assign(tool, { name, kind, mcp, title, remote });
    if (tool.endedAt === undefined) tool.startedAt ??= event.at;
  });
}

/** Deltas never make a record: what only they knew would be missing where they are dropped. */
function changeOpenTool(context: ReduceContext, id: string, change: (tool: Copy<Tool>) => void): void {
  const number = findTool(context, id);
  if (number !== undefined && isOpen(context.state.tools, number)) changeTool(context, number, change);
}

function findTask({ state, number }: ReduceContext, id: string | undefined): number | undefined {
  return id === undefined ? undefined : findRow(state.tasks, keyOf(number, id));
}
