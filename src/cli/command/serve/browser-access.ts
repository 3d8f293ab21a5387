/** `glassbox serve --link`, `--browsers`, `--forget`: who may come in. */
import { createClient } from '../../../client/index.js';
import { formatAgo } from '../../../client/moment.js';
import { GlassboxError } from '../../../event/index.js';
import { refuseInsideRun } from '../../../run/index.js';
import { openKnownBrowsers } from '../../../server/known-browsers.js';
import { sharedBrowsers } from '../../../server/shared-lobby.js';
import type { Store } from '../../../store/index.js';
import { createPaint } from '../../../view/text/palette.js';
import { safe } from '../../../view/text/safe.js';
import { print } from '../../print/sink.js';
import { table } from '../../print/table.js';
import { askServers } from './running-server.js';

type Stdout = NodeJS.WriteStream;

export async function printLink(folder: string, stdout: Stdout): Promise<void> {
  await refuseInsideRun('let a browser in');
  const made = await askServers(folder, ({ url, token }) => createClient({ url, token }).createLink());
  if (made.length === 0) {
    throw new GlassboxError('not-found', 'No server of yours is running. Start one: glassbox serve');
  }
  for (const { link } of made) await print(stdout, linkText(link));
}

export function linkText(link: string): string[] {
  return ['Open this link to log a browser in; it works once:', '', `  ${safe(link)}`, ''];
}

/** Those of this machine, or those that all hubs over the store know. */
const browsersOf = (folder: string, store: Store) =>
  store.fleet?.logins ? sharedBrowsers(store.fleet.logins) : openKnownBrowsers(folder);

export async function printBrowsers(folder: string, store: Store, stdout: Stdout): Promise<void> {
  const browsers = await browsersOf(folder, store).list();
  const rows = browsers.map(({ id, name, origin, createdAt, usedAt }) =>
    [id, formatAgo(usedAt), `since ${formatAgo(createdAt)}`, origin, name].map((text) => ({ text: safe(text) })),
  );
  await print(stdout, table(rows, createPaint(false), stdout.columns));
}

/** A server that runs notices that it is gone. */
export async function forgetBrowser(folder: string, store: Store, id: string): Promise<void> {
  const browsers = browsersOf(folder, store);
  const ids = id === 'all' ? (await browsers.list()).map((browser) => browser.id) : [id];
  let isForgotten = true;
  for (const one of ids) isForgotten = (await browsers.forget(one)) && isForgotten;
  if (!isForgotten)
    throw new GlassboxError('not-found', 'No such browser is logged in. See glassbox serve --browsers.');
}
