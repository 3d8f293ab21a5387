import type { MiddlewareHandler } from 'hono';
import { refuse } from './refusal.js';

/** Refuses what is too large before it is read; a body must say its size, and Node holds it to that. */
export function limitBody(mostBytes: number): MiddlewareHandler {
  return async (context, next) => {
    if (context.req.header('transfer-encoding') !== undefined) {
      return refuse(context, 413, 'invalid-request', 'Send the body with its length.');
    }
    if (Number(context.req.header('content-length') ?? 0) > mostBytes) {
      return refuse(context, 413, 'invalid-request', 'The request is too large.');
    }
    return next();
  };
}
