/** A real server over a store in memory, whose agent is the fake one. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { type Client, createClient } from '../../src/client/index.js';
import type { RunRequest } from '../../src/run/index.js';
import { type GlassboxServer, type ServerOptions, startServer } from '../../src/server/index.js';
import { openStore, type Store } from '../../src/store/index.js';
import type { Step } from '../fake-agent/lines.js';
import { obedient, temporaryDirectory } from '../fake-agent/play.js';
import { listenAgain } from '../support/lasting-port.js';

export interface Served {
  server: GlassboxServer;
  store: Store;
  client: Client;
  project: string;
  /** A request as a program would send it, with whatever headers. */
  send(path: string, init?: RequestInit & { token?: string | null }): Promise<Response>;
}

/** For one test. */
export async function serve(script: readonly Step[] = [], options: Partial<ServerOptions> = {}): Promise<Served> {
  const { close, ...served } = await startServing(script, options);
  // Not a hook of this file: it is loaded once, whoever uses it.
  onTestFinished(close);
  return served;
}

/** Until somebody closes it. */
export async function startServing(
  script: readonly Step[] = [],
  options: Partial<ServerOptions> = {},
): Promise<Served & { close(): Promise<void> }> {
  const project = temporaryDirectory();
  const store = options.store ?? (await openStore(':memory:'));
  const { program, env, survivorGraceMs } = obedient(script);
  const runDefaults: Partial<RunRequest> = { program, env, survivorGraceMs };
  const server = await listenAgain(() =>
    startServer({
      store,
      port: 0,
      projects: [project],
      runDefaults,
      log: (text) => / was let in\./.test(text) || console.error(text),
      ...options,
    }),
  );
  const client = createClient({ url: server.url, token: server.token, retryMs: [10] });
  return {
    server,
    store,
    client,
    project,
    send(path, { token = server.token, headers, ...init } = {}) {
      const all = new Headers(headers);
      if (token !== null) all.set('authorization', `Bearer ${token}`);
      return fetch(`${server.url}${path}`, { redirect: 'manual', ...init, headers: all });
    },
    async close() {
      await server.close();
      if (!options.store) await store.close();
    },
  };
}

/** A page that is enough to be loaded. */
export function smallPage(): string {
  const folder = temporaryDirectory();
  mkdirSync(path.join(folder, 'assets'));
  writeFileSync(path.join(folder, 'assets', 'main.js'), 'export {};');
  const head = '<head><script type="module" src="/assets/main.js"></script></head>';
  writeFileSync(
    path.join(folder, 'index.html'),
    `<!doctype html><html>${head}<body><div id="app"></div></body></html>`,
  );
  return folder;
}
