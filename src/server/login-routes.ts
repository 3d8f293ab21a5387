/** What is asked before somebody is in, and about who else is. */
import type { HttpBindings } from '@hono/node-server';
import type { OpenAPIHono } from '@hono/zod-openapi';
import { GlassboxError } from '../event/index.js';
import { linkWith } from '../proof/index.js';
import type { Access } from './access.js';
import type { Address } from './address.js';
import { userOf } from './peer.js';
import { refuse } from './refusal.js';
import { reply } from './reply.js';
import type { Env } from './requires.js';
import * as route from './route.js';

export function addLoginRoutes(app: OpenAPIHono<Env>, options: { access: Access; address: Address }): void {
  const { access, address } = options;
  app.openapi(route.hello, async (context) => {
    const { origin, nonce } = context.req.valid('query');
    // A page of another address must not take who answers there for this server.
    if (!address.isOurs(origin)) throw new GlassboxError('forbidden', `This server is ${address.url}.`);
    return reply(context, route.hello, await access.greet(origin, nonce));
  });
  app.openapi(route.login, async (context) => {
    const request = context.req.valid('json');
    const origin = context.req.header('origin') ?? '';
    if (!address.isOurs(origin)) return refuse(context, 403, 'forbidden', `Log in at ${address.url}.`);
    if (request.boot !== (await access.secrets.boot())) return refuse(context, 401, 'stale', 'Load the page again.');
    const userAgent = context.req.header('user-agent') ?? '';
    const user = userOf((context.env as HttpBindings).incoming.socket, address);
    const answer = await access.logIn(request, { origin, userAgent, user });
    return answer
      ? reply(context, route.login, answer)
      : refuse(context, 401, 'unauthorized', 'This browser is not let in.');
  });
  app.openapi(route.createLink, async (context) => {
    const code = await access.createCode();
    // Whoever asks in a page is known under its address, and so will be the browser that follows.
    const origin = context.req.header('origin') ?? '';
    return reply(context, route.createLink, {
      link: linkWith(address.isOurs(origin) ? origin : address.front, code),
      code,
    });
  });
  app.openapi(route.listBrowsers, async (context) => {
    const browsers = (await access.browsers.list()).map(({ key: _, ...browser }) => browser);
    return reply(context, route.listBrowsers, browsers);
  });
  app.openapi(route.forgetBrowser, async (context) => {
    const isForgotten = await access.browsers.forget(context.req.valid('param').browser);
    if (!isForgotten) throw new GlassboxError('not-found', 'There is no such browser.');
    return reply(context, route.forgetBrowser, {});
  });
}
