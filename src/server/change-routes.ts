/** What sessions did to files, only in the server's projects; a secret in a file stays in the file. */
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { changeLines, findStretch, sessionChanges } from '../checkpoint/index.js';
import { shownHunks } from '../review/index.js';
import type { SessionRecord } from '../store/index.js';
import { ownTurns } from './own-turns.js';
import { reply } from './reply.js';
import type { Env } from './requires.js';
import * as route from './route.js';

export interface ChangeRouteOptions {
  projects: readonly string[];
  findSession(context: Context<Env>, ref: string): Promise<SessionRecord>;
}

const FILES_AT_ONCE = 50;

export function addChangeRoutes(app: OpenAPIHono<Env>, { projects, findSession }: ChangeRouteOptions): void {
  const turnsOf = async (context: Context<Env>, ref: string) => ownTurns(await findSession(context, ref), projects);

  app.openapi(route.listChanges, async (context) => {
    const turns = await turnsOf(context, context.req.valid('param').session);
    return reply(context, route.listChanges, await sessionChanges(turns, context.req.valid('query')));
  });
  app.openapi(route.changeLines, async (context) => {
    const { turn, from, limit = FILES_AT_ONCE } = context.req.valid('query');
    const turns = await turnsOf(context, context.req.valid('param').session);
    const { files, next } = await changeLines(await findStretch(turns, turn), { from, limit });
    return reply(context, route.changeLines, {
      files: files.map(({ path, hunks, cut, before, after }) => ({
        path,
        hunks: shownHunks(hunks, { before, after }),
        cut,
      })),
      ...(next !== undefined && { next }),
    });
  });
}
