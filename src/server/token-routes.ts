/** Who else may come in with a token, and who did what. */
import type { OpenAPIHono } from '@hono/zod-openapi';
import { GlassboxError } from '../event/index.js';
import type { FleetStore, Store } from '../store/index.js';
import * as route from './fleet-route.js';
import { createToken } from './new-token.js';
import type { Scope } from './principal.js';
import { reply } from './reply.js';
import type { Env } from './requires.js';

export function addTokenRoutes(app: OpenAPIHono<Env>, { store }: { store: Store }): void {
  app.openapi(route.listTokens, async (context) =>
    reply(context, route.listTokens, await fleetOf(store).tokens.list()),
  );
  app.openapi(route.createToken, async (context) => {
    const { name, scopes, projects, lifeMs } = context.req.valid('json');
    const wish = { name, scopes: scopes as Scope[], projects, lifeMs };
    return reply(context, route.createToken, await createToken(fleetOf(store), wish, context.get('principal').name));
  });
  app.openapi(route.revokeToken, async (context) => {
    const isRevoked = await fleetOf(store).tokens.revoke(context.req.valid('param').token);
    if (!isRevoked) throw new GlassboxError('not-found', 'There is no such token that holds.');
    return reply(context, route.revokeToken, {});
  });
  app.openapi(route.audit, async (context) =>
    reply(context, route.audit, await fleetOf(store).audit.list(context.req.valid('query'))),
  );
}

/** Throws where the store keeps only events. */
export function fleetOf({ fleet }: Store): FleetStore {
  if (fleet) return fleet;
  throw new GlassboxError(
    'unsupported-capability',
    'This server’s store keeps only events: it has no tokens, jobs and budgets.',
  );
}
