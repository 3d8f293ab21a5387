/** Comparisons of agents over HTTP, to look at. */
import { createRoute, type OpenAPIHono } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { type Comparison, readComparisons, reportOf } from '../compare/index.js';
import type { SessionRecord } from '../store/index.js';
import { reply } from './reply.js';
import type { Env } from './requires.js';
import { needs, replies } from './route.js';

const listComparisons = createRoute({
  summary: 'Comparisons of agents that were made on this machine, the latest first.',
  ...needs('view'),
  method: 'get',
  path: '/api/comparisons',
  ...replies('listComparisons', [200, 401, 503]),
});

export interface ComparisonRouteOptions {
  findSession(context: Context<Env>, ref: string): Promise<SessionRecord>;
}

export function addComparisonRoutes(app: OpenAPIHono<Env>, { findSession }: ComparisonRouteOptions): void {
  app.openapi(listComparisons, async (context) => {
    // Who is let in for some projects sees what was tried in those alone.
    const isSeen = async ({ attempts }: Comparison): Promise<boolean> => {
      const sessions = attempts.flatMap(({ session }) => session ?? []);
      const found = await Promise.all(
        sessions.map((session) =>
          findSession(context, session).then(
            () => true,
            () => false,
          ),
        ),
      );
      return found.includes(true);
    };
    const all = await readComparisons();
    const seen = await Promise.all(all.map(isSeen));
    return reply(context, listComparisons, all.filter((_, index) => seen[index]).map(reportOf));
  });
}
