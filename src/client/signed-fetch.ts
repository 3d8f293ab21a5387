/** `fetch` for a page that came in: each request is signed, and only for a server that has just proved to be the one the page knows. */
import { digestOf, formatAuthorization, sign, statement } from '../proof/index.js';
import type { ApiError } from './api.js';
import type { PageCredential } from './log-in.js';
import { verifyServer } from './verify-server.js';

export interface SignedFetch {
  /** To the page's own server, with a path and a text as body, which is all that the client sends. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** The connection was lost: whoever answers next has to prove who he is. */
  doubt(): void;
}

export function createSignedFetch(credential: PageCredential, send: typeof fetch = fetch): SignedFetch {
  const { origin, browser, page, certificate, serverKey } = credential;
  // The document came from the server itself, a moment ago.
  let boot: Promise<string> | undefined = Promise.resolve(credential.boot);
  let count = 0;

  /** Somebody else may have asked again in the meantime. */
  const doubt = (believed: Promise<string>): void => {
    if (boot === believed) boot = undefined;
  };

  const attempt = async (path: string, init: RequestInit, isLast: boolean): Promise<Response> => {
    boot ??= verifyServer(origin, serverKey, send);
    const believed = boot;
    try {
      const { method = 'GET', body } = init;
      const { pathname, search } = new URL(path, origin);
      const here = { origin, boot: await believed };
      count += 1;
      const said = { ...here, pageKey: page.publicText, count };
      const digest = await digestOf(typeof body === 'string' ? body : '');
      const signature = await sign(page, statement.request({ ...said, method, target: pathname + search, digest }));
      const headers = new Headers(init.headers);
      headers.set('authorization', formatAuthorization({ ...said, browser, certificate, digest, signature }));
      const response = await send(`${origin}${path}`, { ...init, headers });
      if (response.status !== 401 || isLast || !(await isStale(response))) return response;
    } catch (error) {
      doubt(believed);
      throw error;
    }
    doubt(believed);
    return attempt(path, init, true);
  };

  return {
    fetch: (path, init = {}) => attempt(path, init, false),
    doubt() {
      boot = undefined;
    },
  };
}

/** The server was started again since. */
async function isStale(response: Response): Promise<boolean> {
  const body = (await response
    .clone()
    .json()
    .catch(() => undefined)) as Partial<ApiError> | undefined;
  return body?.error?.code === 'stale';
}
