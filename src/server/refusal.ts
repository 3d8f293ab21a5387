/** Errors as HTTP answers: one table, one shape. */
import type { Context } from 'hono';
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

/** What went wrong inside is never told in detail. */
export function refuseError(error: unknown, context: Context): Response {
  if (error instanceof GlassboxError) return refuse(context, STATUSES[error.code], error.code, error.message);
  return refuse(context, 500, 'internal', 'The server failed at this request. Its log says why.');
}
