/** `glassbox serve --link`, `--browsers`, `--forget`: who may come in. */
import { createClient } from '../../../client/index.js';
import { formatAgo } from '../../../client/moment.js';
import { GlassboxError } from '../../../event/index.js';
import { refuseInsideRun } from '../../../run/index.js';
import { openKnownBrowsers } from '../../../server/known-browsers.js';
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

export async function printBrowsers(folder: string, stdout: Stdout): Promise<void> {
  const browsers = openKnownBrowsers(folder).list();
  const rows = browsers.map(({ id, name, origin, createdAt, usedAt }) =>
    [id, formatAgo(usedAt), `since ${formatAgo(createdAt)}`, origin, name].map((text) => ({ text: safe(text) })),
  );
  await print(stdout, table(rows, createPaint(false), stdout.columns));
}

/** A server that runs notices that the file is gone. */
export function forgetBrowser(folder: string, id: string): void {
  const browsers = openKnownBrowsers(folder);
  const ids = id === 'all' ? browsers.list().map((browser) => browser.id) : [id];
  const isForgotten = ids.map((one) => browsers.forget(one)).every(Boolean);
  if (!isForgotten)
    throw new GlassboxError('not-found', 'No such browser is logged in. See glassbox serve --browsers.');
}
