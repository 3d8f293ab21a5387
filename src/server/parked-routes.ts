/** Parked sessions over HTTP: which there are, and that one goes on now, later or never. */
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { SessionRecord } from '../store/index.js';
import * as route from './parked-route.js';
import type { ParkedRuns } from './parked-runs.js';
import { reply } from './reply.js';
import type { Env } from './requires.js';

export interface ParkedRouteOptions {
  parked: ParkedRuns;
  findSession(context: Context<Env>, ref: string): Promise<SessionRecord>;
}

export function addParkedRoutes(app: OpenAPIHono<Env>, { parked, findSession }: ParkedRouteOptions): void {
  app.openapi(route.listParked, async (context) => {
    const all = await parked.list();
    // Who is let in for some projects sees those alone.
    const seen = await Promise.all(
      all.map(({ session }) =>
        findSession(context, session).then(
          () => true,
          () => false,
        ),
      ),
    );
    return reply(
      context,
      route.listParked,
      all.filter((_, index) => seen[index]),
    );
  });
  app.openapi(route.goOn, async (context) => {
    const session = await findSession(context, context.req.valid('param').session);
    const { at } = context.req.valid('json');
    return reply(context, route.goOn, await parked.goOn(session, at, context.get('principal').name));
  });
  app.openapi(route.neverGoOn, async (context) => {
    await parked.never(await findSession(context, context.req.valid('param').session));
    return reply(context, route.neverGoOn, {});
  });
}
