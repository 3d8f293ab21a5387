/** What a case of the ledger is, and events and figures in few words. */
import type { Balance, Cost, Usage } from '../../../src/event/index.js';
import type { Figure } from '../../../src/ledger/index.js';
import type { Body } from '../../session/play.js';

export type Amount = Pick<Figure, 'usd' | 'origin'>;

export const reported = (usd: number): Amount => ({ usd, origin: 'reported' });
export const computed = (usd: number): Amount => ({ usd, origin: 'computed' });
export const atLeast = (usd: number): Amount => ({ usd, origin: 'lower-bound' });
export const cost = (usd: number, scope: Cost['scope'], more: Partial<Cost> = {}): Cost => ({
  usd,
  scope,
  origin: 'reported',
  ...more,
});
export const turn = (number: number, figure?: Cost, more: object = {}): Body[] => [
  { type: 'turn-start', turn: number },
  { type: 'turn-end', turn: number, outcome: 'success', cost: figure, ...more },
];
export const tokens = (inputTokens: number, outputTokens = 0): Usage => ({ inputTokens, outputTokens });
export const message = (id: string, usage: Usage, more: object = {}): Body => ({
  type: 'message-end',
  messageId: id,
  usage,
  ...more,
});
export const run = (runId: string, ...bodies: Body[]): Body[] => bodies.map((body) => ({ ...body, runId }));
export const resumed: Body = { type: 'session-start', resumed: true };
export const cleared: Body = { type: 'session-change', newId: 'b', previousId: 'a', reason: 'clear' };
export const balance = (usd: number, more: Balance = {}): Body => ({
  type: 'usage-update',
  turn: 0,
  balance: { cost: cost(usd, 'session'), ...more },
});

export interface Case {
  events: Body[];
  /** What each turn is charged with. */
  turns?: (Amount | undefined)[];
  /** What the newest run spent. */
  run: Amount | undefined;
  /** All runs together, where that is another figure. */
  session?: Amount;
  usage?: Usage;
}
