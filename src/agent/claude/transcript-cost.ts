/**
 * What the turns of a transcript cost: from the usage of each model call, counted once, or as the program itself noted it.
 *
 * A call comes as one line per block, each with the same usage or an early one, so that the largest counts.
 */
import type { Balance, Cost, DraftOf, ModelUsage, Usage } from '../../event/index.js';
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
  const { known, isPriced, models } = sumUp(calls);
  const cost = reported ?? priceOfTurn(calls, { known, isExact: isComplete && isPriced });
  const usage = usageOfMain(calls);
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
  const { known, isPriced, models } = sumUp(copied);
  const cost = copied.length > 0 ? priceOfTurn(copied, { known, isExact: isPriced }) : undefined;
  // What was summed up is not copied, and is in the program's sum.
  const isWhole = !entries.some(({ subtype }) => subtype === 'compact_boundary');
  if (!isWhole || cost?.origin !== 'computed') return {};
  return { cost: { ...cost, scope: 'session' }, modelUsage: models };
}

interface Sums {
  /** What the calls cost whose price is known, if there is one. */
  known: number | undefined;
  /** All of them are over, and their prices known. */
  isPriced: boolean;
  models: ModelUsage[];
}

function priceOfTurn(
  { length }: readonly Call[],
  { known, isExact }: Pick<Sums, 'known'> & { isExact: boolean },
): Cost | undefined {
  if (known === undefined && length > 0) return undefined;
  return { usd: known ?? 0, scope: 'turn', origin: isExact ? 'computed' : 'lower-bound' };
}

/** In one pass, because there are very many calls. */
function sumUp(calls: readonly Call[]): Sums {
  const models: ModelUsage[] = [];
  let known: number | undefined;
  let isPriced = true;
  for (const call of calls) {
    const usd = priceOf(call.model, call.usage, call.version);
    const sum = sumOf(models, call.model ?? '');
    addTokens(sum, call.usage);
    if (usd === undefined || !call.isFinal) isPriced = false;
    if (usd === undefined) continue;
    known = (known ?? 0) + usd;
    sum.usd = sum.usd === undefined ? usd : Math.round((sum.usd + usd) * 1e9) / 1e9;
  }
  return { known, isPriced, models };
}

/** There are few models. */
function sumOf(models: ModelUsage[], model: string): ModelUsage {
  for (const sum of models) if (sum.model === model) return sum;
  const sum = { model };
  models.push(sum);
  return sum;
}

function usageOfMain(calls: readonly Call[]): Usage | undefined {
  let sum: Usage | undefined;
  for (const { main, usage } of calls) {
    if (!main) continue;
    sum ??= {};
    addTokens(sum, usage);
  }
  return sum;
}

function addTokens(sum: Usage, usage: Json): void {
  const input = number(usage.input_tokens);
  if (input !== undefined) sum.inputTokens = (sum.inputTokens ?? 0) + input;
  const read = number(usage.cache_read_input_tokens);
  if (read !== undefined) sum.cacheReadTokens = (sum.cacheReadTokens ?? 0) + read;
  const written = number(usage.cache_creation_input_tokens);
  if (written !== undefined) sum.cacheWriteTokens = (sum.cacheWriteTokens ?? 0) + written;
  const output = number(usage.output_tokens);
  if (output !== undefined) sum.outputTokens = (sum.outputTokens ?? 0) + output;
  const thinking = number(object(usage.output_tokens_details)?.thinking_tokens);
  if (thinking) sum.thinkingTokens = (sum.thinkingTokens ?? 0) + thinking;
}

function note(calls: Map<string, Call>, entry: Json, main: boolean): void {
  const message = object(entry.message);
  const told = object(message?.usage);
  const model = string(message?.model);
  if (!message || !told || model === '<synthetic>') return;
  const key = `${string(message.id) ?? string(entry.uuid)} ${string(entry.requestRef) ?? string(entry.requestId) ?? ''}`;
  const isFinal = string(message.stop_reason) !== undefined;
  const version = string(entry.version);
  const known = calls.get(key);
  if (!known) return void calls.set(key, { model, usage: told, main, isFinal, version });
  const isLarger = (number(known.usage.output_tokens) ?? 0) > (number(told.output_tokens) ?? 0);
  if (!isLarger) known.usage = told;
  known.isFinal ||= isFinal;
  known.model = model;
  known.main = main;
  known.version = version;
}

function moreThan(before: Json, now: Json): Json {
  const fields = Object.entries(now).map(([name, value]) => {
    if (typeof value === 'number') return [name, Math.max(0, value - (number(before[name]) ?? 0))];
    const inner = object(value);
    return [name, inner ? moreThan(object(before[name]) ?? {}, inner) : value];
  });
  return Object.fromEntries(fields);
}
