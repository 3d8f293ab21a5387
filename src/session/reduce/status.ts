/** Status: retries, limits, compactions, hooks and running figures, as facts of their run and quiet lines. */
import { defined, type EventOf, type LimitWindow } from '../../event/index.js';
import type { Hook } from '../item.js';
import { addRow, closeRow, findRow, isOpen, keyOf, rowAt } from '../table/table.js';
import { account } from './account.js';
import { keep } from './copy.js';
import { elapsedMs } from './elapsed.js';
import { addItem, changeTool, findTool, locate, type ReduceContext, show } from './reduce-context.js';

/** Agents name a handful of windows; more than that is noise. */
const MOST_WINDOWS = 16;

/** Without a text it is worth no line, only the newest one is kept. */
export function noteStatus(context: ReduceContext, event: EventOf<'status'>): void {
  context.run.status = keep(event);
  if (event.text) show(context, event);
}

export function noteRetry(context: ReduceContext, event: EventOf<'retry'>): void {
  context.run.retry = keep(event);
  show(context, event);
}

/** Agents repeat what they know with every call: a line only when something changed. */
export function noteRateLimit(context: ReduceContext, event: EventOf<'rate-limit'>): void {
  const { run } = context;
  const windows = windowsOf(event);
  const others = run.limits.filter(({ name }) => !windows.some((window) => window.name === name));
  const before = run.limit?.state ?? 'allowed';
  run.limits = [...others, ...windows].slice(-MOST_WINDOWS);
  run.limit = keep(event);
  if (event.state !== before) show(context, event);
}

/** An agent that tells of one window only names it at the top. */
function windowsOf({ windows, window, state, utilization, resetsAt }: EventOf<'rate-limit'>): readonly LimitWindow[] {
  if (Array.isArray(windows)) return windows.filter((each) => typeof each?.name === 'string');
  return window === undefined ? [] : [defined({ name: window, state, utilization, resetsAt })];
}

export function noteDenial(context: ReduceContext, event: EventOf<'permission-deny'>): void {
  const tool = findTool(context, event.toolId);
  if (tool === undefined) show(context, event);
  changeTool(context, tool, (copy) => {
    copy.denial = event.message ?? '';
    // Some agents list refusals only at the end of the turn.
    if (copy.status === 'failed') copy.status = 'denied';
  });
}

export function startCompaction({ run }: ReduceContext, event: EventOf<'compaction-start'>): void {
  run.compaction = keep(event);
}

export function endCompaction(context: ReduceContext, event: EventOf<'compaction-end'>): void {
  const { compaction } = context.run;
  context.run.compaction = undefined;
  const durationMs = event.durationMs ?? elapsedMs(compaction?.at, event.at);
  show(context, defined({ ...event, durationMs }));
}

export function startHook(context: ReduceContext, event: EventOf<'hook-start'>): void {
  findOrAddHook(context, event);
}

export function endHook(context: ReduceContext, event: EventOf<'hook-end'>): void {
  const { state } = context;
  const { number, hook } = findOrAddHook(context, event);
  if (isOpen(state.hooks, number)) state.hooks = closeRow(state.hooks, number, { ...hook, end: keep(event) });
}

export function updateUsage(context: ReduceContext, event: EventOf<'usage-update'>): void {
  const { run } = context;
  const { contextTokens = run.context?.tokens, contextLimit = run.context?.limit } = event;
  run.thinkingTokens = event.thinkingTokens ?? run.thinkingTokens;
  if (contextTokens !== run.context?.tokens || contextLimit !== run.context?.limit) {
    run.context = { tokens: contextTokens, limit: contextLimit };
  }
  account(context, event);
}

function findOrAddHook(
  context: ReduceContext,
  event: EventOf<'hook-start' | 'hook-end'>,
): { number: number; hook: Hook } {
  const { state } = context;
  const key = keyOf(context.number, event.id);
  const known = findRow(state.hooks, key);
  const found = rowAt(state.hooks, known);
  if (known !== undefined && found !== undefined) return { number: known, hook: found };
  const at = locate(context, event);
  const hook: Hook = event.type === 'hook-start' ? { ...at, start: keep(event) } : at;
  const number = state.hooks.rows.size;
  state.hooks = addRow(state.hooks, key, hook);
  addItem(context, at.thread, { kind: 'hook', number });
  return { number, hook };
}
