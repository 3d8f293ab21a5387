/** A glassbox server: bound to this machine, closed to strangers, and ending what it started when it ends. */
import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import type { AgentInfo } from '../client/api.js';
import { GlassboxError } from '../event/index.js';
import { type OptionNames, refuseUnknown } from '../event/option.js';
import { linkWith } from '../proof/index.js';
import { type Agent, thisMachine } from '../run/index.js';
import { describeAgent } from '../run/process/describe-agent.js';
import type { Store } from '../store/index.js';
import { createAccess } from './access.js';
import { createAddress, isLoopback } from './address.js';
import { createApp } from './app.js';
import { createAttendance } from './attendance.js';
import { createBudgetWatch } from './budget-watch.js';
import { createDrain } from './drain.js';
import { createJobDesk } from './job-desk.js';
import { openLobby } from './lobby.js';
import { createOwnRuns, type RunDefaults } from './own-runs.js';
import { loadPage } from './page.js';
import { createParkedRuns } from './parked-runs.js';
import type { PresenceSource } from './presence-source.js';
import type { RateLimits } from './rate-limits.js';
import type { RequestFacts } from './request-facts.js';
import { openSharedLobby } from './shared-lobby.js';
import { checkTokens, type Token } from './token-issuer.js';

export interface ServerOptions {
  store: Store;
  /** Default 127.0.0.1. Anything else is reachable from other machines. */
  host?: string;
  /** Default 4177; 0 takes any free one. */
  port?: number;
  /** Directories in which agents may be started, and below. Default: the current one. */
  projects?: readonly string[];
  readOnly?: boolean;
  /** Further names by which the server may be called, for a proxy in front of it; with a port, for a port that is forwarded. */
  allowHosts?: readonly string[];
  /** Bearer token for programs, which may do everything; made up at each start when absent. */
  token?: string;
  /** Further ones, for programs that may do less. */
  tokens?: readonly Token[];
  /** Where browsers are remembered, for this user alone, unless hubs share a store; without it they have to be let in again after each start. */
  stateFolder?: string;
  /** Whether agents may be started that ask for nothing; default no. Asked at each start. */
  allowsBypass?: () => Promise<boolean>;
  /** For what a request does not say; as a function, asked at each start for this agent in this directory. */
  runDefaults?: RunDefaults;
  /** Whether the files of a run in this folder are kept before and after each turn, to go back to; default no. Asked at each start. */
  keepsFiles?: (cwd: string) => Promise<boolean>;
  /** What is copied into a work tree of this project though git ignores it; default nothing. Asked when one is made. */
  copiesInto?: (cwd: string) => Promise<readonly string[]>;
  agents?: () => Promise<AgentInfo[]>;
  /** Agents of your own, which are started by their names like the others; `agents` need not list them. */
  ownAgents?: readonly Agent[];
  /** Who tells what sessions do now; without it only what is kept of them is served. */
  presences?: PresenceSource;
  /** A certificate and its key, as PEM: then the server speaks https. */
  tls?: { cert: string; key: string };
  /** A proxy in front of it speaks https for it; without that, and without `tls`, only this machine is listened to. */
  behindProxy?: boolean;
  /** Listen to other machines over plain http all the same: then everything can only be looked at, by who has a token. */
  insecure?: boolean;
  /** How often somebody may ask. */
  rateLimits?: RateLimits;
  /** For how long a worker may be silent before its jobs are taken from it. Default 30 s. */
  leaseMs?: number;
  /** How soon a hub sees what another one took in. Default 1 s. */
  pollMs?: number;
  /** How long a request may take to arrive, headers and body; default 30,000. What is sent more slowly is answered with 408 and cut. */
  requestTimeoutMs?: number;
  /** Folder of the built page. */
  pageFolder?: string;
  version?: string;
  log?: (text: string) => void;
  /** Hears of each request what may stand in a log. */
  onRequest?: (request: RequestFacts) => void;
  /** How long requests may take that are open when it is closed. Default 5 s. */
  drainMs?: number;
}

export interface GlassboxServer {
  readonly url: string;
  readonly token: string;
  /** By it the server is known again; public. */
  readonly key: string;
  /** A link that lets one browser in, once, while the server runs; where hubs share a store, for an hour, at any of them. */
  createLoginLink(): Promise<string>;
  /** How many who may answer questions look at the list of sessions now. */
  attendance(): number;
  /** Lets nobody in any more, tells readers of streams to come again, ends all runs of this server and lets open requests finish. */
  close(): Promise<void>;
}

const SERVER_NAMES: OptionNames<ServerOptions> = {
  store: true,
  host: true,
  port: true,
  projects: true,
  readOnly: true,
  allowHosts: true,
  token: true,
  tokens: true,
  stateFolder: true,
  allowsBypass: true,
  runDefaults: true,
  keepsFiles: true,
  copiesInto: true,
  agents: true,
  ownAgents: true,
  presences: true,
  tls: true,
  behindProxy: true,
  insecure: true,
  rateLimits: true,
  leaseMs: true,
  pollMs: true,
  requestTimeoutMs: true,
  pageFolder: true,
  version: true,
  log: true,
  onRequest: true,
  drainMs: true,
};

const DEFAULT_PORT = 4177;
const DRAIN_MS = 5000;

const REQUEST_TIMEOUT_MS = 30_000;
/** Node's own patience is a minute for headers and five for a body: somebody who holds connections open would need few of them. */
const HEADERS_TIMEOUT_MS = 10_000;
/** Balancers and proxies keep a connection for a minute. Whoever closes it first must be the one that asks: a request that meets the end of its connection is lost. */
const KEEP_ALIVE_MS = 75_000;
/** More than a browser or a program needs, and less than a process can open: files must still be opened when all are taken. */
const MOST_CONNECTIONS = 4096;

function patience(requestTimeout: number) {
  const headersTimeout = Math.min(HEADERS_TIMEOUT_MS, requestTimeout);
  // How often it looks, so that half a request is gone at most half as late again.
  const connectionsCheckingInterval = Math.ceil(headersTimeout / 2);
  return { requestTimeout, headersTimeout, connectionsCheckingInterval, keepAliveTimeout: KEEP_ALIVE_MS };
}

type Fetch = Parameters<typeof serve>[0]['fetch'];

/** Serves a store and runs over HTTP, with the page. */
export async function startServer(options: ServerOptions): Promise<GlassboxServer> {
  refuseUnknown('startServer', options, SERVER_NAMES);
  checkTokens(options.tokens ?? []);
  requireSafeHost(options);
  const { store, host = '127.0.0.1', port = DEFAULT_PORT, log = () => {}, stateFolder } = options;
  const { projects = [process.cwd()], allowsBypass = async () => false, ownAgents = [] } = options;
  const agentNamed = (name: string) => ownAgents.find((agent) => agent.name === name) ?? name;
  const token = options.token ?? randomBytes(32).toString('base64url');
  const logins = store.fleet?.logins;
  const lobby = await (logins ? openSharedLobby(logins) : openLobby(stateFolder));
  const attendance = createAttendance();
  const runs = createOwnRuns({
    store,
    projects,
    allowsBypass,
    agentNamed,
    ...(options.runDefaults && { defaults: options.runDefaults }),
    ...(options.keepsFiles && { keepsFiles: options.keepsFiles }),
    ...(options.copiesInto && { copiesInto: options.copiesInto }),
    onStoreFailure: (error) => log(error.message),
  });
  let app: ReturnType<typeof createApp> | undefined;
  const leaving = new AbortController();
  const fetch: Fetch = (request, env) => app?.fetch(request, env) ?? new Response(null, { status: 503 });
  const { requestTimeoutMs = REQUEST_TIMEOUT_MS } = options;
  const server = serve({
    fetch,
    hostname: host,
    port,
    overrideGlobalObjects: false,
    serverOptions: { ...patience(requestTimeoutMs), ...options.tls },
    ...(options.tls && { createServer: createHttpsServer }),
  });
  server.maxConnections = MOST_CONNECTIONS;
  const drain = createDrain(server as Server);
  await new Promise<void>((resolve, reject) => {
    server.once('listening', resolve);
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(new GlassboxError('conflict', cannotListen(error, port))),
    );
  });
  // The address is known now, and no request was read yet.
  const address = createAddress({
    host,
    bound: server.address() as AddressInfo,
    scheme: options.tls ? 'https' : 'http',
    behindProxy: options.behindProxy ?? false,
    ...(options.allowHosts && { allowHosts: options.allowHosts }),
  });
  const access = createAccess({
    lobby,
    tokens: [{ name: 'program', token }, ...(options.tokens ?? [])],
    isOurs: address.isOurs,
    keptTokens: store.fleet?.tokens,
    log,
  });
  const { fleet } = store;
  const budgets = fleet && createBudgetWatch(fleet.budgets);
  const desk =
    fleet && budgets && createJobDesk({ store, fleet, budgets, log, leaseMs: options.leaseMs, pollMs: options.pollMs });
  const parked = createParkedRuns({ store, runs, log, readOnly: options.readOnly ?? false });
  app = createApp({
    store,
    parked,
    desk,
    budgets,
    rateLimits: options.rateLimits,
    behindProxy: options.behindProxy,
    leaving: leaving.signal,
    onRequest: options.onRequest,
    runs,
    access,
    address,
    projects,
    log,
    allowsBypass,
    readOnly: options.readOnly ?? false,
    isOpen: isOpenToAll(options),
    version: options.version ?? '0',
    agents: async () => [...((await options.agents?.()) ?? []), ...(await describeHere(ownAgents))],
    agentNamed,
    page: loadPage(options.pageFolder ?? ''),
    attendance,
    presences: options.presences,
  });

  return {
    url: address.url,
    token,
    key: lobby.identity.publicText,
    attendance: attendance.count,
    createLoginLink: async () => linkWith(address.front, await access.createCode()),
    async close() {
      // From here on it says that it is not ready, and whoever reads a stream is told to come again: elsewhere, for nobody comes in here.
      leaving.abort();
      const drained = drain(options.drainMs ?? DRAIN_MS);
      desk?.close();
      parked.close();
      await runs.close();
      await drained;
    },
  };
}

/** Other machines could read along. */
function isOpenToAll({ host = '127.0.0.1', tls, behindProxy }: ServerOptions): boolean {
  return !tls && !behindProxy && !isLoopback(host);
}

/** Tokens and everything that agents said would cross the network in the open. */
function requireSafeHost(options: ServerOptions): void {
  const { host = '127.0.0.1', insecure } = options;
  if (insecure || !isOpenToAll(options)) return;
  throw new GlassboxError(
    'invalid-request',
    `On ${host} other machines could be reached, and plain http would show everything on the way. Give a certificate (--tls-cert and --tls-key), say that a proxy in front speaks https (--behind-proxy), or let others only look (--insecure).`,
  );
}

function describeHere(agents: readonly Agent[]): Promise<AgentInfo[]> {
  const machine = thisMachine(process.env, process.cwd());
  return Promise.all(agents.map((agent) => describeAgent(agent, undefined, machine)));
}

function cannotListen(error: NodeJS.ErrnoException, port: number): string {
  if (error.code === 'EADDRINUSE') return `Port ${port} is taken. Choose another one with --port, or 0 for any.`;
  if (error.code === 'EACCES') return `Port ${port} needs more rights. Choose one above 1023 with --port.`;
  return `The server could not listen on port ${port} (${error.code ?? error.message}).`;
}
