/** Status: retries, limits, compactions, hooks and running figures, as facts of their run and quiet lines. */
import type { EventOf } from '../event/index.js';
import { keep } from './copy.js';
import type { Hook } from './item.js';
import { updateTurnFigures } from './reduce-turn.js';
import { addItem, changeTool, findTool, locate, type Scene, show } from './scene.js';
import { addRow, closeRow, findRow, isOpen, keyOf, rowAt } from './table.js';

/** Agents name a handful of windows; more than that is noise. */
const MOST_WINDOWS = 16;

/** Without a text it is worth no line, only the newest one is kept. */
export function noteStatus(scene: Scene, event: EventOf<'status'>): void {
  scene.run.status = keep(event);
  if (event.text) show(scene, event);
}

export function noteRetry(scene: Scene, event: EventOf<'retry'>): void {
  scene.run.retry = keep(event);
  show(scene, event);
}

/** Agents repeat what they know with every call: a line only when something changed. */
export function noteRateLimit(scene: Scene, event: EventOf<'rate-limit'>): void {
  const { run } = scene;
  const before = run.rateLimits.find((limit) => limit.window === event.window);
  const others = run.rateLimits.filter((limit) => limit !== before);
  run.rateLimits = [...others, keep(event)].slice(-MOST_WINDOWS);
  if (event.state !== (before?.state ?? 'allowed')) show(scene, event);
}

export function noteDenial(scene: Scene, event: EventOf<'permission-deny'>): void {
  const tool = findTool(scene, event.toolId);
  if (tool === undefined) show(scene, event);
  changeTool(scene, tool, (copy) => {
    copy.denial = event.message ?? '';
  });
}

export function startCompaction({ run }: Scene, event: EventOf<'compaction-start'>): void {
  run.compaction = keep(event);
}

export function endCompaction(scene: Scene, event: EventOf<'compaction-end'>): void {
  const { compaction } = scene.run;
  scene.run.compaction = undefined;
  const durationMs = event.durationMs ?? (compaction && event.at - compaction.at);
  show(scene, { ...event, durationMs });
}

export function startHook(scene: Scene, event: EventOf<'hook-start'>): void {
  findOrAddHook(scene, event);
}

export function endHook(scene: Scene, event: EventOf<'hook-end'>): void {
  const { state } = scene;
  const { number, hook } = findOrAddHook(scene, event);
  if (isOpen(state.hooks, number)) state.hooks = closeRow(state.hooks, number, { ...hook, end: keep(event) });
}

export function updateUsage(scene: Scene, event: EventOf<'usage-update'>): void {
  const { run } = scene;
  const { contextTokens = run.context?.tokens, contextLimit = run.context?.limit } = event;
  run.thinkingTokens = event.thinkingTokens ?? run.thinkingTokens;
  if (contextTokens !== run.context?.tokens || contextLimit !== run.context?.limit) {
    run.context = { tokens: contextTokens, limit: contextLimit };
  }
  if (event.cost !== undefined || event.usage !== undefined) updateTurnFigures(scene, event);
}

function findOrAddHook(scene: Scene, event: EventOf<'hook-start' | 'hook-end'>): { number: number; hook: Hook } {
  const { state } = scene;
  const key = keyOf(scene.number, event.id);
  const known = findRow(state.hooks, key);
  const found = rowAt(state.hooks, known);
  if (known !== undefined && found !== undefined) return { number: known, hook: found };
  const at = locate(scene, event);
  const hook: Hook = event.type === 'hook-start' ? { ...at, start: keep(event) } : at;
  const number = state.hooks.rows.size;
  state.hooks = addRow(state.hooks, key, hook);
  addItem(scene, at.thread, { kind: 'hook', number });
  return { number, hook };
}
