import type { MiddlewareHandler } from 'hono';
import { refuse } from './refusal.js';

/** Refuses what is too large before it is read, and what is no JSON; a body must say its size, and Node holds it to that. */
export function checkBody(mostBytes: number): MiddlewareHandler {
  return async (context, next) => {
    const { req } = context;
    if (req.header('transfer-encoding') !== undefined) {
      return refuse(context, 413, 'invalid-request', 'Send the body with its length.');
    }
    const bytes = Number(req.header('content-length') ?? 0);
    if (bytes > mostBytes) return refuse(context, 413, 'invalid-request', 'The request is too large.');
    if (bytes > 0 && !/^application\/json\b/i.test(req.header('content-type') ?? '')) {
      return refuse(context, 415, 'invalid-request', 'Send the body as application/json.');
    }
    return next();
  };
}
