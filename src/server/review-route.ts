/** What can be asked about the review of a session's changes: where, with what, and which answers exist. */
import { createRoute, z } from '@hono/zod-openapi';
import type { CommentChange, CommentRequest, SendCommentsRequest } from '../client/api.js';
import { body, needs, replies } from './route.js';
import * as schema from './schema.js';

const text = z.string().trim().min(1).max(20_000);
const line = z.int().min(1).max(10_000_000);

const commentRequest = z
  .strictObject({
    path: z.string().min(1).max(4096),
    side: z.enum(['new', 'old']),
    start: line,
    end: line,
    quote: z.array(z.string().max(10_000)).min(1).max(2000),
    text,
    turn: z.int().nonnegative().max(999_999).optional(),
  })
  .openapi('CommentRequest') satisfies z.ZodType<CommentRequest>;

const commentChange = z.strictObject({ text }).openapi('CommentChange') satisfies z.ZodType<CommentChange>;

const sendRequest = z
  .strictObject({ comments: z.array(z.string().min(1).max(128)).min(1).max(1000) })
  .openapi('SendCommentsRequest') satisfies z.ZodType<SendCommentsRequest>;

const commentParam = schema.sessionParam.extend({ comment: z.string().min(1).max(128) });

/** @internal */
export const changeMakers = createRoute({
  summary: 'Who made the lines that a session, or one of its turns, changed, as far as anything proves it.',
  ...needs('view'),
  method: 'get',
  path: '/api/sessions/{session}/changes/makers',
  request: { params: schema.sessionParam, query: schema.changeLinesQuery },
  ...replies('changeMakers', [200, 400, 401, 404, 409, 503]),
});

/** @internal */
export const listComments = createRoute({
  summary:
    'What people said to lines of a session’s changes, sent and not yet sent, and whether those lines changed since.',
  ...needs('view'),
  method: 'get',
  path: '/api/sessions/{session}/comments',
  request: { params: schema.sessionParam },
  ...replies('listComments', [200, 400, 401, 404, 409, 503]),
});

/** @internal */
export const addComment = createRoute({
  summary: 'Keeps a comment on lines of a session’s changes until it is sent.',
  ...needs('operate'),
  method: 'post',
  path: '/api/sessions/{session}/comments',
  request: { params: schema.sessionParam, body: body(commentRequest) },
  ...replies('addComment', [201, 400, 401, 404, 409, 413, 415, 503]),
});

/** @internal */
export const changeComment = createRoute({
  summary: 'Says a comment otherwise that was not sent yet.',
  ...needs('operate'),
  method: 'patch',
  path: '/api/sessions/{session}/comments/{comment}',
  request: { params: commentParam, body: body(commentChange) },
  ...replies('changeComment', [200, 400, 401, 404, 409, 413, 415, 503]),
});

/** @internal */
export const removeComment = createRoute({
  summary: 'Takes a comment away that was not sent yet.',
  ...needs('operate'),
  method: 'delete',
  path: '/api/sessions/{session}/comments/{comment}',
  request: { params: commentParam },
  ...replies('removeComment', [200, 400, 401, 404, 409, 503]),
});

/** @internal */
export const sendComments = createRoute({
  summary: 'Sends comments as one message: the running agent hears it, or the session goes on with it.',
  ...needs('run'),
  method: 'post',
  path: '/api/sessions/{session}/comments/send',
  request: { params: schema.sessionParam, body: body(sendRequest) },
  ...replies('sendComments', [201, 400, 401, 404, 409, 413, 415, 503]),
});
