/** One line for each request, for whoever keeps the log of a hub: who, what about, how it went. No address, no query, nothing that was sent. */
import type { MiddlewareHandler } from 'hono';
import { kindOf } from './hub-routes.js';
import type { RequestFacts } from './request-facts.js';
import type { Env } from './requires.js';

/** Those who only ask whether it lives are not told. */
export function createRequestLog(onRequest: (request: RequestFacts) => void): MiddlewareHandler<Env> {
  return async (context, next) => {
    const begun = performance.now();
    await next();
    const { method, path } = context.req;
    if (/^\/(health|ready|metrics)$/.test(path)) return;
    const principal = context.get('principal')?.name;
    const ms = Math.round(performance.now() - begun);
    const facts = { method, kind: kindOf(path), status: context.res.status, ms };
    onRequest({ ...facts, ...(principal !== undefined && { principal }) });
  };
}
