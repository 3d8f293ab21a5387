/** A code for a phone, who waits at the door because of it, and what is said to them. */
import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { GuestAnswer } from '../client/api.js';
import { GlassboxError } from '../event/index.js';
import { guestLinkWith } from '../proof/index.js';
import type { Access } from './access.js';
import type { Address } from './address.js';
import { reply } from './reply.js';
import type { Env } from './requires.js';
import { body, needs, replies } from './route.js';

const createGuestLink = createRoute({
  summary: 'A link for a phone: it lives two minutes, works once, and whoever comes by it has to be confirmed.',
  ...needs('administer'),
  method: 'post',
  path: '/api/guests',
  ...replies('createGuestLink', [201, 401, 409]),
});

const listGuests = createRoute({
  summary: 'Who came by such a link and waits to be confirmed.',
  ...needs('administer'),
  method: 'get',
  path: '/api/guests',
  ...replies('listGuests', [200, 401]),
});

const guestAnswer = z.strictObject({ letIn: z.boolean() }).openapi('GuestAnswer') satisfies z.ZodType<GuestAnswer>;

const answerGuest = createRoute({
  summary: 'Lets one of them in, or sends it away.',
  ...needs('administer'),
  method: 'post',
  path: '/api/guests/{guest}',
  request: { params: z.object({ guest: z.string().regex(/^[\w-]{1,64}$/) }), body: body(guestAnswer) },
  ...replies('answerGuest', [200, 400, 401, 404, 413, 415]),
});

export function addGuestRoutes(app: OpenAPIHono<Env>, { access, address }: { access: Access; address: Address }): void {
  app.openapi(createGuestLink, async (context) => {
    const [url] = address.elsewhere;
    if (url === undefined) throw new GlassboxError('conflict', address.isHereAlone ? UNREACHABLE : NAMELESS);
    const { code, endsAt } = await access.guests.createCode();
    return reply(context, createGuestLink, { link: guestLinkWith(url, code), endsAt });
  });
  app.openapi(listGuests, async (context) => reply(context, listGuests, await access.guests.waiting()));
  app.openapi(answerGuest, async (context) => {
    const { letIn } = context.req.valid('json');
    if (!(await access.guests.admit(context.req.valid('param').guest, letIn)))
      throw new GlassboxError('not-found', 'Nobody of this name waits any more.');
    return reply(context, answerGuest, {});
  });
}

const NAMELESS =
  'Other devices reach this server, but it does not know by which name. Start it with an address of this machine (--host 192.168.1.20), or say a name of it (--allow-host), and with a certificate (--tls-cert, --tls-key).';
const UNREACHABLE =
  'Other devices cannot reach this server: it listens to this machine only. Start it with --host and a certificate (--tls-cert, --tls-key), or behind a proxy that speaks https (--behind-proxy, --allow-host).';
