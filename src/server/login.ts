/**
 * How a browser comes in: once by a code, afterwards by its own key. Both only for a page that the server itself sent to a window
 * of its own (`ticket`): whatever else runs under this address, left over from somebody who listened here before, has none.
 */
import type { LoginAnswer, LoginRequest, OpenRequest, RegisterRequest } from '../client/api.js';
import { createCode, isMac, isSignature, randomText, type SigningKey, sign, statement } from '../proof/index.js';
import { browserName } from './browser-name.js';
import type { Guests } from './guests.js';
import type { KnownBrowser, KnownBrowsers } from './known-browsers.js';
import type { ServerSecrets } from './server-secrets.js';

/** What the browser says by itself. */
interface From {
  origin: string;
  userAgent: string;
  /** Whose program it is, as the system says. */
  user: string;
}

export interface Login {
  /** Lets one browser in, once, while this server runs. */
  createCode(): string;
  /** Absent when the browser is not let in. */
  logIn(request: LoginRequest, from: From): Promise<LoginAnswer | undefined>;
}

export interface LoginOptions {
  identity: SigningKey;
  browsers: KnownBrowsers;
  secrets: ServerSecrets;
  guests: Guests;
  log: (text: string) => void;
  now?: () => number;
}

/** Whoever asks for more of them than anybody opens loses the oldest. */
const MOST_CODES = 32;

export function createLogin({ identity, browsers, secrets, guests, log, now = Date.now }: LoginOptions): Login {
  const codes = new Set<string>();
  const here = ({ origin, user }: From) => ({ origin, boot: secrets.boot(), ticket: secrets.ticket(user) });

  const takeCode = async (said: string, mac: string): Promise<boolean> => {
    // Nobody else may take it between the look and the use.
    for (const code of codes) if ((await isMac(code, said, mac)) && codes.delete(code)) return true;
    return false;
  };

  const register = async (request: RegisterRequest, from: From) => {
    const { browserKey, pageKey, mac } = request;
    const said = statement.register({ ...here(from), browserKey, pageKey });
    const name = browserName(from.userAgent);
    const isLetIn = (await takeCode(said, mac)) || (await guests.ask(said, mac, { name, pageKey }));
    if (!isLetIn) return undefined;
    const id = randomText().replace(/\W/g, '').slice(0, 8);
    log(`${name} was let in. If that was not you: glassbox serve --forget ${id}`);
    return { id, name, origin: from.origin, key: browserKey, createdAt: now() };
  };

  const recognise = async (request: OpenRequest, from: From) => {
    const { browser, pageKey, signature } = request;
    const known = browsers.find(browser);
    if (known?.origin !== from.origin) return undefined;
    const said = statement.open({ ...here(from), browser, pageKey });
    return (await isSignature(known.key, said, signature)) ? known : undefined;
  };

  return {
    createCode() {
      const code = createCode();
      codes.add(code);
      for (const old of codes) if (codes.size > MOST_CODES) codes.delete(old);
      return code;
    },
    async logIn(request, from) {
      const found = 'mac' in request ? await register(request, from) : await recognise(request, from);
      // One that was known may have been sent away while that was checked.
      if (!found || ('browser' in request && !browsers.find(found.id))) return undefined;
      const browser: KnownBrowser = { ...found, usedAt: now() };
      browsers.keep(browser);
      const { id, name, origin } = browser;
      const { pageKey } = request;
      const certificate = await sign(
        identity,
        statement.page({ origin, epoch: secrets.epoch(), browser: id, pageKey }),
      );
      return { browser: id, name, certificate, serverKey: identity.publicText };
    },
  };
}
