/** Sends the page's document: with what makes it ours for a window at home, and the way home for the others. */
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { Access } from './access.js';
import type { Address } from './address.js';
import type { PageDocument } from './document.js';
import { peerOf, userOf } from './peer.js';
import { isWindow, openerPolicy } from './window.js';

export async function serveDocument(
  context: Context,
  page: PageDocument,
  { access, address }: { access: Access; address: Address },
): Promise<Response> {
  const host = context.req.header('host') ?? '';
  if (!address.isHome(host)) return leadHome(context, host, address.url);
  context.header('content-security-policy', page.policy);
  const { socket } = (context.env as HttpBindings).incoming;
  // Programs can say that they are windows. One that left a page in the browser would pass the ticket on to it.
  if (!isWindow(context) || (await peerOf(socket)) !== 'outside') return context.html(page.html());
  context.header('cross-origin-opener-policy', openerPolicy(context));
  const { secrets } = access;
  return context.html(page.html({ boot: await secrets.boot(), ticket: await secrets.ticket(userOf(socket, address)) }));
}

/** Another name for the same port is put right; behind another port there may be no way to the right one. */
function leadHome(context: Context, host: string, url: string): Response | Promise<Response> {
  const { pathname, search } = new URL(context.req.url);
  if (host.endsWith(`:${new URL(url).port}`)) return context.redirect(`${url}${pathname}${search}`);
  const here = host.replace(/[^\w.:[\]-]/g, '');
  return context.html(ELSEWHERE.replaceAll('HOME', url).replaceAll('HERE', here), 421);
}

const ELSEWHERE = `<!doctype html>
<html lang="en">
<meta charset="utf-8" />
<meta name="color-scheme" content="light dark" />
<title>glassbox is elsewhere</title>
<h1>glassbox is elsewhere</h1>
<p>This server is <code>HOME</code>, and you came by <code>HERE</code>.</p>
<p>If you forward a port to it, forward the same one, or start the server with <code>--allow-host HERE</code>.</p>
</html>
`;
