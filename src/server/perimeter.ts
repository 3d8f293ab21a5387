/** What every request must pass before anything reads it, and what every answer carries (decision 13). */
import type { Context, MiddlewareHandler } from 'hono';
import type { Access } from './access.js';
import { refuse } from './refusal.js';

export interface PerimeterOptions {
  access: Access;
  /** Hosts by which this server may be called, without port. */
  hosts: readonly string[];
  readOnly: boolean;
}

/** No name but ours reaches us (DNS rebinding), no foreign page acts for us (CSRF), and nothing is shared (no CORS). */
export function createPerimeter({ access, hosts, readOnly }: PerimeterOptions): MiddlewareHandler {
  return async (context, next) => {
    protect(context);
    const { req } = context;
    const host = req.header('host') ?? '';
    if (!hosts.includes(hostName(host))) {
      return refuse(
        context,
        403,
        'forbidden',
        'This server does not answer to that host name. Add it with --allow-host.',
      );
    }
    const changes = req.method !== 'GET' && req.method !== 'HEAD';
    const origin = req.header('origin');
    if (changes && origin !== undefined && originHost(origin) !== host) {
      return refuse(context, 403, 'forbidden', 'Requests from other pages are refused.');
    }
    if (isOpen(req.path, req.method)) return next();
    const known = access.isKnown({ authorization: req.header('authorization'), cookie: req.header('cookie') });
    if (!known) {
      return refuse(
        context,
        401,
        'unauthorized',
        'Open the link that `glassbox serve` printed, or send its token as a bearer token.',
      );
    }
    // A browser always says where a request comes from; one without that and with a cookie is not one of ours.
    const isProgram = req.header('authorization') !== undefined;
    if (changes && !isProgram && origin === undefined) {
      return refuse(context, 403, 'forbidden', 'Requests without an origin are refused.');
    }
    if (changes && readOnly) {
      return refuse(context, 403, 'forbidden', 'This server is read-only. Start it without --read-only to do this.');
    }
    return next();
  };
}

/** Pages and styles hold no data; everything else needs to know who asks. */
function isOpen(path: string, method: string): boolean {
  return method === 'GET' && !path.startsWith('/api/') && path !== '/openapi.json';
}

function protect(context: Context): void {
  context.header('content-security-policy', POLICY);
  context.header('x-content-type-options', 'nosniff');
  context.header('x-frame-options', 'DENY');
  context.header('referrer-policy', 'no-referrer');
  context.header('cross-origin-opener-policy', 'same-origin');
  context.header('cross-origin-resource-policy', 'same-origin');
  context.header('cache-control', 'no-store');
}

/** Scripts only from here; images also as data, because tools return them; inline styles only as attributes. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
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

function hostName(host: string): string {
  return host.startsWith('[') ? host.slice(0, host.indexOf(']') + 1) : (host.split(':')[0] ?? '');
}

function originHost(origin: string): string | undefined {
  try {
    return new URL(origin).host;
  } catch {
    return undefined;
  }
}
