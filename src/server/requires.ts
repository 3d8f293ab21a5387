import type { MiddlewareHandler } from 'hono';
import type { Deed } from './audit.js';
import type { Principal, Scope } from './principal.js';
import { refuse } from './refusal.js';

/** What the app keeps beside a request. */
export interface Env {
  Variables: {
    principal: Principal;
    /** What the audit list is to say, where the path does not. */
    deed?: Deed;
    /** The server is about to stop. */
    leaving: AbortSignal;
  };
}

/** Before a route: whoever asks may do this. */
export function requires(scope: Scope): MiddlewareHandler<Env> {
  return async (context, next) => {
    const { name, scopes, limit = `${name} may not do this: it needs the scope ${scope}.` } = context.get('principal');
    if (scopes.has(scope)) return next();
    return refuse(context, 403, 'forbidden', limit);
  };
}
