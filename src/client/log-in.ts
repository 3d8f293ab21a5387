/** How a page comes in: with a code that somebody gave it, or with the key that this browser registered before. */
import { createKey, type Key, macOf, type SigningKey, sign, statement } from '../proof/index.js';
import type { LoginAnswer, LoginRequest } from './api.js';
import { refusalIn } from './client-error.js';

/** What the server wrote into the document. */
export interface DocumentSecrets {
  boot: string;
  ticket: string;
}

/** What a browser keeps: by it the server knows it again. */
export interface BrowserKey {
  id: string;
  /** Can be used, and never read. */
  key: Key;
}

/** What a page has in its memory and nowhere else. */
export interface PageCredential {
  origin: string;
  browser: string;
  page: SigningKey;
  certificate: string;
  /** By it the page knows the server again. */
  serverKey: string;
  boot: string;
}

export interface Place {
  origin: string;
  welcome: DocumentSecrets;
  fetch?: typeof fetch;
}

/** Throws a `ClientError` when the code is wrong or was used. */
export async function register(
  place: Place,
  code: string,
  onKey: (pageKey: string) => void = () => {},
): Promise<{ browser: BrowserKey; credential: PageCredential }> {
  const [own, page] = await Promise.all([createKey(), createKey()]);
  const { boot, ticket } = place.welcome;
  const keys = { browserKey: own.publicText, pageKey: page.publicText };
  onKey(page.publicText);
  const mac = await macOf(code, statement.register({ origin: place.origin, boot, ticket, ...keys }));
  const credential = await ask(place, page, { boot, mac, ...keys });
  return { browser: { id: credential.browser, key: own.key }, credential };
}

/** Throws a `ClientError` when the browser is not known any more. */
export async function openPage(place: Place, { id, key }: BrowserKey): Promise<PageCredential> {
  const page = await createKey();
  const { boot, ticket } = place.welcome;
  const said = { browser: id, pageKey: page.publicText };
  const signature = await sign({ key }, statement.open({ origin: place.origin, boot, ticket, ...said }));
  return ask(place, page, { boot, signature, ...said });
}

async function ask({ origin, welcome, ...place }: Place, page: SigningKey, body: LoginRequest) {
  const send = place.fetch ?? fetch;
  const headers = { 'content-type': 'application/json' };
  const response = await send(`${origin}/api/login`, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw await refusalIn(response);
  const { browser, certificate, serverKey } = (await response.json()) as LoginAnswer;
  return { origin, browser, page, certificate, serverKey, boot: welcome.boot };
}
