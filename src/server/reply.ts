import type { Context } from 'hono';
import type { Replies } from '../client/api.js';

interface Named<Name> {
  operationId: Name;
  responses: object;
}

/** The one way to say that something was done: what a route replies is what the client and the OpenAPI document say of it. */
export function reply<Name extends keyof Replies>(
  context: Context,
  route: Named<Name>,
  value: Replies[Name],
): Response {
  return context.json(value, 201 in route.responses ? 201 : 200);
}
