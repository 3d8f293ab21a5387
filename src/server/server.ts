/** A glassbox server: bound to this machine, closed to strangers, and ending what it started when it ends. */
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import type { AgentInfo } from '../client/api.js';
import { GlassboxError } from '../event/index.js';
import type { Store } from '../store/index.js';
import { createAccess } from './access.js';
import { createApp } from './app.js';
import { createOwnRuns, type RunDefaults } from './own-runs.js';
import { loadPage } from './page.js';

export interface ServerOptions {
  store: Store;
  /** Default 127.0.0.1. Anything else is reachable from other machines. */
  host?: string;
  /** Default 4177; 0 takes any free one. */
  port?: number;
  /** Directories in which agents may be started, and below. Default: the current one. */
  projects?: readonly string[];
  readOnly?: boolean;
  /** Further host names by which the server may be called, for a proxy in front of it. */
  allowHosts?: readonly string[];
  /** Bearer token for programs; made up when absent. */
  token?: string;
  /** For what a request does not say; as a function, asked at each start for this agent in this directory. */
  runDefaults?: RunDefaults;
  agents?: () => Promise<AgentInfo[]>;
  /** Folder of the built page. */
  pageFolder?: string;
  version?: string;
  log?: (text: string) => void;
}

export interface GlassboxServer {
  readonly url: string;
  readonly token: string;
  /** A link that logs one browser in, once. */
  createLoginLink(): string;
  /** Ends all runs of this server, then stops answering. */
  close(): Promise<void>;
}

const DEFAULT_PORT = 4177;
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

export async function startServer(options: ServerOptions): Promise<GlassboxServer> {
  const { store, host = '127.0.0.1', port = DEFAULT_PORT, log = () => {} } = options;
  const projects = options.projects ?? [process.cwd()];
  const access = createAccess(options.token === undefined ? {} : { token: options.token });
  const runs = createOwnRuns({
    store,
    projects,
    ...(options.runDefaults && { defaults: options.runDefaults }),
    onStoreFailure: (error) => log(error.message),
  });
  const app = createApp({
    store,
    runs,
    access,
    projects,
    log,
    hosts: [...LOOPBACK, ...(isLoopback(host) ? [] : [host]), ...(options.allowHosts ?? [])],
    readOnly: options.readOnly ?? false,
    version: options.version ?? '0',
    agents: options.agents ?? (async () => []),
    page: loadPage(options.pageFolder ?? ''),
  });
  const server = serve({ fetch: app.fetch, hostname: host, port, overrideGlobalObjects: false });
  await new Promise<void>((resolve, reject) => {
    server.once('listening', resolve);
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(new GlassboxError('conflict', cannotListen(error, port))),
    );
  });
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`;

  return {
    url,
    token: access.token,
    createLoginLink: () => `${url}/login?code=${access.createLoginCode()}`,
    async close() {
      await runs.close();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        if ('closeAllConnections' in server) server.closeAllConnections();
      });
    },
  };
}

function isLoopback(host: string): boolean {
  return host === '::1' || LOOPBACK.includes(host);
}

function cannotListen(error: NodeJS.ErrnoException, port: number): string {
  if (error.code === 'EADDRINUSE') return `Port ${port} is taken. Choose another one with --port, or 0 for any.`;
  if (error.code === 'EACCES') return `Port ${port} needs more rights. Choose one above 1023 with --port.`;
  return `The server could not listen on port ${port} (${error.code ?? error.message}).`;
}
