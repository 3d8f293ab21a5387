/** One server, and one browser that is logged in, for all tests of a file; each test has a script, a page and sessions of its own. */
import type { BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import type { Client } from '../../src/client/index.js';
import type { ServerOptions } from '../../src/server/index.js';
import type { Step } from '../fake-agent/lines.js';
import { enter, newContext, newPage, type Visit } from './browser.js';
import { type ServedPage, servePages } from './serve-page.js';

export interface Opened extends Visit {
  served: ServedPage;
  /** What the next agent that is started does. */
  play(script: readonly Step[]): ServedPage;
}

export type OpenPage = (script: readonly Step[]) => Promise<Opened>;

/** Behind `useBrowser`. Gives what opens the page for a test: as one who just came in finds it, without a session. */
export function useOneServer(options: Partial<ServerOptions> = {}): OpenPage {
  let one: Awaited<ReturnType<typeof servePages>>;
  let context: BrowserContext;
  beforeAll(async () => {
    one = await servePages(options);
    context = await newContext();
    const { page } = await enter(await newPage(context), one);
    await page.close();
  });
  afterAll(async () => {
    await context.close();
    await one.close();
  });
  return async (script) => {
    const served = one.play(script);
    const visit = await newPage(context);
    onTestFinished(async () => {
      // Half-written words are remembered.
      await visit.page.evaluate('localStorage.clear()');
      for (const page of context.pages()) await page.close();
      await context.clearPermissions();
      await removeSessions(one.client);
    });
    await visit.page.goto(one.server.url);
    return { ...visit, served, play: one.play };
  };
}

async function removeSessions(client: Client): Promise<void> {
  for (const { id, runs } of (await client.sessions()).items) {
    for (const { runId, state } of runs) {
      // It may end by itself in the meantime.
      if (state !== 'ended') await client.cancel(runId).catch(() => {});
      for await (const _ of client.events(runId));
    }
    await client.remove(id);
  }
}
