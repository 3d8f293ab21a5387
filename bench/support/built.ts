/** Not bundled: the built package as users have it, and a library that finds its browser beside itself. */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';

const built = path.dirname(process.env.BENCH_CLI ?? 'dist/cli.js');

export const pageFolder = path.join(built, 'web');
export const { startServer } = (await load('server.js')) as typeof import('../../src/server/index.js');
export const { openStore } = (await load('store.js')) as typeof import('../../src/store/index.js');

export async function launchBrowser(): Promise<Browser> {
  const { chromium } = (await import(String('playwright-core'))) as typeof import('playwright-core');
  const { default: packed } = (await import(String('@sparticuz/chromium'))) as typeof import('@sparticuz/chromium');
  return chromium.launch({
    executablePath: await packed.executablePath(),
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  });
}

function load(file: string): Promise<unknown> {
  return import(pathToFileURL(path.join(built, file)).href);
}
