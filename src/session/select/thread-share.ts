/** What each conversation of a session spent: the main one and every sub-agent. */
import type { Usage } from '../../event/index.js';
import { addUsage, priceOf } from '../../ledger/index.js';
import { MAIN_THREAD, type SessionState } from '../state.js';
import { entries, entryAt, values } from '../table/chunks.js';
import { rowAt } from '../table/table.js';

export interface ThreadShare {
  thread: number;
  /** The thread that it belongs to; absent for the main one. */
  parent?: number | undefined;
  /** As far as its messages tell. */
  usage?: Usage | undefined;
  /** An estimate: what turns cost, split by what their messages tell. Absent is unknown. */
  usd?: number | undefined;
  /** From its call to its end; absent for the main one, and while it goes on. */
  durationMs?: number | undefined;
}

/** In the order in which they began. Each share is a thread's own, without those of the threads below it, so that they add up. */
export function selectThreadShares(state: SessionState): readonly ThreadShare[] {
  const known = sharesOf.get(state) ?? addUp(state);
  sharesOf.set(state, known);
  return known;
}

/** Every sub-agent that is shown asks for all of them. */
const sharesOf = new WeakMap<SessionState, readonly ThreadShare[]>();

function addUp(state: SessionState): ThreadShare[] {
  const usages = new Map<number, Usage>();
  const prices = new Map<string, Map<number, number>>();
  for (const { thread, usage, run, turn } of values(state.messages.rows)) {
    if (usage === undefined) continue;
    usages.set(thread, addUsage(usages.get(thread), usage) ?? {});
    const ofTurn = prices.get(`${run} ${turn}`) ?? new Map<number, number>();
    ofTurn.set(thread, (ofTurn.get(thread) ?? 0) + priceOf(usage));
    prices.set(`${run} ${turn}`, ofTurn);
  }
  const usd = new Map<number, number>();
  for (const { run, turn, cost } of values(state.turns.rows)) {
    const parts = prices.get(`${run} ${turn}`);
    const whole = [...(parts?.values() ?? [])].reduce((sum, price) => sum + price, 0);
    if (!cost || !parts || whole <= 0) continue;
    for (const [thread, price] of parts) usd.set(thread, (usd.get(thread) ?? 0) + (cost.usd * price) / whole);
  }
  return Array.from(entries(state.threads), ([thread, { tool: number }]): ThreadShare => {
    const tool = rowAt(state.tools, number);
    return {
      thread,
      ...(thread !== MAIN_THREAD && { parent: tool?.thread ?? MAIN_THREAD }),
      usage: usages.get(thread),
      usd: usd.get(thread),
      durationMs: thread === MAIN_THREAD ? undefined : tool?.durationMs,
    };
  });
}

/** What a sub-agent spent, with all that it had done by others. */
export function selectThreadWhole(state: SessionState, thread: number): ThreadShare | undefined {
  const shares = selectThreadShares(state);
  const own = shares.find((share) => share.thread === thread);
  if (!own) return undefined;
  const below = new Set([thread]);
  let whole = own;
  // Who is below another began after it.
  for (const { thread: other, parent, usage, usd } of shares) {
    if (parent === undefined || !below.has(parent) || below.has(other)) continue;
    below.add(other);
    whole = {
      ...whole,
      usage: addUsage(whole.usage, usage),
      usd: usd === undefined && whole.usd === undefined ? undefined : (whole.usd ?? 0) + (usd ?? 0),
    };
  }
  return whole;
}

/** What a thread is called: what its call is about. */
export function threadName({ threads, tools }: SessionState, thread: number): string {
  const tool = rowAt(tools, entryAt(threads, thread)?.tool);
  return tool ? tool.summary || tool.title || tool.name || 'Sub-agent' : 'The agent itself';
}
