/** Errors as HTTP answers: one table, one shape. */
import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { type ErrorCode, GlassboxError } from '../event/index.js';

type RefusalStatus = 400 | 401 | 403 | 404 | 409 | 413 | 415 | 429 | 500 | 503;

interface Refusal {
  status: RefusalStatus;
  code: string;
  message: string;
}

const STATUSES: Record<ErrorCode, RefusalStatus> = {
  'invalid-request': 400,
  'unsupported-capability': 400,
  'unknown-agent': 404,
  'not-installed': 409,
  'spawn-failed': 500,
  'not-found': 404,
  conflict: 409,
  unauthorized: 401,
  forbidden: 403,
  'read-failed': 500,
  'write-failed': 500,
  store: 503,
};

export function refuse(context: Context, status: RefusalStatus, code: string, message: string): Response {
  return context.json({ error: { code, message } }, status);
}

/** What went wrong inside is told in detail only to the log. */
export function refuseError(error: Error, context: Context, log: (text: string) => void): Response {
  const { status, code, message } = refusalOf(error);
  if (status >= 500) log(`${context.req.method} ${context.req.routePath}: ${causes(error)}`);
  return refuse(context, status, code, message);
}

function refusalOf(error: Error): Refusal {
  if (error instanceof GlassboxError) return { status: STATUSES[error.code], code: error.code, message: error.message };
  if (error instanceof HTTPException && error.status === 400) {
    return { status: 400, code: 'invalid-request', message: 'The body is not JSON.' };
  }
  return { status: 500, code: 'internal', message: 'The server failed at this request. Its log says why.' };
}

function causes(error: Error): string {
  const { cause } = error;
  return `${error.stack}${cause instanceof Error ? `\ncaused by ${causes(cause)}` : ''}`;
}
