/** What can be asked about parked sessions: where, with what, and which answers exist. */
import { createRoute } from '@hono/zod-openapi';
import { body, needs, replies } from './route.js';
import * as schema from './schema.js';

/** @internal */
export const listParked = createRoute({
  summary:
    'Sessions that a limit of the account stopped, as far as they ran on this machine; the one that goes on first, first.',
  ...needs('view'),
  method: 'get',
  path: '/api/parked',
  ...replies('listParked', [200, 401, 503]),
});

/** @internal */
export const goOn = createRoute({
  summary: 'Lets a parked session go on, now or at a moment.',
  ...needs('run'),
  method: 'post',
  path: '/api/sessions/{session}/go-on',
  request: { params: schema.sessionParam, body: body(schema.goOnRequest) },
  ...replies('goOn', [200, 400, 401, 404, 409, 413, 415, 503]),
});

/** @internal */
export const neverGoOn = createRoute({
  summary: 'A parked session does not go on by itself any more.',
  ...needs('operate'),
  method: 'delete',
  path: '/api/sessions/{session}/go-on',
  request: { params: schema.sessionParam },
  ...replies('neverGoOn', [200, 400, 401, 404, 409, 503]),
});
