/** What every request must pass before anything reads it, and what every answer carries. */
import type { HttpBindings } from '@hono/node-server';
import type { Context, MiddlewareHandler } from 'hono';
import { insideRefusal } from '../run/index.js';
import type { Access } from './access.js';
import type { Address } from './address.js';
import type { OwnRuns } from './own-runs.js';
import { peerOf } from './peer.js';
import { lookingOnly, readingOnly } from './principal.js';
import { refuse, refuseError } from './refusal.js';
import type { Env } from './requires.js';

/** No name but ours reaches us (DNS rebinding), no foreign page acts for us (CSRF), and nothing is shared (no CORS). */
export function createOriginCheck({ answersTo }: Pick<Address, 'answersTo'>): MiddlewareHandler {
  return async (context, next) => {
    protect(context);
    const { req } = context;
    const host = req.header('host') ?? '';
    if (!answersTo(host)) {
      return refuse(
        context,
        403,
        'forbidden',
        'This server does not answer to that host name. Add it with --allow-host.',
      );
    }
    const origin = req.header('origin');
    const changes = req.method !== 'GET' && req.method !== 'HEAD';
    if (changes && origin !== undefined && hostOf(origin) !== host) {
      return refuse(context, 403, 'forbidden', 'Requests from other pages are refused.');
    }
    return next();
  };
}

/** Nothing of the API is reached by somebody who is not known. */
export function createAccessCheck(options: {
  access: Access;
  readOnly: boolean;
  isOpen: boolean;
}): MiddlewareHandler<Env> {
  const { access, readOnly, isOpen: isOverheard } = options;
  return async (context, next) => {
    const { req } = context;
    if (isOpen(req.path, req.method)) return next();
    const { incoming } = context.env as HttpBindings;
    const found = await access.identify({
      authorization: req.header('authorization') ?? '',
      origin: req.header('origin'),
      method: req.method,
      target: incoming.url ?? '',
      body: () => req.arrayBuffer(),
    });
    if (found === 'stale')
      return refuse(context, 401, 'stale', 'The server was started again. Sign for its new start.');
    if (found === 'unknown') {
      return refuse(
        context,
        401,
        'unauthorized',
        'Open the link that `glassbox serve --link` prints, or send a bearer token.',
      );
    }
    context.set('principal', isOverheard ? lookingOnly(found) : readOnly ? readingOnly(found) : found);
    return next();
  };
}

export interface AskedFor {
  run: string;
  approval: string;
}

/** Nobody inside a run acts for the person, known or not; the run that is asked for an answer, or the one around, tells of it. */
export function createOutsideCheck(options: {
  runs: OwnRuns;
  tellOfAnswer(asked: AskedFor, inside: string): Promise<void>;
}): MiddlewareHandler<Env> {
  const { runs, tellOfAnswer } = options;
  return async (context, next) => {
    const { method, path } = context.req;
    if (method === 'GET' || method === 'HEAD') return next();
    const peer = await peerOf((context.env as HttpBindings).incoming.socket);
    if (peer === 'outside') return next();
    const [, run, approval] = /^\/api\/runs\/([^/]+)\/approvals\/([^/]+)\/[a-z]+$/.exec(path) ?? [];
    if (run !== undefined && approval !== undefined) await tellOfAnswer({ run, approval }, peer.inside);
    else runs.tellOfAttempt(peer.inside, 'act through the server');
    return refuseError(insideRefusal('act through the server'), context, () => {});
  };
}

/** Pages and styles hold no data, and before somebody is known he must be able to come in. */
function isOpen(path: string, method: string): boolean {
  if (path === '/api/hello') return method === 'GET';
  if (path === '/api/login') return method === 'POST';
  return method === 'GET' && !path.startsWith('/api/') && path !== '/openapi.json' && path !== '/metrics';
}

function protect(context: Context): void {
  context.header('content-security-policy', contentPolicy());
  context.header('x-content-type-options', 'nosniff');
  context.header('x-frame-options', 'DENY');
  context.header('referrer-policy', 'no-referrer');
  context.header('cross-origin-opener-policy', 'same-origin');
  context.header('cross-origin-resource-policy', 'same-origin');
  context.header('cache-control', 'no-store');
}

/**
 * Scripts only from here, and those in the document itself only by their digest; images also as data, because tools return them;
 * inline styles only as attributes.
 */
export function contentPolicy(inlineScripts: readonly string[] = []): string {
  const digests = inlineScripts.map((digest) => ` 'sha256-${digest}'`).join('');
  return [
    "default-src 'none'",
    `script-src 'self'${digests}`,
    "style-src 'self'",
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function hostOf(origin: string): string | undefined {
  try {
    return new URL(origin).host;
  } catch {
    return undefined;
  }
}
