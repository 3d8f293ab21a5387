/**
 * How a browser comes in: once by a code, afterwards by its own key. Both only for a page that the server itself sent to a window
 * of its own (`ticket`): whatever else runs under this address, left over from somebody who listened here before, has none.
 */
import type { LoginAnswer, LoginRequest, OpenRequest, RegisterRequest } from '../client/api.js';
import { createCode, isMac, isSignature, randomText, sign, statement } from '../proof/index.js';
import { browserName } from './browser-name.js';
import type { Lobby } from './lobby.js';

/** What the browser says by itself. */
interface From {
  origin: string;
  userAgent: string;
  /** Whose program it is, as the system says. */
  user: string;
}

export interface Login {
  /** Lets one browser in, once. */
  createCode(): Promise<string>;
  /** Absent when the browser is not let in. */
  logIn(request: LoginRequest, from: From): Promise<LoginAnswer | undefined>;
}

export interface LoginOptions {
  lobby: Lobby;
  log: (text: string) => void;
  now?: () => number;
}

export function createLogin({ lobby, log, now = Date.now }: LoginOptions): Login {
  const { identity, browsers, secrets, guests, codes, pages } = lobby;
  const here = async ({ origin, user }: From) => {
    return { origin, boot: await secrets.boot(), ticket: await secrets.ticket(user) };
  };

  const takeCode = async (said: string, mac: string): Promise<boolean> => {
    // Nobody else may take it between the look and the use.
    for (const code of await codes.all()) if ((await isMac(code, said, mac)) && (await codes.take(code))) return true;
    return false;
  };

  const register = async (request: RegisterRequest, from: From) => {
    const { browserKey, pageKey, mac } = request;
    const said = statement.register({ ...(await here(from)), browserKey, pageKey });
    const name = browserName(from.userAgent);
    const isLetIn = (await takeCode(said, mac)) || (await guests.ask(said, mac, { name, pageKey }));
    if (!isLetIn) return undefined;
    const id = randomText().replace(/\W/g, '').slice(0, 8);
    const at = now();
    await browsers.keep({ id, name, origin: from.origin, key: browserKey, createdAt: at, usedAt: at });
    log(`${name} was let in. If that was not you: glassbox serve --forget ${id}`);
    return { id, name };
  };

  const recognise = async (request: OpenRequest, from: From) => {
    const { browser, pageKey, signature } = request;
    const known = await browsers.find(browser);
    if (known?.origin !== from.origin) return undefined;
    const said = statement.open({ ...(await here(from)), browser, pageKey });
    // One that was known may have been sent away while that was checked.
    return (await isSignature(known.key, said, signature)) && (await browsers.touch(browser)) ? known : undefined;
  };

  return {
    async createCode() {
      const code = createCode();
      await codes.add(code);
      return code;
    },
    async logIn(request, from) {
      const found = 'mac' in request ? await register(request, from) : await recognise(request, from);
      if (!found) return undefined;
      const { id, name } = found;
      const { origin } = from;
      const { pageKey } = request;
      await pages.open(pageKey, id);
      const epoch = await secrets.epoch();
      const certificate = await sign(identity, statement.page({ origin, epoch, browser: id, pageKey }));
      return { browser: id, name, certificate, serverKey: identity.publicText };
    },
  };
}
