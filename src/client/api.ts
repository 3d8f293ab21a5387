/**
 * What the server and its clients say to each other. What is asked is checked by the server's schemas, which the compiler checks against
 * these types; what is replied is described in the OpenAPI document by schemas that are made from these types.
 */
import type { AgentEvent, Answer, AnswerOf } from '../event/index.js';
import type { Awaited, Evidence, Presence, SessionPresence } from '../presence/index.js';
import type { ApprovalRecord, Page, RunRecord, SearchPage, SessionRecord, Total } from '../store/index.js';

export type {
  AgentEvent,
  Answer,
  AnswerOf,
  ApprovalRecord,
  Awaited,
  Evidence,
  Page,
  Presence,
  RunRecord,
  SearchPage,
  SessionPresence,
  SessionRecord,
  Total,
};

export interface ServerHealth {
  ok: true;
  version: string;
  /** Nothing can be started or answered here. */
  readOnly: boolean;
  /** Directories in which agents may be started, and below. */
  projects: string[];
  /** Where the store keeps its data. */
  store: string;
  /** Runs that this server owns and that are going on. */
  running: number;
  /** The process that owns them, as their records name it. */
  pid: number;
  /** An agent may be started with the permission to do anything. */
  bypass: boolean;
}

/** What a page must see before it says anything: the server's proof that it is the one the page knows. */
export interface Hello {
  /** Drawn at each start of the server; requests are signed for it. */
  boot: string;
  /** The server's signature of it, with the page's own origin and nonce. */
  proof: string;
}

/** A browser comes in with a code, or with the key that it registered before; always for one page, which has a key of its own. */
export type LoginRequest = RegisterRequest | OpenRequest;

export interface RegisterRequest {
  boot: string;
  pageKey: string;
  browserKey: string;
  /** Made with the code. */
  mac: string;
}

export interface OpenRequest {
  boot: string;
  pageKey: string;
  browser: string;
  signature: string;
}

export interface LoginAnswer {
  browser: string;
  /** What people call it. */
  name: string;
  /** The page shows it with each request. */
  certificate: string;
  serverKey: string;
}

/** A way in for one more browser; works once. */
export interface LoginLink {
  link: string;
  code: string;
}

/** A browser that was let in. */
export interface BrowserRecord {
  id: string;
  name: string;
  /** The address under which it is known. */
  origin: string;
  createdAt: number;
  /** When it last loaded the page. */
  usedAt: number;
}

export interface AgentInfo {
  name: string;
  title: string;
  /** The program was found here. */
  installed: boolean;
  /** How to get it, as a sentence. */
  install: string;
  capabilities: Record<string, boolean | string>;
}

export interface StartRequest {
  agent: string;
  prompt: string;
  /** Must be inside one of the server's projects; default is the first of them. */
  cwd?: string | undefined;
  permission?: 'ask' | 'accept-edits' | 'plan' | 'deny' | 'bypass' | undefined;
  model?: string | undefined;
  timeoutMs?: number | undefined;
  budgetUsd?: number | undefined;
  maxTurns?: number | undefined;
}

/** A follow-up: said to the running agent, or a new run that resumes the session. */
export interface SayRequest {
  text: string;
}

/** How to go on with a session in the agent's own interactive program. */
export interface OpenCommand {
  command: string;
  /** The same without glassbox, with the agent's own id. */
  own: string;
  /** Where it has to be typed. */
  cwd?: string;
}

export interface Started {
  runId: string;
  /** Our session, by its short id. */
  session: string;
}

export interface SessionQuery {
  agent?: string | undefined;
  project?: string | undefined;
  state?: 'running' | 'waiting' | 'ended' | undefined;
  outcome?: string | undefined;
  since?: number | undefined;
  until?: number | undefined;
  text?: string | undefined;
  limit?: number | undefined;
  cursor?: string | undefined;
}

export interface FindQuery {
  text: string;
  agent?: string | undefined;
  tool?: string | undefined;
  project?: string | undefined;
  outcome?: string | undefined;
  since?: number | undefined;
  until?: number | undefined;
  minUsd?: number | undefined;
  maxUsd?: number | undefined;
  order?: 'relevance' | 'newest' | undefined;
  limit?: number | undefined;
  cursor?: string | undefined;
}

export interface CostQuery {
  by: 'day' | 'week' | 'month' | 'session' | 'project' | 'agent' | 'model' | 'tool' | 'cause';
  agent?: string | undefined;
  project?: string | undefined;
  since?: number | undefined;
  until?: number | undefined;
}

/** A refused request: a code that does not change, a sentence for people. */
export interface ApiError {
  error: { code: string; message: string };
}

/** A session with what it does now, where the server looks for that. */
export interface SessionDetail extends SessionRecord {
  presence?: Presence;
}

/**
 * What `/api/sessions/stream` sends: everything once, then what changes. `presence` has every session that is not over, each time; what is not in
 * it has ended. It comes only where the server looks for it.
 */
export type SessionsMessage =
  | { type: 'snapshot'; sessions: SessionRecord[]; approvals: ApprovalRecord[]; cursor?: string }
  | { type: 'update'; sessions: SessionRecord[]; approvals: ApprovalRecord[] }
  | { type: 'presence'; presences: SessionPresence[] };

/** Nothing but that it was done. */
export type Done = Readonly<Record<string, never>>;

/** What each route replies, by its `operationId`; for streams, what the data of one message holds. An export is text. */
export interface Replies {
  health: ServerHealth;
  agents: AgentInfo[];
  listSessions: Page<SessionRecord>;
  watchSessions: SessionsMessage;
  showSession: SessionDetail;
  handOver: OpenCommand;
  removeSession: Done;
  exportSession: string;
  say: Started;
  start: Started;
  events: AgentEvent;
  approve: Done;
  deny: Done;
  answer: Done;
  interrupt: Done;
  cancel: Done;
  search: SearchPage;
  cost: Total[];
  hello: Hello;
  login: LoginAnswer;
  createLink: LoginLink;
  listBrowsers: BrowserRecord[];
  forgetBrowser: Done;
}
