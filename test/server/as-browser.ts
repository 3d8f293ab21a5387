/** A browser as far as a server can tell: it loads the page in a window, keeps a key and signs what it asks. */
import { request } from 'node:http';
import { type BrowserKey, openPage, type PageCredential, type Place, register } from '../../src/client/log-in.js';
import { createSignedFetch, type SignedFetch } from '../../src/client/signed-fetch.js';
import { codeIn } from '../../src/proof/index.js';

export const WINDOW = { 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate' };
const USER_AGENT = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

export interface Loaded {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

/** As a browser loads an address; `fetch` does not let a caller say these headers. */
export function load(url: string, headers: Record<string, string> = WINDOW): Promise<Loaded> {
  return new Promise((resolve, reject) => {
    request(url, { headers }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => {
        body += text;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }));
    })
      .on('error', reject)
      .end();
  });
}

/** What stands in a document that came to a window. */
export function welcomeIn(body: string): { boot: string; ticket: string } | undefined {
  const [, boot, ticket] = /<meta name="welcome" content="(\S+) (\S+)"/.exec(body) ?? [];
  return boot !== undefined && ticket !== undefined ? { boot, ticket } : undefined;
}

export interface BrowserInTest extends SignedFetch {
  key: BrowserKey;
  credential: PageCredential;
}

/** Comes in by a link, as its first page does. */
export async function comeIn(url: string, link: string): Promise<BrowserInTest> {
  const { browser, credential } = await register(await placeAt(url), codeIn(link) ?? '');
  return { key: browser, credential, ...createSignedFetch(credential, fromPage(url)) };
}

/** Loads another page with the key that it keeps. */
export async function comeBack(url: string, key: BrowserKey): Promise<BrowserInTest> {
  const credential = await openPage(await placeAt(url), key);
  return { key, credential, ...createSignedFetch(credential, fromPage(url)) };
}

export async function placeAt(url: string): Promise<Place> {
  const { body } = await load(`${url}/`);
  return { origin: url, welcome: welcomeIn(body) ?? { boot: 'none', ticket: 'none' }, fetch: fromPage(url) };
}

/** Says where it comes from, as a browser does by itself. */
function fromPage(origin: string): typeof fetch {
  return (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set('user-agent', USER_AGENT);
    if (init?.method !== undefined && init.method !== 'GET') headers.set('origin', origin);
    return fetch(input, { ...init, headers });
  };
}
