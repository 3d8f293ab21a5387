/**
 * What a run spent, turn by turn, from the figures of its agent.
 *
 * Agents report running totals that may reach over turns and over resumed runs; here every figure becomes the share of its own
 * turn, counted once. What is not known stays unknown, it is never zero.
 */
import type { AgentEvent, Cost, CostOrigin, EventOf, ModelUsage, Usage } from '../event/index.js';
import { addUsage, type Baseline, createMeter, type Reported } from './meter.js';
import type { Spent } from './record.js';
import { type PaidMessage, shareOut, type ToolShare } from './tool-share.js';

/** What one turn spent on one model. */
export interface Spend {
  seq: number;
  at: number;
  /** Empty when the agent does not say. */
  model: string;
  usage: Usage;
  usd?: number;
  origin?: CostOrigin;
}

export interface Settlement {
  spends: Spend[];
  shares: ToolShare[];
}

export interface Ledger {
  /** What this event settles: nothing, for most of them. */
  add(event: AgentEvent): Settlement | undefined;
  /** The agent's last figures. */
  reported(): Reported | undefined;
}

export function createLedger(baseline: Baseline): Ledger {
  const meters = { process: createMeter('none'), session: createMeter(baseline) };
  const toolsOf = new Map<string, string[]>();
  let model = '';
  let running: Cost | undefined;
  let reported: Reported | undefined;
  let settledUsd = 0;
  let open: (PaidMessage & { model: string })[] = [];

  return { add, reported: () => reported };

  function add(event: AgentEvent): Settlement | undefined {
    switch (event.type) {
      case 'session-start':
        if (event.resumed && baseline === 'none') meters.session = createMeter('unknown');
        model = event.model ?? model;
        return undefined;
      case 'session-update':
        model = event.model ?? model;
        return undefined;
      case 'tool-start':
        if (event.messageId) toolsOf.set(event.messageId, [...(toolsOf.get(event.messageId) ?? []), event.name]);
        return undefined;
      case 'message-end': {
        const tools = toolsOf.get(event.messageId) ?? [''];
        toolsOf.delete(event.messageId);
        if (event.usage) open.push({ model: event.model ?? model, usage: event.usage, tools });
        return undefined;
      }
      case 'usage-update':
        running = event.cost ?? running;
        return undefined;
      case 'turn-end':
        return endTurn(event);
      case 'run-end':
        return close(event);
      default:
        return undefined;
    }
  }

  function endTurn(event: EventOf<'turn-end'>): Settlement {
    const { cost = running, usage, usageScope = 'turn' } = event;
    const reach = event.modelUsage ? (cost?.scope ?? 'process') : usageScope;
    const totals = event.modelUsage ?? (usage && [{ model, ...usage }]);
    if (cost || reach !== 'turn') reported = { cost, modelUsage: totals };
    // Where the baseline is unknown, the turn's own usage is better than nothing.
    const models =
      totals && (ownModels(reach, totals) ?? (usageScope === 'turn' && usage ? [{ model, ...usage }] : []));
    return settle(event, cost && { usd: ownUsd(cost), origin: cost.origin }, models ?? ofOpenMessages());
  }

  function ownUsd({ scope, usd, turnUsd }: Cost): number | undefined {
    return scope === 'turn' ? usd : (meters[scope].usd(usd) ?? turnUsd);
  }

  function ownModels(scope: Cost['scope'], totals: ModelUsage[]): ModelUsage[] | undefined {
    return scope === 'turn' ? totals : meters[scope].models(totals);
  }

  function settle(event: AgentEvent, price: Partial<Spent> | undefined, models: ModelUsage[]): Settlement {
    const spends = models.map(({ model: name, usd, ...usage }): Spend => {
      const spend = { seq: event.seq, at: event.at, model: name, usage };
      return usd === undefined || !price ? spend : { ...spend, usd, origin: price.origin };
    });
    if (price?.usd !== undefined) balance(spends, event, price.usd, price.origin);
    settledUsd += price?.usd ?? 0;
    const shares = shareOut(open, price?.usd);
    running = undefined;
    open = [];
    return { spends: spends.filter(saysSomething), shares };
  }

  /** Where a turn does not sum up, its messages do. */
  function ofOpenMessages(): ModelUsage[] {
    const sums = new Map<string, Usage>();
    for (const message of open) sums.set(message.model, addUsage(sums.get(message.model) ?? {}, message.usage));
    return [...sums].map(([name, sum]) => ({ model: name, ...sum }));
  }

  /** The prices of the models may not add up to the price of the turn: the main model takes the difference. */
  function balance(spends: Spend[], event: AgentEvent, usd: number, origin: CostOrigin | undefined): void {
    let main = spends.find((spend) => spend.model === model) ?? spends[0];
    if (!main) {
      main = { seq: event.seq, at: event.at, model, usage: {} };
      spends.push(main);
    }
    const rest = spends.reduce((left, spend) => left - (spend.usd ?? 0), usd);
    main.usd = (main.usd ?? 0) + rest;
    main.origin = origin;
  }

  /** The run itself knows best what it cost: here comes what its turns did not account for. */
  function close(event: EventOf<'run-end'>): Settlement {
    const rest = (event.cost?.usd ?? 0) - settledUsd;
    const price = event.cost && Math.abs(rest) > 1e-9 ? { usd: rest, origin: event.cost.origin } : undefined;
    return settle(event, price, ofOpenMessages());
  }
}

function saysSomething({ usage, usd }: Spend): boolean {
  return Boolean(usd) || Object.values(usage).some((tokens) => tokens > 0);
}
