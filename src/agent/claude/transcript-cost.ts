/**
 * What the turns of a transcript cost: from the usage of each model call, counted once, or as the program itself noted it.
 *
 * A call comes as one line per block, each with the same usage or an early one, so that the largest counts.
 */
import type { Cost, ModelUsage, Usage } from '../../event/index.js';
import { readUsage } from '../claude-lines/usage.js';
import { type Json, number, object, string } from '../field.js';
import { priceOf } from './price.js';

export interface TranscriptCost {
  /** An assistant line. `main`: of the conversation itself, not of a sub-agent. */
  add(entry: Json, main: boolean): void;
  /** An assistant line that was copied from another conversation: what it cost is not ours. */
  addCopied(entry: Json): void;
  /** The program's own sum since the conversation began, copied part included. */
  report(entry: Json): void;
  /** What the turn that ends here cost by itself. */
  endTurn(): { cost?: Cost; usage?: Usage; modelUsage?: ModelUsage[] };
}

interface Call {
  model: string | undefined;
  usage: Json;
  main: boolean;
  isFinal: boolean;
}

export function createTranscriptCost(): TranscriptCost {
  let calls = new Map<string, Call>();
  const copied = new Map<string, Call>();
  let spent = 0;
  let isComplete = true;
  let reported: number | undefined;

  return {
    add(entry, main) {
      note(calls, entry, main);
      // Before 2.1 the program also asked a small model for titles and the like, and did not write that down.
      if (/^(1|2\.0)\./.test(string(entry.version) ?? '')) isComplete = false;
    },
    addCopied: (entry) => note(copied, entry, true),
    report(entry) {
      reported = number(entry.totalCostUSD);
    },
    endTurn() {
      const turn = [...calls.values()];
      const cost = costOf(turn);
      spent += cost?.usd ?? 0;
      calls = new Map();
      isComplete = true;
      reported = undefined;
      const usage = turn.filter((call) => call.main).reduce<Usage | undefined>(addCall, undefined);
      const modelUsage = byModel(turn);
      return { ...(cost && { cost }), ...(usage && { usage }), ...(modelUsage.length > 0 && { modelUsage }) };
    },
  };

  function costOf(turn: readonly Call[]): Cost | undefined {
    if (reported !== undefined) {
      return { usd: Math.max(0, reported - sumOf(copied.values()) - spent), scope: 'turn', origin: 'reported' };
    }
    const prices = turn.map(({ model, usage }) => priceOf(model, usage));
    if (prices.length > 0 && prices.every((price) => price === undefined)) return undefined;
    const isExact = isComplete && !prices.includes(undefined) && turn.every((call) => call.isFinal);
    return { usd: sumOf(turn), scope: 'turn', origin: isExact ? 'computed' : 'lower-bound' };
  }
}

function byModel(calls: readonly Call[]): ModelUsage[] {
  const models = new Map<string, ModelUsage>();
  for (const call of calls) {
    const model = call.model ?? '';
    const before = models.get(model);
    const usd = priceOf(call.model, call.usage);
    models.set(model, { ...addCall(before, call), model, ...(usd !== undefined && { usd: (before?.usd ?? 0) + usd }) });
  }
  return [...models.values()];
}

function note(calls: Map<string, Call>, entry: Json, main: boolean): void {
  const message = object(entry.message);
  const usage = object(message?.usage);
  const model = string(message?.model);
  if (!message || !usage || model === '<synthetic>') return;
  const key = `${string(message.id) ?? string(entry.uuid)} ${string(entry.requestRef) ?? string(entry.requestId) ?? ''}`;
  const known = calls.get(key);
  const isFinal = known?.isFinal || string(message.stop_reason) !== undefined;
  const larger = known && (number(known.usage.output_tokens) ?? 0) > (number(usage.output_tokens) ?? 0);
  calls.set(key, { model, usage: larger ? known.usage : usage, main, isFinal });
}

function sumOf(calls: Iterable<Call>): number {
  return [...calls].reduce((sum, { model, usage }) => sum + (priceOf(model, usage) ?? 0), 0);
}

function addCall(sum: Usage | undefined, call: Call): Usage {
  const usage: Usage = readUsage(call.usage, true) ?? {};
  const total: Usage = { ...sum };
  for (const field of [
    'inputTokens',
    'outputTokens',
    'cacheReadTokens',
    'cacheWriteTokens',
    'thinkingTokens',
  ] as const) {
    if (usage[field] !== undefined) total[field] = (sum?.[field] ?? 0) + usage[field];
  }
  return total;
}
