/**
 * Who did what, noted when it was done or refused. What only looks is not noted, nor what workers and streams say all the time. A path says what is
 * done, or else the route that it leads to (`deed`): a store that is used through a hub has one path for everything.
 */
import type { MiddlewareHandler } from 'hono';
import type { AuditTable } from '../store/index.js';
import type { Env } from './requires.js';

/** What is done by a path, and to what: the first part of it that is in brackets. */
const DEEDS: readonly (readonly [method: string, path: RegExp, deed: string])[] = [
  ['POST', /^\/api\/runs$/, 'run'],
  ['POST', /^\/api\/attachments$/, 'attach'],
  ['POST', /^\/api\/runs\/([^/]+)\/approvals\/[^/]+\/(?:approve|deny|answer)$/, 'decide'],
  ['POST', /^\/api\/runs\/([^/]+)\/interrupt$/, 'interrupt'],
  ['POST', /^\/api\/runs\/([^/]+)\/cancel$/, 'stop'],
  ['POST', /^\/api\/sessions\/([^/]+)\/say$/, 'say'],
  ['PATCH', /^\/api\/sessions\/([^/]+)$/, 'label'],
  ['DELETE', /^\/api\/sessions\/([^/]+)$/, 'delete'],
  ['POST', /^\/api\/sessions\/([^/]+)\/go-on$/, 'go on'],
  ['DELETE', /^\/api\/sessions\/([^/]+)\/go-on$/, 'never go on'],
  ['POST', /^\/api\/sessions\/([^/]+)\/rewind$/, 'rewind'],
  ['POST', /^\/api\/sessions\/([^/]+)\/rewind\/undo$/, 'rewind undo'],
  ['POST', /^\/api\/sessions\/([^/]+)\/comments$/, 'comment'],
  ['POST', /^\/api\/sessions\/([^/]+)\/comments\/send$/, 'comments send'],
  ['PATCH', /^\/api\/sessions\/([^/]+)\/comments\/[^/]+$/, 'comment change'],
  ['DELETE', /^\/api\/sessions\/([^/]+)\/comments\/[^/]+$/, 'comment delete'],
  ['POST', /^\/api\/links$/, 'login link'],
  ['POST', /^\/api\/guests$/, 'guest code'],
  ['POST', /^\/api\/guests\/([^/]+)$/, 'guest answer'],
  ['DELETE', /^\/api\/browsers\/([^/]+)$/, 'browser forget'],
  ['POST', /^\/api\/tokens$/, 'token create'],
  ['DELETE', /^\/api\/tokens\/([^/]+)$/, 'token revoke'],
  ['POST', /^\/api\/jobs$/, 'job post'],
  ['POST', /^\/api\/jobs\/([^/]+)\/cancel$/, 'job cancel'],
];

export interface Deed {
  deed: string;
  /** Which run, session, job or token. */
  subject?: string;
}

/** Undefined where nothing is noted. @internal */
export function deedOf(method: string, path: string): Deed | undefined {
  for (const [by, pattern, deed] of DEEDS) {
    const found = by === method ? pattern.exec(path) : null;
    if (!found) continue;
    const named = deed === 'decide' ? (path.split('/').at(-1) ?? deed) : deed;
    return { deed: named, ...(found[1] !== undefined && { subject: decoded(found[1]) }) };
  }
  return undefined;
}

/** Anything may stand in a path, also what no letter is written as. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function createAudit(audit: AuditTable | undefined, log: (text: string) => void): MiddlewareHandler<Env> {
  return async (context, next) => {
    await next();
    const done = audit && (context.get('deed') ?? deedOf(context.req.method, context.req.path));
    const principal = context.get('principal');
    if (!done || !principal) return;
    const { status } = context.res;
    // One that was made is noted where it is made, with what it may do.
    if (done.deed === 'token create' && status < 400) return;
    const detail = status < 400 ? undefined : `refused (${status})`;
    // What was done is done; that it could not be noted is for the log.
    await audit
      .add({ principal: principal.name, ...done, detail })
      .catch((error: unknown) => log(`The audit list could not be written: ${error}`));
  };
}
