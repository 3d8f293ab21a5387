/**
 * Who loads the document: a window of its own, or something that runs under this address and wants to read it. Browsers say which, and
 * no script can change what they say. All of it matters only after somebody else listened on this port, but then it must hold.
 */
import type { Context, MiddlewareHandler } from 'hono';
import type { Access } from './access.js';

/** A new window or tab, or one that went here, and nobody between it and the server. */
export function isWindow({ req }: Context): boolean {
  return (
    req.header('sec-fetch-dest') === 'document' && req.header('sec-fetch-mode') === 'navigate' && !isWorkers({ req })
  );
}

/** Nobody who opened the window can reach into it, not even from this address; where a browser cannot do that, no other address can. */
export function openerPolicy({ req }: Context): string {
  return /\bFirefox\//.test(req.header('user-agent') ?? '') ? 'same-origin' : 'noopener-allow-popups';
}

/**
 * This page has no service worker. One that is here was left by somebody who listened on this port before: the browser is told to
 * drop it with everything else that is kept for this address, and pages that it may have read are void.
 */
export function createWorkerGuard(options: { access: Access; log: (text: string) => void }): MiddlewareHandler {
  const { access, log } = options;
  return async (context, next) => {
    if (!isWorkers(context)) return next();
    context.header('clear-site-data', '"storage", "cache"');
    if (context.req.header('service-worker') === undefined) return next();
    await access.secrets.renew();
    log('A browser had a service worker that is not ours, for this address. It was told to drop it; log it in again.');
    return context.body(null, 404);
  };
}

/** Its script, what it asks for ahead of a window, or what it passes on for one. */
function isWorkers({ req }: Pick<Context, 'req'>): boolean {
  return (
    req.header('service-worker') !== undefined ||
    req.header('service-worker-navigation-preload') !== undefined ||
    (req.header('sec-fetch-mode') === 'navigate' && req.header('sec-fetch-dest') === 'empty')
  );
}
