/** How the page comes in when it is loaded: with what the server wrote into its document, and with a key or a code. */
import { atom } from 'nanostores';
import { ClientError } from '../../../client/index.js';
import { type DocumentSecrets, openPage, type PageCredential, type Place, register } from '../../../client/log-in.js';
import { codeIn, guestMark, isGuestLink } from '../../../proof/index.js';
import { loadKey, saveKey } from './browser-key.js';

/**
 * Why it stays outside. `unknown`: no key and no code; `refused`: a code that was used or is of an earlier start; `insecure`: a browser
 * that hides its keys from addresses like this one; `unsent`: the document did not come to a window of its own.
 */
export type Outside = 'unknown' | 'refused' | 'insecure' | 'unsent';

export type Entry = PageCredential | Outside;

/** What this screen and the one that lets it in both show, while it waits outside. */
export const $guestMark = atom<string | undefined>();

/** What only this page may know. */
export interface Found {
  code: string | undefined;
  /** Somebody who is in has to agree. */
  isGuest: boolean;
  welcome: DocumentSecrets | undefined;
}

/** Takes it out of the document and the address, where others could read it. */
export function takeFound(): Found {
  // A link that is opened where the page is already only changes the address.
  window.addEventListener('hashchange', () => codeIn(location.hash) !== undefined && location.reload());
  const isGuest = isGuestLink(location.hash);
  return { code: takeCode(), isGuest, welcome: takeDocumentSecrets() };
}

/** Throws when the server does not answer; to be tried again then. */
export async function enter({ code, isGuest, welcome }: Found): Promise<Entry> {
  if (!isSecureContext) return 'insecure';
  if (await dropWorkers()) return reload(code, isGuest);
  if (!welcome) return 'unsent';
  const place: Place = { origin: location.origin, welcome };
  try {
    return (await enterByKey(place)) ?? (await enterByCode(place, code, isGuest));
  } catch (error) {
    // The server was started again while the page was on its way.
    if (error instanceof ClientError && error.code === 'stale') return reload(code, isGuest);
    throw error;
  }
}

/** Loads the page again to come in with a code: only a document that just came from the server can. */
export function enterWith(code: string): void {
  void reload(code);
}

async function enterByKey(place: Place): Promise<PageCredential | undefined> {
  const key = await loadKey();
  return key && unlessRefused(openPage(place, key));
}

async function enterByCode(place: Place, code: string | undefined, isGuest: boolean): Promise<Entry> {
  if (code === undefined) return 'unknown';
  const tell = (pageKey: string) => void guestMark(pageKey).then((mark) => $guestMark.set(mark));
  const registered = await unlessRefused(register(place, code, isGuest ? tell : undefined));
  $guestMark.set(undefined);
  if (!registered) return 'refused';
  await saveKey(registered.browser);
  return registered.credential;
}

async function unlessRefused<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ClientError && error.code === 'unauthorized') return undefined;
    throw error;
  }
}

/** Behind `#` no server sees it; here neither the history nor the next reader of the address does. */
function takeCode(): string | undefined {
  const code = location.hash === '' ? undefined : codeIn(location.hash);
  if (code !== undefined) history.replaceState(history.state, '', location.pathname + location.search);
  return code;
}

function takeDocumentSecrets(): DocumentSecrets | undefined {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="welcome"]');
  meta?.remove();
  const [boot, ticket] = meta?.content.split(' ') ?? [];
  return boot !== undefined && ticket !== undefined ? { boot, ticket } : undefined;
}

/**
 * This page has none: one that is here was left by somebody else, and would read everything. When the browser looks for its script,
 * which no worker can hinder, the server learns of it too.
 */
async function dropWorkers(): Promise<boolean> {
  const workers: ServiceWorkerContainer | undefined = navigator.serviceWorker;
  if (!workers?.controller) return false;
  for (const one of await workers.getRegistrations()) {
    await one.update().catch(() => {});
    await one.unregister();
  }
  return true;
}

/** From then on every word to the server would go through it. Where a reload leads nobody knows, so the page only falls silent. */
export function onWorker(act: () => void): void {
  const workers: ServiceWorkerContainer | undefined = navigator.serviceWorker;
  workers?.addEventListener('controllerchange', act);
}

function reload(code?: string, isGuest = false): Promise<never> {
  if (code !== undefined) location.hash = `${isGuest ? 'guest' : 'login'}=${code}`;
  location.reload();
  return new Promise(() => {});
}
