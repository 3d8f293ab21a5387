/** `glassbox serve --link`, `--browsers`, `--forget`: who may come in. */
import type { BrowserRecord } from '../../../client/api.js';
import { createClient } from '../../../client/index.js';
import { formatAgo } from '../../../client/moment.js';
import { GlassboxError } from '../../../event/index.js';
import { openKnownBrowsers } from '../../../server/known-browsers.js';
import { sharedBrowsers } from '../../../server/shared-lobby.js';
import { createPaint } from '../../../view/text/palette.js';
import { safe } from '../../../view/text/safe.js';
import type { StoreFlag } from '../../flag/store-flag.js';
import { type Hub, orRefusal } from '../../hub.js';
import { withStore } from '../../kept/with-store.js';
import { print } from '../../print/sink.js';
import { table } from '../../print/table.js';
import { askServers } from './running-server.js';

type Stdout = NodeJS.WriteStream;

export async function printLink(folder: string, hub: Hub | undefined, stdout: Stdout): Promise<void> {
  const made = hub
    ? [await orRefusal(hub.client.createLink())]
    : await askServers(folder, ({ url, token }) => createClient({ url, token }).createLink());
  if (made.length === 0) {
    throw new GlassboxError('not-found', 'No server of yours is running. Start one: glassbox serve');
  }
  for (const { link } of made) await print(stdout, linkText(link));
}

export function linkText(link: string): string[] {
  return ['Open this link to log a browser in; it works once:', '', `  ${safe(link)}`, ''];
}

interface Browsers {
  list(): readonly BrowserRecord[] | Promise<readonly BrowserRecord[]>;
  /** False when there is none. */
  forget(id: string): boolean | Promise<boolean>;
}

/** Those that a hub knows, those that all hubs over the store know, or those of this machine. */
export async function withBrowsers(
  folder: string,
  hub: Hub | undefined,
  flags: StoreFlag,
  work: (browsers: Browsers) => Promise<void>,
): Promise<void> {
  if (hub) return work(atHub(hub));
  await withStore(flags, (store) =>
    work(store.fleet?.logins ? sharedBrowsers(store.fleet.logins) : openKnownBrowsers(folder)),
  );
}

function atHub({ client }: Hub): Browsers {
  const list = () => orRefusal(client.browsers());
  return {
    list,
    async forget(id) {
      if (!(await list()).some((browser) => browser.id === id)) return false;
      await orRefusal(client.forgetBrowser(id));
      return true;
    },
  };
}

export async function printBrowsers(browsers: Browsers, stdout: Stdout): Promise<void> {
  const rows = (await browsers.list()).map(({ id, name, origin, createdAt, usedAt }) =>
    [id, formatAgo(usedAt), `since ${formatAgo(createdAt)}`, origin, name].map((text) => ({ text: safe(text) })),
  );
  await print(stdout, table(rows, createPaint(false), stdout.columns));
}

/** A server that runs notices that it is gone. */
export async function forgetBrowser(browsers: Browsers, id: string): Promise<void> {
  const ids = id === 'all' ? (await browsers.list()).map((browser) => browser.id) : [id];
  let isForgotten = true;
  for (const one of ids) isForgotten = (await browsers.forget(one)) && isForgotten;
  if (!isForgotten)
    throw new GlassboxError('not-found', 'No such browser is logged in. See glassbox serve --browsers.');
}
