/**
 * What the server and its clients say to each other. The server's schemas are checked against these types, and the
 * OpenAPI document is made from the schemas.
 */
import type { AgentEvent } from '../event/index.js';
import type { ApprovalRecord, Page, SearchPage, SessionRecord, Total } from '../store/index.js';

export type { AgentEvent, ApprovalRecord, Page, SearchPage, SessionRecord, Total };

export interface Health {
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
}

export interface AgentInfo {
  name: string;
  title: string;
  /** The program was found here. */
  installed: boolean;
  /** How to get it. */
  install: string;
  capabilities: Record<string, boolean | string>;
}

export interface StartRequest {
  agent: string;
  prompt: string;
  /** Must be inside one of the server's projects; default is the first of them. */
  cwd?: string;
  permission?: 'ask' | 'accept-edits' | 'plan' | 'deny' | 'bypass';
  model?: string;
  timeoutMs?: number;
  budgetUsd?: number;
  maxTurns?: number;
}

/** A follow-up: said to the running agent, or a new run that resumes the session. */
export interface SayRequest {
  text: string;
}

export interface Started {
  runId: string;
  /** Our session, by its short id. */
  session: string;
}

export interface ApproveRequest {
  /** Changes to the input by JSON Pointer; what is not named keeps its original. */
  changes?: Record<string, unknown>;
  /** Fields of the input to leave out, by JSON Pointer. */
  removals?: string[];
  /** Also in the future, as far as the agent can. */
  remember?: boolean;
}

export interface DenyRequest {
  message?: string;
  /** Also end the turn. */
  interrupt?: boolean;
}

export interface AnswerRequest {
  answers: Record<string, unknown>;
}

export interface SessionQuery {
  agent?: string;
  project?: string;
  state?: 'running' | 'waiting' | 'ended';
  outcome?: string;
  since?: number;
  until?: number;
  text?: string;
  limit?: number;
  cursor?: string;
}

export interface FindQuery {
  text: string;
  agent?: string;
  tool?: string;
  project?: string;
  outcome?: string;
  since?: number;
  until?: number;
  minUsd?: number;
  maxUsd?: number;
  order?: 'relevance' | 'newest';
  limit?: number;
  cursor?: string;
}

export interface CostQuery {
  by: 'day' | 'project' | 'agent' | 'model' | 'tool';
  agent?: string;
  project?: string;
  since?: number;
  until?: number;
}

/** A refused request: a code that does not change, a sentence for people. */
export interface ApiError {
  error: { code: string; message: string };
}

/** What `/api/sessions/stream` sends: everything once, then what changes. */
export type SessionsMessage =
  | { type: 'snapshot'; sessions: SessionRecord[]; approvals: ApprovalRecord[]; cursor?: string }
  | { type: 'update'; sessions: SessionRecord[]; approvals: ApprovalRecord[] };
