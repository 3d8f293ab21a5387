/** A real server over a store in memory, whose agent is the fake one. */
import { afterEach } from 'vitest';
import { type Client, createClient } from '../../src/client/index.js';
import type { RunRequest } from '../../src/run/index.js';
import { type GlassboxServer, type ServerOptions, startServer } from '../../src/server/index.js';
import { openStore, type Store } from '../../src/store/index.js';
import type { Step } from '../fake-agent/lines.js';
import { scripted, temporaryDirectory } from '../fake-agent/play.js';

export interface Served {
  server: GlassboxServer;
  store: Store;
  client: Client;
  project: string;
  /** A request as a program would send it, with whatever headers. */
  send(path: string, init?: RequestInit & { token?: string | null }): Promise<Response>;
}

const served: Served[] = [];

afterEach(async () => {
  for (const { server, store } of served.splice(0)) {
    await server.close();
    await store.close();
  }
});

export async function serve(script: readonly Step[] = [], options: Partial<ServerOptions> = {}): Promise<Served> {
  const project = temporaryDirectory();
  const store = options.store ?? (await openStore(':memory:'));
  const { program, env, survivorGraceMs } = scripted(script);
  const runDefaults: Partial<RunRequest> = { program, env, survivorGraceMs };
  const server = await startServer({
    store,
    port: 0,
    projects: [project],
    runDefaults,
    log: (text) => console.error(text),
    ...options,
  });
  const client = createClient({ url: server.url, token: server.token, retryMs: [10] });
  const one: Served = {
    server,
    store,
    client,
    project,
    send(path, { token = server.token, headers, ...init } = {}) {
      const all = new Headers(headers);
      if (token !== null) all.set('authorization', `Bearer ${token}`);
      return fetch(`${server.url}${path}`, { redirect: 'manual', ...init, headers: all });
    },
  };
  served.push(one);
  return one;
}
