/**
 * Why a turn cost what it did: its charge is split between its model calls, and what a call cost between what it was made for. The
 * shares of a turn add up to its charge exactly, in money and in every kind of token. What the calls do not tell is a share too.
 */
import type { AgentEvent, ModelUsage, Usage } from '../event/index.js';
import { type Call, createCalls } from './call.js';
import type { Cause } from './cause.js';
import { addUsd } from './figure.js';
import type { Entry } from './ledger.js';
import { split, USD } from './split.js';
import { type Field, priceOf } from './token-price.js';
import { addUsage, isTelling, sumModels, USAGE_FIELDS } from './usage.js';

export interface CauseShare {
  cause: Cause;
  usage: Usage;
  usd?: number;
  /** Model calls that it had a part in. */
  calls: number;
}

export interface CauseShares {
  see(event: AgentEvent): void;
  /** Splits the charge of a turn; the next begins anew. */
  take(entry: Entry): CauseShare[];
}

export function createCauseShares(): CauseShares {
  const seen = createCalls();
  return {
    see: seen.see,
    take(entry) {
      const { calls, occurred } = seen.take();
      // Where only one thing happened, all of it was for that, told or not.
      const [only] = occurred.size === 1 ? occurred : [];
      const isTold = calls.some(({ usage }) => isTelling(usage));
      const shares = new Map<Cause, CauseShare>();
      for (const [total, own] of byModel(entry, calls)) {
        for (const part of partsOf(total, own, only, isTold)) add(shares, part);
      }
      return telling([...shares.values()]);
    },
  };
}

/** What cost nothing is left out, but not that it was told to be nothing. */
function telling(shares: readonly CauseShare[]): CauseShare[] {
  const costs = ({ usage, usd }: CauseShare) => isTelling(usage) || Boolean(usd);
  const kept = shares.filter(costs);
  const [first, ...others] = kept.length > 0 ? kept : shares;
  if (!first) return [];
  const zeros = shares.filter((share) => share !== first && !costs(share));
  const usage = zeros.reduce<Usage>((all, share) => addUsage(all, share.usage) ?? all, first.usage);
  return [{ ...first, usage }, ...others.filter(costs)];
}

function add(shares: Map<Cause, CauseShare>, { cause, usage, usd, calls }: CauseShare): void {
  const sum = shares.get(cause) ?? { cause, usage: {}, calls: 0 };
  sum.usage = addUsage(sum.usage, usage) ?? {};
  sum.calls += calls;
  if (usd !== undefined) sum.usd = addUsd(sum.usd ?? 0, usd);
  shares.set(cause, sum);
}

/** The calls of each model; who is named otherwise than in the turn's sum belongs to the model that nobody named. */
function byModel({ models, cost }: Entry, calls: readonly Call[]): [ModelUsage, Call[]][] {
  const isPricedEach = models.every(({ usd = -1 }) => usd >= 0);
  if (models.length <= 1 || (cost && !isPricedEach)) return [[pooled(models, cost?.usd), [...calls]]];
  const named = new Set(calls.filter(({ isUnseen }) => !isUnseen).map(({ model }) => model));
  const rest = models.find(({ model }) => !named.has(model)) ?? models[0];
  const isOf = ({ model, isUnseen }: Call, each: ModelUsage) =>
    isUnseen || model === each.model || (each === rest && !models.some((other) => other.model === model));
  return models.map((each) => [each, calls.filter((call) => isOf(call, each))]);
}

function pooled(models: readonly ModelUsage[], usd: number | undefined): ModelUsage {
  return { model: '', ...sumModels(models), ...(usd !== undefined && { usd }) };
}

/** Of one model. `only`: what all of it was for, told or not. */
function partsOf(total: ModelUsage, calls: readonly Call[], only: Cause | undefined, isTold: boolean): CauseShare[] {
  const { usages, unseen, mixed } = settle(total, calls);
  const parts = calls.flatMap((call, index) => divide(call, usages[index] ?? {}));
  if (isTelling(unseen)) parts.push({ cause: only ?? (isTold ? 'agent' : 'unattributed'), usage: unseen, calls: 0 });
  if (isTelling(mixed)) parts.push({ cause: only ?? 'unattributed', usage: mixed, calls: 0 });
  if (parts.length === 0) parts.push({ cause: only ?? 'unattributed', usage: {}, calls: 0 });
  keepZeros(total, parts);
  if (total.usd === undefined) return parts;
  const prices = parts.map(({ usage }) => priceOf(usage));
  const isPriced = prices.some((price) => price > 0);
  // Without tokens nobody knows which of several calls it was.
  if (!isPriced && new Set(parts.map(({ cause }) => cause)).size !== 1)
    return [...parts, { cause: only ?? 'unattributed', usage: {}, calls: 0, usd: total.usd }];
  const usd = split(total.usd, isPriced ? prices : parts.map(() => 1), USD);
  return parts.map((part, index) => ({ ...part, usd: usd[index] ?? 0 }));
}

/** What is told to be nothing is not unknown. */
function keepZeros(total: ModelUsage, parts: readonly CauseShare[]): void {
  for (const field of USAGE_FIELDS) {
    if (total[field] === undefined || parts.some(({ usage }) => usage[field] !== undefined)) continue;
    for (const { usage } of parts.slice(0, 1)) usage[field] = 0;
  }
}

interface Settled {
  usages: Usage[];
  /** Of calls that the agent counts and does not show. */
  unseen: Usage;
  /** Written by calls of which some are not shown, and nobody can tell which wrote how much. */
  mixed: Usage;
}

/** What each call used: as it tells, and what it does not tell from the turn's sum, by how much it wrote. */
function settle(total: ModelUsage, calls: readonly Call[]): Settled {
  const settled: Settled = { usages: calls.map(() => ({})), unseen: {}, mixed: {} };
  const isSilent = (field: Field) => calls.some(({ usage }) => usage[field] === undefined);
  const toldOf = (field: Field) => calls.reduce((sum, { usage }) => sum + (usage[field] ?? 0), 0);
  const hasUnseen = INPUT.some((field) => !isSilent(field) && (total[field] ?? 0) > toldOf(field));
  for (const field of USAGE_FIELDS) {
    const told = toldOf(field);
    const whole = total[field];
    if (whole === undefined) continue;
    const excess = Math.max(0, whole - told);
    const own =
      told > whole
        ? split(
            whole,
            calls.map(({ usage }) => usage[field] ?? 0),
          )
        : [];
    const isShared = isSilent(field) && (!hasUnseen || INPUT.includes(field));
    const weights = calls.map(({ usage, written }) => (usage[field] === undefined ? written + 1 : 0));
    const shared = isShared && excess > 0 ? split(excess, weights) : [];
    for (const [index, usage] of settled.usages.entries()) {
      const value = own[index] ?? calls[index]?.usage[field] ?? shared[index];
      if (value !== undefined) usage[field] = value;
    }
    if (!isShared && excess > 0) settled[isSilent(field) ? 'mixed' : 'unseen'][field] = excess;
  }
  return settled;
}

const INPUT: readonly Field[] = ['inputTokens', 'cacheReadTokens', 'cacheWriteTokens'];

/** What was paid for again apart, the rest in equal parts for what the call was made for. */
function divide({ isUnseen, causes, broken }: Call, usage: Usage): CauseShare[] {
  const { inputTokens = 0, cacheWriteTokens = 0 } = usage;
  const written = Math.min(broken, cacheWriteTokens);
  const fresh = Math.min(broken - written, inputTokens);
  const again: Usage = { inputTokens: fresh, cacheWriteTokens: written };
  const calls = isUnseen ? 0 : 1;
  const parts = causes.map((cause): CauseShare => ({ cause, usage: {}, calls }));
  const weights = causes.map(() => 1);
  for (const field of USAGE_FIELDS) {
    if (usage[field] === undefined) continue;
    const values = split(usage[field] - (again[field] ?? 0), weights);
    for (const [index, part] of parts.entries()) part.usage[field] = values[index] ?? 0;
  }
  return isTelling(again) ? [...parts, { cause: 'broken-cache', usage: again, calls }] : parts;
}
