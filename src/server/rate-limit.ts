/** How often somebody may ask: each has a store of requests that fills again with time, so that a burst is fine and a flood is not. */
import type { HttpBindings } from '@hono/node-server';
import type { Context, MiddlewareHandler } from 'hono';
import type { RateLimit } from './rate-limits.js';
import { refuse } from './refusal.js';
import type { Env } from './requires.js';

export const KNOWN: RateLimit = { burst: 1000, perSecond: 200 };
/** Whoever guesses a token of 32 random bytes needs more than this. */
export const UNKNOWN: RateLimit = { burst: 60, perSecond: 1 };

export interface Allowance {
  /** Zero when it may go on, else for how many seconds not. */
  take(who: string): number;
  /** Without taking: whether there is nothing left. */
  isEmpty(who: string): boolean;
}

const MOST = 10_000;

export function createAllowance(
  { burst, perSecond }: RateLimit,
  now: () => number = () => performance.now(),
): Allowance {
  const left = new Map<string, { requests: number; at: number }>();
  const fill = (who: string): number => {
    const { requests, at } = left.get(who) ?? { requests: burst, at: now() };
    return Math.min(burst, requests + ((now() - at) / 1000) * perSecond);
  };
  return {
    take(who) {
      const has = fill(who);
      left.delete(who);
      left.set(who, { requests: Math.max(0, has - 1), at: now() });
      for (const old of left.keys()) if (left.size > MOST) left.delete(old);
      return has >= 1 ? 0 : Math.ceil((1 - has) / perSecond);
    },
    isEmpty: (who) => fill(who) < 1,
  };
}

/** Around the check of who asks: addresses that are refused too often are not heard for a while. */
export function createUnknownLimit(limit: RateLimit, behindProxy: boolean): MiddlewareHandler<Env> {
  const allowance = createAllowance(limit);
  return async (context, next) => {
    const address = addressOf(context, behindProxy);
    if (allowance.isEmpty(address)) return tooMany(context, Math.ceil(1 / limit.perSecond));
    await next();
    if (context.res.status === 401) allowance.take(address);
    return undefined;
  };
}

export function createKnownLimit(limit: RateLimit): MiddlewareHandler<Env> {
  const allowance = createAllowance(limit);
  return async (context, next) => {
    const principal = context.get('principal');
    const waits = principal ? allowance.take(principal.name) : 0;
    return waits > 0 ? tooMany(context, waits) : next();
  };
}

function tooMany(context: Context, seconds: number): Response {
  context.header('retry-after', String(seconds));
  return refuse(context, 429, 'too-many', `Too many requests. Try again in ${seconds} s.`);
}

/** Of whoever is in front; behind a proxy the last address that it added. */
function addressOf(context: Context, behindProxy: boolean): string {
  const forwarded = behindProxy ? context.req.header('x-forwarded-for')?.split(',').at(-1)?.trim() : undefined;
  return forwarded || (context.env as HttpBindings).incoming.socket.remoteAddress || '';
}
