/** What can be asked about tokens, the audit list, jobs, workers and budgets; a part of the table of `route.ts`. */
import { createRoute } from '@hono/zod-openapi';
import * as schema from './fleet-schema.js';
import { body, needs, replies } from './route.js';

/** @internal */
export const listTokens = createRoute({
  summary: 'The tokens that were made, also those that hold no longer; never the tokens themselves.',
  ...needs('administer'),
  method: 'get',
  path: '/api/tokens',
  ...replies('listTokens', [200, 400, 401, 503]),
});

/** @internal */
export const createToken = createRoute({
  summary: 'Makes a token for somebody or a program. It is told this once.',
  ...needs('administer'),
  method: 'post',
  path: '/api/tokens',
  request: { body: body(schema.tokenRequest) },
  ...replies('createToken', [201, 400, 401, 413, 415, 503]),
});

/** @internal */
export const revokeToken = createRoute({
  summary: 'Whoever has this token is no longer let in, after at most five seconds.',
  ...needs('administer'),
  method: 'delete',
  path: '/api/tokens/{token}',
  request: { params: schema.tokenParam },
  ...replies('revokeToken', [200, 400, 401, 404, 503]),
});

/** @internal */
export const audit = createRoute({
  summary: 'Who did what, the latest first. It can be read and not be changed.',
  ...needs('administer'),
  method: 'get',
  path: '/api/audit',
  request: { query: schema.auditQuery },
  ...replies('audit', [200, 400, 401, 503]),
});

/** @internal */
export const postJob = createRoute({
  summary: 'Sends work to a worker: to any that knows the project, to one with these labels, or to one by its name.',
  ...needs('run'),
  method: 'post',
  path: '/api/jobs',
  request: { body: body(schema.jobRequest) },
  ...replies('postJob', [201, 400, 401, 413, 415, 503]),
});

/** @internal */
export const listJobs = createRoute({
  summary: 'Jobs, the latest first.',
  ...needs('view'),
  method: 'get',
  path: '/api/jobs',
  request: { query: schema.jobQuery },
  ...replies('listJobs', [200, 400, 401, 503]),
});

/** @internal */
export const showJob = createRoute({
  summary: 'One job, with the run that it became.',
  ...needs('view'),
  method: 'get',
  path: '/api/jobs/{job}',
  request: { params: schema.jobParam },
  ...replies('showJob', [200, 400, 401, 404, 503]),
});

/** @internal */
export const cancelJob = createRoute({
  summary: 'Ends a job: at once where nobody began it, else as soon as its worker hears of it.',
  ...needs('operate'),
  method: 'post',
  path: '/api/jobs/{job}/cancel',
  request: { params: schema.jobParam },
  ...replies('cancelJob', [200, 400, 401, 404, 409, 503]),
});

/** @internal */
export const listWorkers = createRoute({
  summary: 'The workers, what they offer, and whether they are here.',
  ...needs('view'),
  method: 'get',
  path: '/api/workers',
  ...replies('listWorkers', [200, 400, 401, 503]),
});

/** @internal */
export const listBudgets = createRoute({
  summary: 'The budgets, and what was spent under them in their period.',
  ...needs('view'),
  method: 'get',
  path: '/api/budgets',
  ...replies('listBudgets', [200, 400, 401, 503]),
});

/** @internal */
export const claimJob = createRoute({
  summary: 'For a worker: the next job that it can do, for itself alone; waits for one.',
  ...needs('work'),
  method: 'post',
  path: '/api/work/claim',
  request: { body: body(schema.claimRequest) },
  ...replies('claimJob', [200, 400, 401, 413, 415, 503]),
});

/** @internal */
export const beatJobs = createRoute({
  summary: 'For a worker: it lives, and has these jobs. What is not in the reply it has no longer.',
  ...needs('work'),
  method: 'post',
  path: '/api/work/beat',
  request: { body: body(schema.beatRequest) },
  ...replies('beatJobs', [200, 400, 401, 413, 415, 503]),
});

/** @internal */
export const tellJob = createRoute({
  summary: 'For a worker: what becomes of a job that it claimed.',
  ...needs('work'),
  method: 'post',
  path: '/api/work/jobs/{job}',
  request: { params: schema.jobParam, body: body(schema.jobNews) },
  ...replies('tellJob', [200, 400, 401, 413, 415, 503]),
});
