/** What hubs over one store remember of browsers together: whichever a load balancer chooses, it knows them. */
import { createHmac } from 'node:crypto';
import { createCode, createKey, guestMark, isMac, randomText, readKey, writeKey } from '../proof/index.js';
import type { LoginTable } from '../store/index.js';
import { GUEST_MS, MOST_GUEST_LINKS } from './guests.js';
import type { KnownBrowser } from './known-browsers.js';
import { MOST_LINKS } from './link-codes.js';
import type { Browsers, Guests, Lobby, Secrets } from './lobby.js';

/** A link of a hub stands in the store until it is used, so it does not stand there for ever. */
const LINK_MS = 60 * 60 * 1000;

export interface SharedLobbyOptions {
  /** How long what another hub may have changed is believed. Default 1 s. */
  freshMs?: number;
  /** How often it is looked whether somebody answered a guest. Default 500 ms. */
  pollMs?: number;
  now?: () => number;
}

export async function openSharedLobby(table: LoginTable, options: SharedLobbyOptions = {}): Promise<Lobby> {
  const { pollMs = 500 } = options;
  const made = async () => ({ identity: await writeKey(await createKey({ isKept: true })), ...drawSecrets() });
  const { identity } = await table.secrets(made);
  return {
    identity: await readKey(identity),
    secrets: sharedSecrets(table, options),
    codes: {
      add: async (code) => void (await table.addCode({ code, kind: 'link', lifeMs: LINK_MS, most: MOST_LINKS })),
      all: () => table.codes('link'),
      take: async (code) => (await table.takeCode(code, 'link')) !== undefined,
    },
    guests: sharedGuests(table, pollMs),
    browsers: sharedBrowsers(table, options),
    pages: { open: table.addPage, hear: table.hear },
  };
}

const drawSecrets = () => ({ boot: randomText(), ticket: randomText(), epoch: randomText() });

const FRESH_MS = 1000;
const ticking = () => performance.now();

function sharedSecrets(table: LoginTable, { freshMs = FRESH_MS, now = ticking }: SharedLobbyOptions): Secrets {
  let last: { at: number; read: ReturnType<LoginTable['secrets']> } | undefined;
  const read = () => {
    if (!last || now() - last.at >= freshMs) {
      const known = last?.read;
      const asked = table.secrets(() => Promise.reject(new Error('There are no secrets of this store any more.')));
      // While the database is away a page is still told who answers; whatever it asks for then fails.
      last = { at: now(), read: known ? asked.catch(() => known) : asked };
    }
    return last.read;
  };
  return {
    boot: async () => (await read()).boot,
    ticket: async (user) =>
      createHmac('sha256', (await read()).ticket)
        .update(user)
        .digest('base64url'),
    epoch: async () => (await read()).epoch,
    async renew() {
      await table.renewSecrets(drawSecrets());
      last = undefined;
    },
  };
}

function sharedGuests(table: LoginTable, pollMs: number): Guests {
  return {
    async createCode() {
      const code = createCode();
      const kind = 'guest';
      return { code, endsAt: await table.addCode({ code, kind, lifeMs: GUEST_MS, most: MOST_GUEST_LINKS }) };
    },
    waiting: () => table.guests(),
    admit: (id, isLetIn) => table.answerGuest(id, isLetIn),
    async ask(said, mac, { name, pageKey }) {
      for (const code of await table.codes('guest')) {
        const leftMs = (await isMac(code, said, mac)) ? await table.takeCode(code, 'guest') : undefined;
        if (leftMs === undefined) continue;
        const id = randomText();
        await table.addGuest({ id, name, mark: await guestMark(pageKey) }, leftMs);
        try {
          return await answered(id, leftMs);
        } finally {
          await table.removeGuest(id);
        }
      }
      return undefined;
    },
  };

  async function answered(id: string, leftMs: number): Promise<boolean> {
    for (let waitedMs = 0; waitedMs < leftMs; waitedMs += pollMs) {
      const answer = await table.guestAnswer(id);
      if (answer !== undefined) return answer;
      await new Promise((resolve) => setTimeout(resolve, pollMs).unref());
    }
    return false;
  }
}

const MOST_SEEN = 4096;

export function sharedBrowsers(
  table: LoginTable,
  { freshMs = FRESH_MS, now = ticking }: SharedLobbyOptions = {},
): Browsers {
  /** Whether they were there when somebody looked last. */
  const seen = new Map<string, { isThere: boolean; at: number }>();
  const find = async (id: string): Promise<KnownBrowser | undefined> => {
    const browser = await table.findBrowser(id);
    seen.delete(id);
    seen.set(id, { isThere: browser !== undefined, at: now() });
    for (const old of seen.keys()) if (seen.size > MOST_SEEN) seen.delete(old);
    return browser;
  };
  return {
    find,
    list: () => table.browsers(),
    keep: (browser) => table.addBrowser(browser),
    touch: (id) => table.touchBrowser(id),
    async forget(id) {
      const isForgotten = await table.forgetBrowser(id);
      seen.set(id, { isThere: false, at: now() });
      return isForgotten;
    },
    async isKnown(id) {
      const last = seen.get(id);
      if (last && now() - last.at < freshMs) return last.isThere;
      return find(id).then(
        (browser) => browser !== undefined,
        () => last?.isThere ?? true,
      );
    },
  };
}
