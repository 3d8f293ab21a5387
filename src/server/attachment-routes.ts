/** Files come to the server to be attached: their content is looked at before anything is kept, and they are known by an id from then on. */
import { createRoute, type OpenAPIHono } from '@hono/zod-openapi';
import { keepAttachment } from '../run/index.js';
import { reply } from './reply.js';
import type { Env } from './requires.js';
import { body, needs, replies } from './route.js';
import * as schema from './schema.js';

const attach = createRoute({
  summary:
    'Takes a picture or a PDF that is to be attached to what an agent is told; it is kept until then, for a day.',
  ...needs('run'),
  method: 'post',
  path: '/api/attachments',
  request: { body: body(schema.attachRequest) },
  ...replies('attach', [201, 400, 401, 409, 413, 415]),
});

export function addAttachmentRoutes(app: OpenAPIHono<Env>): void {
  app.openapi(attach, (context) => {
    const { name, data } = context.req.valid('json');
    return reply(context, attach, keepAttachment({ name, data: Buffer.from(data, 'base64') }));
  });
}
