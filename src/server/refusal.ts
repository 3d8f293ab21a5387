/** Errors as HTTP answers: one table, one shape. */
import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { type ErrorCode, GlassboxError } from '../event/index.js';

type RefusalStatus = 400 | 401 | 403 | 404 | 409 | 413 | 429 | 500 | 503;

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

/** Neither the caller's fault nor said in words for people. */
export function isUnexpected(error: unknown): boolean {
  return !(error instanceof GlassboxError) && !(error instanceof HTTPException);
}

/** What went wrong inside is never told in detail. */
export function refuseError(error: unknown, context: Context): Response {
  if (error instanceof GlassboxError) return refuse(context, STATUSES[error.code], error.code, error.message);
  if (error instanceof HTTPException && error.status === 400) {
    return refuse(context, 400, 'invalid-request', 'The body is not JSON.');
  }
  return refuse(context, 500, 'internal', 'The server failed at this request. Its log says why.');
}
