/**
 * What a server remembers of browsers: its own key, ways in that wait to be used, guests, who was let in, and which pages they opened. One that is
 * alone keeps it in files of its own; hubs that share a store keep it there, so that a browser is known to each of them.
 */
import type { SigningKey } from '../proof/index.js';
import { createGuests, type Guest } from './guests.js';
import { createHeardRequests } from './heard-requests.js';
import { openIdentity } from './identity.js';
import { type KnownBrowser, openKnownBrowsers } from './known-browsers.js';
import { createLinkCodes } from './link-codes.js';
import { openServerSecrets } from './server-secrets.js';

type Awaitable<Value> = Value | Promise<Value>;

export interface Lobby {
  readonly identity: SigningKey;
  readonly secrets: Secrets;
  readonly codes: LinkCodes;
  readonly guests: Guests;
  readonly browsers: Browsers;
  readonly pages: OpenPages;
}

export interface Secrets {
  /** Public; signed requests name it. */
  boot(): Awaitable<string>;
  /** Stands only in documents that a window of its own loaded from here; for a program of another user it is another one. */
  ticket(user: string): Awaitable<string>;
  /** Stays over a start: pages that are open go on. */
  epoch(): Awaitable<string>;
  /** Every page has to be loaded again. */
  renew(): Awaitable<void>;
}

/** Codes of links, each of which lets one browser in. */
export interface LinkCodes {
  add(code: string): Awaitable<void>;
  all(): Awaitable<Iterable<string>>;
  /** True for one alone. */
  take(code: string): Awaitable<boolean>;
}

export interface Guests {
  createCode(): Awaitable<{ code: string; endsAt: number }>;
  waiting(): Awaitable<Guest[]>;
  /** False when nobody of this id waits any more. */
  admit(id: string, isLetIn: boolean): Awaitable<boolean>;
  /** Absent when the code is none of these; otherwise whether somebody agreed, which may take until the code has ended. */
  ask(said: string, mac: string, from: { name: string; pageKey: string }): Promise<boolean | undefined>;
}

export interface Browsers {
  list(): Awaitable<KnownBrowser[]>;
  find(id: string): Awaitable<KnownBrowser | undefined>;
  keep(browser: KnownBrowser): Awaitable<void>;
  /** It is here again. False when it was sent away. */
  touch(id: string): Awaitable<boolean>;
  /** False when there is none. */
  forget(id: string): Awaitable<boolean>;
  /** For who watches a stream. What cannot be asked is believed. */
  isKnown(id: string): Awaitable<boolean>;
}

export interface OpenPages {
  /** The browser loaded a page, which has this key. */
  open(pageKey: string, browser: string): Awaitable<void>;
  /** True for each number of a page once; what is too far behind the highest one counts as heard. */
  hear(pageKey: string, browser: string, count: number): Awaitable<boolean>;
}

/** Without a folder all of it is forgotten with the server. */
export async function openLobby(folder?: string): Promise<Lobby> {
  return {
    identity: await openIdentity(folder),
    secrets: openServerSecrets(folder),
    codes: createLinkCodes(),
    guests: createGuests(),
    browsers: openKnownBrowsers(folder),
    pages: createHeardRequests(),
  };
}
