/**
 * One line per thing that can be asked: where, with what, and which answers exist. The OpenAPI document is this table.
 *
 * The routes are internal: their inferred types name packages that nobody who installs glassbox has.
 */
import { createRoute, type RouteConfig } from '@hono/zod-openapi';
import type { Replies } from '../client/api.js';
import type { Scope } from './principal.js';
import described from './replies.json' with { type: 'json' };
import { requires } from './requires.js';
import * as schema from './schema.js';

const WORDS: Record<number, string> = {
  200: 'Done.',
  201: 'Started.',
  400: 'The request makes no sense; the message says why.',
  401: 'Nobody knows who asks.',
  403: 'Not allowed here: read-only, a foreign origin, a directory or a permission that is not allowed.',
  404: 'There is no such thing.',
  409: 'Too late, or in a state that does not allow it.',
  413: 'The body is too large, or does not say its size.',
  415: 'The body is not JSON.',
  429: 'Too many requests; `Retry-After` says for how long.',
  500: 'The server failed at it. Its log says why.',
  503: 'The store failed.',
};

type Statuses = readonly (200 | 201 | 400 | 401 | 404 | 409 | 413 | 415 | 503)[];

/** Whoever asks from a foreign address or too often is refused, and anything may fail. */
const ALWAYS = [403, 429, 500] as const;

/**
 * What comes back: the reply of this name when it was done, and why not otherwise. Of a stream, every message is such a reply.
 * @internal
 */
export function replies<Name extends keyof Replies>(operationId: Name, statuses: Statuses, media = 'application/json') {
  const reply: object = described.replies[operationId];
  const responses: RouteConfig['responses'] = Object.fromEntries(
    [...statuses, ...ALWAYS].map((status) => {
      const content =
        status < 400 ? { [media]: { schema: reply } } : { 'application/json': { schema: schema.refusal } };
      return [status, { description: WORDS[status] ?? '', content }];
    }),
  );
  return { operationId, responses };
}

/**
 * Whoever asks must be known and have the scope.
 * @internal
 */
export const needs = (scope: Scope) => {
  const security: Record<string, string[]>[] = [{ token: [scope] }, { browser: [scope] }];
  return { security, middleware: requires(scope) };
};

/** @internal */
export const body = <Schema>(of: Schema) => ({ content: { 'application/json': { schema: of } }, required: true });

/** @internal */
export const health = createRoute({
  summary: 'What this server is and may do.',
  ...needs('view'),
  method: 'get',
  path: '/api/health',
  ...replies('health', [200, 401]),
});

/** @internal */
export const agents = createRoute({
  summary: 'The agents, which of them are installed, and what they can do.',
  ...needs('view'),
  method: 'get',
  path: '/api/agents',
  ...replies('agents', [200, 401]),
});

/** @internal */
export const listSessions = createRoute({
  summary: 'Sessions, the latest first, page by page.',
  ...needs('view'),
  method: 'get',
  path: '/api/sessions',
  request: { query: schema.sessionQuery },
  ...replies('listSessions', [200, 400, 401, 503]),
});

/** @internal */
export const watchSessions = createRoute({
  summary:
    'Sessions, waiting questions and what the sessions do, as they change: a `snapshot` first, then `update`s and `presence`s.',
  ...needs('view'),
  method: 'get',
  path: '/api/sessions/stream',
  ...replies('watchSessions', [200, 401, 503], 'text/event-stream'),
});

/** @internal */
export const showSession = createRoute({
  summary: 'One session with its runs, and what it does now.',
  ...needs('view'),
  method: 'get',
  path: '/api/sessions/{session}',
  request: { params: schema.sessionParam },
  ...replies('showSession', [200, 400, 401, 404, 409, 503]),
});

/** @internal */
export const handOver = createRoute({
  summary: "How to go on with it in the agent's own interactive program.",
  ...needs('view'),
  method: 'get',
  path: '/api/sessions/{session}/open',
  request: { params: schema.sessionParam },
  ...replies('handOver', [200, 400, 401, 404, 409, 503]),
});

/** @internal */
export const labelSession = createRoute({
  summary: 'Gives a session a name, or keeps it.',
  ...needs('operate'),
  method: 'patch',
  path: '/api/sessions/{session}',
  request: { params: schema.sessionParam, body: body(schema.labelRequest) },
  ...replies('labelSession', [200, 400, 401, 404, 409, 413, 415, 503]),
});

/** @internal */
export const removeSession = createRoute({
  summary: 'Deletes a session and all that is kept of it, unless it runs.',
  ...needs('operate'),
  method: 'delete',
  path: '/api/sessions/{session}',
  request: { params: schema.sessionParam },
  ...replies('removeSession', [200, 400, 401, 404, 409, 503]),
});

/** @internal */
export const listTurns = createRoute({
  summary: 'The turns of a session, and what each did to the files, as far as they are kept on this machine.',
  ...needs('view'),
  method: 'get',
  path: '/api/sessions/{session}/turns',
  request: { params: schema.sessionParam },
  ...replies('listTurns', [200, 400, 401, 404, 409, 503]),
});

/** @internal */
export const listChanges = createRoute({
  summary: 'What a session, or one of its turns, did to the files, and what became of each since.',
  ...needs('view'),
  method: 'get',
  path: '/api/sessions/{session}/changes',
  request: { params: schema.sessionParam, query: schema.changesQuery },
  ...replies('listChanges', [200, 400, 401, 404, 409, 503]),
});

/** @internal */
export const changeLines = createRoute({
  summary: 'The lines that a session, or one of its turns, changed, some files at a time.',
  ...needs('view'),
  method: 'get',
  path: '/api/sessions/{session}/changes/lines',
  request: { params: schema.sessionParam, query: schema.changeLinesQuery },
  ...replies('changeLines', [200, 400, 401, 404, 409, 503]),
});

/** @internal */
export const planRewind = createRoute({
  summary: 'What going back to a turn would change, against the files as they are now.',
  ...needs('operate'),
  method: 'get',
  path: '/api/sessions/{session}/rewind',
  request: { params: schema.sessionParam, query: schema.rewindQuery },
  ...replies('planRewind', [200, 400, 401, 404, 409, 503]),
});

/** @internal */
export const rewindHunks = createRoute({
  summary: 'The lines of one file that going back would change.',
  ...needs('operate'),
  method: 'get',
  path: '/api/sessions/{session}/rewind/hunks',
  request: { params: schema.sessionParam, query: schema.rewindHunkQuery },
  ...replies('rewindHunks', [200, 400, 401, 404, 409, 503]),
});

/** @internal */
export const rewind = createRoute({
  summary: 'Takes files back to what they were at a turn, as a plan showed it.',
  ...needs('operate'),
  method: 'post',
  path: '/api/sessions/{session}/rewind',
  request: { params: schema.sessionParam, body: body(schema.rewindRequest) },
  ...replies('rewind', [200, 400, 401, 404, 409, 413, 415, 503]),
});

/** @internal */
export const undoRewind = createRoute({
  summary: 'Takes the last rewind of a session back.',
  ...needs('operate'),
  method: 'post',
  path: '/api/sessions/{session}/rewind/undo',
  request: { params: schema.sessionParam },
  ...replies('undoRewind', [200, 400, 401, 404, 409, 503]),
});

/** @internal */
export const exportSession = createRoute({
  summary: 'The session as one file to download.',
  ...needs('view'),
  method: 'get',
  path: '/api/sessions/{session}/export',
  request: { params: schema.sessionParam, query: schema.exportQuery },
  ...replies('exportSession', [200, 400, 401, 404, 409, 503], 'text/plain'),
});

/** @internal */
export const say = createRoute({
  summary: 'Says something to the running agent, or resumes the session with it.',
  ...needs('run'),
  method: 'post',
  path: '/api/sessions/{session}/say',
  request: { params: schema.sessionParam, body: body(schema.sayRequest) },
  ...replies('say', [201, 400, 401, 404, 409, 413, 415, 503]),
});

/** @internal */
export const start = createRoute({
  summary: 'Starts an agent.',
  ...needs('run'),
  method: 'post',
  path: '/api/runs',
  request: { body: body(schema.startRequest) },
  ...replies('start', [201, 400, 401, 404, 409, 413, 415]),
});

/** @internal */
export const startChoices = createRoute({
  summary: 'What there is to choose from before an agent is started: models, slash commands, a work tree.',
  ...needs('run'),
  method: 'get',
  path: '/api/start',
  request: { query: schema.startQuery },
  ...replies('startChoices', [200, 400, 401, 503]),
});

/** @internal */
export const findFiles = createRoute({
  summary: 'Files of a project by a part of their paths, the nearest first.',
  ...needs('run'),
  method: 'get',
  path: '/api/files',
  request: { query: schema.fileQuery },
  ...replies('findFiles', [200, 400, 401, 503]),
});

/** @internal */
export const events = createRoute({
  summary:
    "All events of a run, kept and to come. A message's id is the `seq`; `Last-Event-ID` or `from` resume. Ends after `run-end`.",
  ...needs('view'),
  method: 'get',
  path: '/api/runs/{run}/events',
  request: { params: schema.runParam, query: schema.eventsQuery },
  ...replies('events', [200, 400, 401, 404, 503], 'text/event-stream'),
});

/** @internal */
export const approve = createRoute({
  summary: 'Allows what the agent asks for, changed or not.',
  ...needs('approve'),
  method: 'post',
  path: '/api/runs/{run}/approvals/{approval}/approve',
  request: { params: schema.approvalParam, body: body(schema.approveRequest) },
  ...replies('approve', [200, 400, 401, 404, 409, 413, 415, 503]),
});

/** @internal */
export const deny = createRoute({
  summary: 'Refuses what the agent asks for.',
  ...needs('approve'),
  method: 'post',
  path: '/api/runs/{run}/approvals/{approval}/deny',
  request: { params: schema.approvalParam, body: body(schema.denyRequest) },
  ...replies('deny', [200, 400, 401, 404, 409, 413, 415, 503]),
});

/** @internal */
export const answer = createRoute({
  summary: "Answers the agent's questions or fills in its form.",
  ...needs('approve'),
  method: 'post',
  path: '/api/runs/{run}/approvals/{approval}/answer',
  request: { params: schema.approvalParam, body: body(schema.answerRequest) },
  ...replies('answer', [200, 400, 401, 404, 409, 413, 415, 503]),
});

/** @internal */
export const interrupt = createRoute({
  summary: 'Ends what the agent does now; it can be spoken to afterwards.',
  ...needs('operate'),
  method: 'post',
  path: '/api/runs/{run}/interrupt',
  request: { params: schema.runParam },
  ...replies('interrupt', [200, 400, 401, 404, 409, 503]),
});

/** @internal */
export const cancel = createRoute({
  summary: 'Ends the run.',
  ...needs('operate'),
  method: 'post',
  path: '/api/runs/{run}/cancel',
  request: { params: schema.runParam },
  ...replies('cancel', [200, 400, 401, 404, 409, 503]),
});

/** @internal */
export const decisions = createRoute({
  summary: 'What was decided about the questions of agents, in all sessions, the latest first.',
  ...needs('view'),
  method: 'get',
  path: '/api/decisions',
  request: { query: schema.decisionQuery },
  ...replies('decisions', [200, 400, 401, 503]),
});

/** @internal */
export const search = createRoute({
  summary: 'Sessions in which words occur, and where.',
  ...needs('view'),
  method: 'get',
  path: '/api/search',
  request: { query: schema.findQuery },
  ...replies('search', [200, 400, 401, 503]),
});

/** @internal */
export const cost = createRoute({
  summary: 'What was spent, summed up.',
  ...needs('view'),
  method: 'get',
  path: '/api/cost',
  request: { query: schema.costQuery },
  ...replies('cost', [200, 400, 401, 503]),
});

/** @internal */
export const hello = createRoute({
  summary: 'The server proves itself before a page says anything to it.',
  method: 'get',
  path: '/api/hello',
  security: [],
  request: { query: schema.helloQuery },
  ...replies('hello', [200, 400]),
});

/** @internal */
export const login = createRoute({
  summary: 'A browser comes in, with a code or with its key.',
  method: 'post',
  path: '/api/login',
  security: [],
  request: { body: body(schema.loginRequest) },
  ...replies('login', [200, 400, 401, 413, 415]),
});

/** @internal */
export const createLink = createRoute({
  summary: 'A link and a code for one more browser.',
  ...needs('administer'),
  method: 'post',
  path: '/api/links',
  ...replies('createLink', [201, 401]),
});

/** @internal */
export const listBrowsers = createRoute({
  summary: 'The browsers that were let in.',
  ...needs('administer'),
  method: 'get',
  path: '/api/browsers',
  ...replies('listBrowsers', [200, 401]),
});

/** @internal */
export const forgetBrowser = createRoute({
  summary: 'Sends a browser away.',
  ...needs('administer'),
  method: 'delete',
  path: '/api/browsers/{browser}',
  request: { params: schema.browserParam },
  ...replies('forgetBrowser', [200, 400, 401, 404]),
});
