/**
 * What the turns of a transcript cost: from the usage of each model call, counted once, or as the program itself noted it.
 *
 * A call comes as one line per block, each with the same usage or an early one, so that the largest counts.
 */
import type { Balance, Cost, DraftOf, ModelUsage, Usage } from '../../event/index.js';
import type { USAGE_FIELDS } from '../../ledger/index.js';
import { type Json, number, object, string } from '../field.js';
import { priceOf } from './price.js';

export interface TranscriptCost {
  /** An assistant line. `main`: of the conversation itself, not of a sub-agent. */
  add(entry: Json, main: boolean): void;
  /** The program's own sum since the conversation began, copied part included. */
  report(entry: Json): void;
  /** That sum, for whoever tells it apart from a turn. */
  takeReport(): Cost | undefined;
  /** The turn ends, and is told together with others. */
  putBy(): void;
  /** The turn that ends cannot be told together with those that were put by: a sum of the program is only followed by a larger one. */
  readonly isApart: boolean;
  /** The program's sum is smaller than before: it counts anew, which has to be told before the sum grows again. */
  readonly isAnew: boolean;
  /** What is known of the turns that were put by, of all together. */
  endTurns(): TurnFigures;
  /** A call of a name that was told is another one from now on. */
  beginTurn(): void;
  /** What is known of the turn that ends here. */
  endTurn(): TurnFigures;
  /** The same of a turn that may yet go on: of what comes again then, only what it became more by is told. */
  settleTurn(): TurnFigures;
}

type TurnFigures = Pick<DraftOf<'turn-end'>, 'cost' | 'usage' | 'modelUsage' | 'turnModelUsage'>;

interface Call {
  model: string | undefined;
  usage: Json;
  main: boolean;
  isFinal: boolean;
  version: string | undefined;
}

/** `balance`: of what the conversation was copied from, see `balanceOfCopies`. */
export function createTranscriptCost(balance?: Balance): TranscriptCost {
  let calls = new Map<string, Call>();
  let isComplete = true;
  let reported: Cost | undefined;
  let earlier: Turns = { calls: [], isComplete: true };
  const settled = new Map<string, Call>();

  return {
    get isApart() {
      const before = earlier.reported;
      if (!before || !reported) return before !== reported;
      return reported.usd < before.usd || reported.origin !== before.origin;
    },
    get isAnew() {
      return earlier.reported !== undefined && reported !== undefined && reported.usd < earlier.reported.usd;
    },
    add(entry, main) {
      note(calls, entry, main);
      // Before 2.1 the program also asked a small model for titles and the like, and did not write that down.
      if (isOld(entry.version)) isComplete = false;
    },
    report({ totalCostUSD, hasUnknownModelCost }) {
      const usd = number(totalCostUSD);
      // From a sum whose beginning nobody knows no turn's share can be had.
      if (usd === undefined || (balance && !balance.cost)) return;
      reported = { usd, scope: 'session', origin: hasUnknownModelCost === true ? 'computed' : 'reported' };
    },
    takeReport() {
      const taken = reported;
      reported = undefined;
      return taken;
    },
    putBy() {
      const { calls: all, isComplete: wasComplete } = earlier;
      for (const call of calls.values()) all.push(call);
      earlier = { calls: all, isComplete: wasComplete && isComplete, reported: reported ?? earlier.reported };
      begin();
    },
    endTurns() {
      const told = figuresOf(earlier);
      earlier = { calls: [], isComplete: true };
      return told;
    },
    beginTurn: () => settled.clear(),
    endTurn,
    settleTurn() {
      const all = [...calls];
      const told = endTurn();
      for (const [key, call] of all) settled.set(key, call);
      return told;
    },
  };

  function endTurn(): TurnFigures {
    const untold = [...calls].map(([key, call]) => {
      const told = settled.get(key);
      return told ? { ...call, usage: moreThan(told.usage, call.usage) } : call;
    });
    const figures = figuresOf({ calls: untold, isComplete, reported });
    begin();
    return figures;
  }

  function begin(): void {
    calls = new Map();
    isComplete = true;
    reported = undefined;
  }
}

const isOld = (version: unknown): boolean =>
  typeof version === 'string' && (version.startsWith('1.') || version.startsWith('2.0.'));

interface Turns {
  calls: Call[];
  isComplete: boolean;
  reported?: Cost | undefined;
}

function figuresOf({ calls, isComplete, reported }: Turns): TurnFigures {
  const cost = reported ?? priceOfTurn(calls, isComplete);
  const main = calls.filter((call) => call.main);
  const usage = main.length > 0 ? main.reduce(withTokens, {}) : undefined;
  const models = byModel(calls);
  const share =
    models.length === 0 ? {} : cost?.scope === 'session' ? { turnModelUsage: models } : { modelUsage: models };
  return { ...(cost && { cost }), ...(usage && { usage }), ...share };
}

/** A fork begins with a copy, which was paid for elsewhere, but which the program's own sum contains. Empty when nobody knows its price. */
export function balanceOfCopies(entries: readonly Json[]): Balance | undefined {
  const calls = new Map<string, Call>();
  for (const entry of entries) if (entry.type === 'assistant') note(calls, entry, true);
  if (entries.length === 0) return undefined;
  const copied = [...calls.values()];
  const cost = copied.length > 0 ? priceOfTurn(copied, true) : undefined;
  // What was summed up is not copied, and is in the program's sum.
  const isWhole = !entries.some(({ subtype }) => subtype === 'compact_boundary');
  if (!isWhole || cost?.origin !== 'computed') return {};
  return { cost: { ...cost, scope: 'session' }, modelUsage: byModel(copied) };
}

function priceOfTurn(turn: readonly Call[], isComplete: boolean): Cost | undefined {
  const known = turn.flatMap((call) => priceOfCall(call) ?? []);
  if (known.length === 0 && turn.length > 0) return undefined;
  const isExact = isComplete && known.length === turn.length && turn.every((call) => call.isFinal);
  const usd = known.reduce((sum, each) => sum + each, 0);
  return { usd, scope: 'turn', origin: isExact ? 'computed' : 'lower-bound' };
}

function byModel(calls: readonly Call[]): ModelUsage[] {
  const models = new Map<string, ModelUsage>();
  for (const call of calls) {
    const { model = '' } = call;
    const usd = priceOfCall(call);
    const sum: ModelUsage = models.get(model) ?? { model };
    withTokens(sum, call);
    if (usd !== undefined) sum.usd = sum.usd === undefined ? usd : Math.round((sum.usd + usd) * 1e9) / 1e9;
    models.set(model, sum);
  }
  return [...models.values()];
}

/** Changes `sum` in place: there are very many calls. */
function withTokens<Sum extends Usage>(sum: Sum, { usage }: Call): Sum {
  add('inputTokens', usage.input_tokens);
  add('cacheReadTokens', usage.cache_read_input_tokens);
  add('cacheWriteTokens', usage.cache_creation_input_tokens);
  add('outputTokens', usage.output_tokens);
  const thinking = number(object(usage.output_tokens_details)?.thinking_tokens);
  if (thinking) add('thinkingTokens', thinking);
  return sum;

  function add(field: (typeof USAGE_FIELDS)[number], told: unknown): void {
    const count = number(told);
    if (count !== undefined) sum[field] = (sum[field] ?? 0) + count;
  }
}

function note(calls: Map<string, Call>, entry: Json, main: boolean): void {
  const message = object(entry.message);
  const told = object(message?.usage);
  const model = string(message?.model);
  if (!message || !told || model === '<synthetic>') return;
  const key = `${string(message.id) ?? string(entry.uuid)} ${string(entry.requestRef) ?? string(entry.requestId) ?? ''}`;
  const known = calls.get(key);
  const isFinal = known?.isFinal || string(message.stop_reason) !== undefined;
  const version = string(entry.version);
  const isLarger = known && (number(known.usage.output_tokens) ?? 0) > (number(told.output_tokens) ?? 0);
  const usage = isLarger ? known.usage : told;
  calls.set(key, { model, usage, main, isFinal, version });
}

function moreThan(before: Json, now: Json): Json {
  const fields = Object.entries(now).map(([name, value]) => {
    if (typeof value === 'number') return [name, Math.max(0, value - (number(before[name]) ?? 0))];
    const inner = object(value);
    return [name, inner ? moreThan(object(before[name]) ?? {}, inner) : value];
  });
  return Object.fromEntries(fields);
}

function priceOfCall({ model, usage, version }: Call): number | undefined {
  return priceOf(model, usage, version);
}
