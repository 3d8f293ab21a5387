/**
 * One line per thing that can be asked: where, with what, and which answers exist. The OpenAPI document is this table.
 *
 * The routes are internal: their inferred types name packages that nobody who installs glassbox has.
 */
import { createRoute, type RouteConfig } from '@hono/zod-openapi';
import * as schema from './schema.js';

const WORDS: Record<number, string> = {
  200: 'Done.',
  201: 'Started.',
  400: 'The request makes no sense; the message says why.',
  401: 'Nobody knows who asks.',
  403: 'Not allowed here: read-only, a foreign origin, or a directory that is not allowed.',
  404: 'There is no such thing.',
  409: 'Too late, or in a state that does not allow it.',
  503: 'The store failed.',
};

type Statuses = readonly (200 | 201 | 400 | 401 | 403 | 404 | 409 | 503)[];

function responses(statuses: Statuses, media = 'application/json'): RouteConfig['responses'] {
  return Object.fromEntries(
    statuses.map((status) => {
      const isRefusal = status >= 400;
      const content = {
        [isRefusal ? 'application/json' : media]: { schema: isRefusal ? schema.refusal : schema.anyObject },
      };
      return [status, { description: WORDS[status] ?? '', content }];
    }),
  );
}

const body = <Schema>(of: Schema) => ({ content: { 'application/json': { schema: of } }, required: true });

/** @internal */
export const health = createRoute({ method: 'get', path: '/api/health', responses: responses([200, 401]) });

/** @internal */
export const agents = createRoute({ method: 'get', path: '/api/agents', responses: responses([200, 401]) });

/** @internal */
export const listSessions = createRoute({
  method: 'get',
  path: '/api/sessions',
  request: { query: schema.sessionQuery },
  responses: responses([200, 400, 401, 503]),
});

/** `event: message`; data is a `SessionsMessage`: a snapshot first, then what changes. @internal */
export const watchSessions = createRoute({
  method: 'get',
  path: '/api/sessions/stream',
  responses: responses([200, 401, 503], 'text/event-stream'),
});

/** @internal */
export const showSession = createRoute({
  method: 'get',
  path: '/api/sessions/{session}',
  request: { params: schema.sessionParam },
  responses: responses([200, 401, 404, 503]),
});

/** @internal */
export const removeSession = createRoute({
  method: 'delete',
  path: '/api/sessions/{session}',
  request: { params: schema.sessionParam },
  responses: responses([200, 401, 403, 404, 409, 503]),
});

/** @internal */
export const exportSession = createRoute({
  method: 'get',
  path: '/api/sessions/{session}/export',
  request: { params: schema.sessionParam, query: schema.exportQuery },
  responses: responses([200, 400, 401, 404, 503], 'text/plain'),
});

/** @internal */
export const say = createRoute({
  method: 'post',
  path: '/api/sessions/{session}/say',
  request: { params: schema.sessionParam, body: body(schema.sayRequest) },
  responses: responses([201, 400, 401, 403, 404, 409, 503]),
});

/** @internal */
export const start = createRoute({
  method: 'post',
  path: '/api/runs',
  request: { body: body(schema.startRequest) },
  responses: responses([201, 400, 401, 403, 404, 409]),
});

/** `id` is the event's seq; `Last-Event-ID` or `from` resume. Ends after `run-end`. @internal */
export const events = createRoute({
  method: 'get',
  path: '/api/runs/{run}/events',
  request: { params: schema.runParam, query: schema.eventsQuery },
  responses: responses([200, 400, 401, 404, 503], 'text/event-stream'),
});

/** @internal */
export const approve = createRoute({
  method: 'post',
  path: '/api/runs/{run}/approvals/{approval}/approve',
  request: { params: schema.approvalParam, body: body(schema.approveRequest) },
  responses: responses([200, 400, 401, 403, 404, 409, 503]),
});

/** @internal */
export const deny = createRoute({
  method: 'post',
  path: '/api/runs/{run}/approvals/{approval}/deny',
  request: { params: schema.approvalParam, body: body(schema.denyRequest) },
  responses: responses([200, 400, 401, 403, 404, 409, 503]),
});

/** @internal */
export const answer = createRoute({
  method: 'post',
  path: '/api/runs/{run}/approvals/{approval}/answer',
  request: { params: schema.approvalParam, body: body(schema.answerRequest) },
  responses: responses([200, 400, 401, 403, 404, 409, 503]),
});

/** @internal */
export const interrupt = createRoute({
  method: 'post',
  path: '/api/runs/{run}/interrupt',
  request: { params: schema.runParam },
  responses: responses([200, 401, 403, 404, 409]),
});

/** @internal */
export const cancel = createRoute({
  method: 'post',
  path: '/api/runs/{run}/cancel',
  request: { params: schema.runParam },
  responses: responses([200, 401, 403, 404, 409]),
});

/** @internal */
export const search = createRoute({
  method: 'get',
  path: '/api/search',
  request: { query: schema.findQuery },
  responses: responses([200, 400, 401, 503]),
});

/** @internal */
export const cost = createRoute({
  method: 'get',
  path: '/api/cost',
  request: { query: schema.costQuery },
  responses: responses([200, 400, 401, 503]),
});
