/** The page's one connection to the server it came from. Nothing is asked before the page has come in. */
import { atom } from 'nanostores';
import { ClientError, createClient } from '../../../client/index.js';
import { createSignedFetch, type SignedFetch } from '../../../client/signed-fetch.js';
import { ForeignServer } from '../../../client/verify-server.js';
import { type Entry, enter, type Outside, onWorker, takeFound } from './entry.js';

/** Why the page is not in; absent while it is, or nobody knows yet. */
export const $outside = atom<Outside | undefined>();
/** Somebody else answers at this address. */
export const $isForeign = atom(false);

const found = takeFound();
let entering: Promise<Entry> | undefined;
let signed: SignedFetch | undefined;
let isTakenOver = false;

onWorker(() => {
  isTakenOver = true;
});

/** A server that is started again is there within a second or two, and to ask it costs next to nothing. */
const RETRY_MS = [100, 200, 400, 700, 1000];

export const client = createClient({
  fetch: send,
  onLost: () => signed?.doubt(),
  retryMs: RETRY_MS,
  whileLost: onReturn,
});

/** Timers of a page that nobody looks at sleep for up to a minute. */
function onReturn(again: () => void): () => void {
  const look = () => {
    if (document.visibilityState === 'visible') again();
  };
  document.addEventListener('visibilitychange', look);
  addEventListener('online', again);
  return () => {
    document.removeEventListener('visibilitychange', look);
    removeEventListener('online', again);
  };
}

async function send(path: string, init: RequestInit): Promise<Response> {
  signed ??= await comeIn();
  try {
    if (isTakenOver) throw new ForeignServer();
    const response = await signed.fetch(path, init);
    $isForeign.set(false);
    return response;
  } catch (error) {
    if (error instanceof ForeignServer) $isForeign.set(true);
    throw error;
  }
}

/** Its id, where the server knows it. */
export async function thisBrowser(): Promise<string | undefined> {
  const entry = await entering;
  return typeof entry === 'object' ? entry.browser : undefined;
}

async function comeIn(): Promise<SignedFetch> {
  entering ??= enter(found);
  try {
    const entry = await entering;
    if (typeof entry !== 'string') {
      signed ??= createSignedFetch(entry);
      return signed;
    }
    $outside.set(entry);
  } catch (error) {
    entering = undefined;
    throw error;
  }
  throw new ClientError(401, 'unauthorized', 'This browser is not logged in.');
}

/** The server does not know this browser, or no longer does. */
export function isLoggedOut(error: unknown): boolean {
  return error instanceof ClientError && error.status === 401;
}

/** What a person may read about a failed request. */
export function messageOf(error: unknown): string {
  if (error instanceof ClientError || error instanceof ForeignServer) return error.message;
  return 'The server does not answer. Is glassbox still running?';
}
