/**
 * What the server and its clients say to each other. What is asked is checked by the server's schemas, which the compiler checks against
 * these types; what is replied is described in the OpenAPI document by schemas that are made from these types.
 */

import type { BudgetState } from '../budget/index.js';
import type {
  FileCommit,
  LeftFile,
  RewindFile,
  RewindPlan,
  Rewound,
  SessionChanges,
  SessionFile,
  TurnChange,
} from '../checkpoint/index.js';
import type { ComparisonReport } from '../compare/index.js';
import type { Around } from '../consent/index.js';
import type { AgentEvent, Answer, AnswerOf, DifferenceHunk } from '../event/index.js';
import type { ParkedSession } from '../parking/index.js';
import type { Awaited, Evidence, Presence, SessionPresence } from '../presence/index.js';
import type {
  ApprovalRecord,
  AuditEntry,
  AuditQuery,
  ClaimedJob,
  DecisionQuery,
  DecisionRecord,
  JobHold,
  JobQuery,
  JobRecord,
  JobSpec,
  Page,
  RunRecord,
  SearchPage,
  SessionRecord,
  TokenRecord,
  Total,
  WorkerOffer,
  WorkerRecord,
} from '../store/index.js';

import type { ChangeLines, SessionTurn } from './change-api.js';
import type { BrowserRecord, GuestLink, GuestRecord, Hello, LoginAnswer, LoginLink } from './login-api.js';
import type { WentOn } from './parked-api.js';
import type { ChangeMakers, CommentRecord, CommentsSent } from './review-api.js';
import type { AgentInfo, KeptAttachment, StartChoices, StartRequest } from './start-api.js';

export type * from './change-api.js';
export type * from './login-api.js';
export type * from './parked-api.js';
export type * from './review-api.js';
export type * from './start-api.js';
export type {
  AgentEvent,
  Answer,
  AnswerOf,
  ApprovalRecord,
  Around,
  AuditEntry,
  AuditQuery,
  Awaited,
  BudgetState,
  ClaimedJob,
  ComparisonReport,
  DecisionQuery,
  DecisionRecord,
  DifferenceHunk,
  Evidence,
  FileCommit,
  JobHold,
  JobQuery,
  JobRecord,
  LeftFile,
  Page,
  ParkedSession,
  Presence,
  RewindFile,
  RewindPlan,
  Rewound,
  RunRecord,
  SearchPage,
  SessionChanges,
  SessionFile,
  SessionPresence,
  SessionRecord,
  TokenRecord,
  Total,
  TurnChange,
  WorkerRecord,
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
  /** What who asks may do here. */
  scopes: string[];
  /** What glassbox made on the server's machine; who is let in for some projects only is told of none. */
  worktrees: WorktreeInfo[];
}

/** A work tree: what is done in it belongs to the project that it was made from. */
export interface WorktreeInfo {
  name: string;
  path: string;
  project: string;
}

/** A follow-up: said to the running agent, or a new run that resumes the session. */
export interface SayRequest {
  text: string;
  /** Another one than before, from now on; only when no agent works at it. */
  permission?: StartRequest['permission'];
  model?: string | undefined;
  effort?: string | undefined;
  /** Ids of what was sent before (`attach`). */
  attachments?: string[] | undefined;
  /** A session of its own that begins as a copy of this one. */
  fork?: boolean | undefined;
}

/** What a person says of a session; what is absent stays as it is. */
export interface LabelRequest {
  /** One line; empty takes it back. */
  name?: string | undefined;
  /** Never pruned, and listed first. */
  pinned?: boolean | undefined;
  /** Put away, as it is now: a session that goes on is back. */
  archived?: boolean | undefined;
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
  minUsd?: number | undefined;
  maxUsd?: number | undefined;
  pinned?: boolean | undefined;
  archived?: boolean | undefined;
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

/** What is summed up, of sessions that are filtered as in a list. */
export interface CostQuery extends Omit<SessionQuery, 'text' | 'limit' | 'cursor'> {
  by: 'day' | 'week' | 'month' | 'session' | 'project' | 'agent' | 'model' | 'tool' | 'cause';
}

/** Whom to let in, and for what. */
export interface TokenRequest {
  /** By which people know who it is. */
  name: string;
  /** `view`, `operate`, `approve`, `run`, `administer`, `work`. */
  scopes: string[];
  /** Only for these; absent: for everything. */
  projects?: string[] | undefined;
  /** For how long it holds; absent: until it is revoked. */
  lifeMs?: number | undefined;
}

/** A token that was made: told this once, and kept as a digest. */
export interface NewTokenReply {
  token: string;
  record: TokenRecord;
}

/** Work for a worker. */
export interface JobRequest extends JobSpec {
  /** The project, by the name that workers have for it. */
  project: string;
  /** Only a worker that has all of them takes it. */
  labels?: string[] | undefined;
  /** Only the worker of this name takes it. */
  host?: string | undefined;
  /** It may be run once more though tools may have run. Default: never. */
  again?: boolean | undefined;
}

/** What a worker offers, and for how long it waits for work. */
export interface ClaimRequest extends Omit<WorkerOffer, 'principal' | 'labels' | 'projects' | 'agents'> {
  labels: string[];
  projects: string[];
  agents: string[];
  waitMs?: number | undefined;
}

export interface ClaimReply {
  /** For how long the hub believes that the worker lives without hearing of it. */
  leaseMs: number;
  /** Absent: nothing to do. */
  job?: ClaimedJob;
}

export interface BeatRequest {
  holds: Pick<JobHold, 'id' | 'fence'>[];
}

/** What is not there the worker has no longer. */
export interface BeatReply {
  held: { id: string; cancelled: boolean }[];
}

/** What becomes of a job that a worker claimed. */
export type JobNews =
  | { type: 'begin'; fence: number; runId: string }
  | { type: 'end'; fence: number; outcome: string }
  | { type: 'refuse'; fence: number; reason: string }
  /** `runId`: the run of which events were refused, so that it says so too. */
  | { type: 'lose'; fence: number; reason: string; runId?: string | undefined };

/** False: the job is no longer this worker's. */
export interface HeldReply {
  held: boolean;
}

/** A refused request: a code that does not change, a sentence for people. */
export interface ApiError {
  error: { code: string; message: string };
}

/** A session with what it does now, where the server looks for that. */
export interface SessionDetail extends SessionRecord {
  presence?: Presence;
}

/** A question that waits, with what lies around it. */
export interface WaitingApproval extends ApprovalRecord {
  /** What the agent said last before it asked. */
  said?: string;
  around?: Around;
}

/**
 * What `/api/sessions/stream` sends: everything once, then what changes. `presence` has every session that is not over, each time; what is not in
 * it has ended. It comes only where the server looks for it.
 */
export type SessionsMessage =
  | { type: 'snapshot'; sessions: SessionRecord[]; approvals: WaitingApproval[]; cursor?: string }
  | { type: 'update'; sessions: SessionRecord[]; approvals: WaitingApproval[] }
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
  labelSession: SessionRecord;
  removeSession: Done;
  listTurns: SessionTurn[];
  listChanges: SessionChanges;
  changeLines: ChangeLines;
  changeMakers: ChangeMakers;
  listComments: CommentRecord[];
  addComment: CommentRecord;
  changeComment: CommentRecord;
  removeComment: Done;
  sendComments: CommentsSent;
  planRewind: RewindPlan;
  rewindHunks: DifferenceHunk[];
  rewind: Rewound;
  undoRewind: Rewound;
  listParked: ParkedSession[];
  listComparisons: ComparisonReport[];
  goOn: WentOn;
  neverGoOn: Done;
  exportSession: string;
  say: Started;
  start: Started;
  startChoices: StartChoices;
  findFiles: string[];
  attach: KeptAttachment;
  events: AgentEvent;
  approve: Done;
  deny: Done;
  answer: Done;
  interrupt: Done;
  cancel: Done;
  decisions: DecisionRecord[];
  search: SearchPage;
  cost: Total[];
  hello: Hello;
  login: LoginAnswer;
  createLink: LoginLink;
  createGuestLink: GuestLink;
  listGuests: GuestRecord[];
  answerGuest: Done;
  listBrowsers: BrowserRecord[];
  forgetBrowser: Done;
  listTokens: TokenRecord[];
  createToken: NewTokenReply;
  revokeToken: Done;
  audit: Page<AuditEntry>;
  postJob: JobRecord;
  listJobs: Page<JobRecord>;
  showJob: JobRecord;
  cancelJob: JobRecord;
  listWorkers: WorkerRecord[];
  listBudgets: BudgetState[];
  claimJob: ClaimReply;
  beatJobs: BeatReply;
  tellJob: HeldReply;
}
