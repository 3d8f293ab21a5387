import type { Cost, CostOrigin, EndReason, Usage } from '../event/index.js';

/** How a run ended; `interrupted` when its owner died without saying. */
export type Outcome = EndReason | 'interrupted';

/** `waiting`: for somebody's answer to an approval. */
export type RunState = 'running' | 'waiting' | 'ended';

export interface RunStart {
  runId: string;
  agent: string;
  /** Ms since the epoch. */
  startedAt: number;
  cwd?: string;
  model?: string;
  /** The agent's session id that this run continues: the run joins the session that holds it. */
  resumes?: string;
  /** With `resumes`: a session of its own, linked to the one it was copied from. */
  fork?: boolean;
  /** False when no living process stands behind the run, as for an imported one. Default true. */
  owned?: boolean;
  /** Its stream is only read, from a pipe: nobody can answer its questions or speak to it. */
  piped?: boolean;
  /** Empty the run if it is there already, to fill it again. It keeps its session. */
  replace?: boolean;
}

export interface RunRecord {
  runId: string;
  /** Our session, by its short id. */
  session: string;
  agent: string;
  /** The agent's own session id, the latest if it changed. */
  agentSessionId?: string;
  agentVersion?: string;
  model?: string;
  cwd?: string;
  /** The first thing that was said to it. */
  prompt?: string;
  state: RunState;
  outcome?: Outcome;
  /** Why it failed, for people. */
  error?: string;
  startedAt: number;
  /** When its last event happened. */
  updatedAt: number;
  endedAt?: number;
  /** The process that runs it; absent for imported ones. */
  owner?: Owner;
  /** Present when its stream was only read, from a pipe: it cannot be answered. */
  piped?: true;
  /** The run that this one continues or was copied from. */
  resumedFrom?: string;
  /** In which state its source was when it was read completely. */
  sourceState?: string;
  /** Highest `seq` kept, 0 when there is none. */
  lastSeq: number;
  /** Size of its events, about. */
  bytes: number;
  /** What this run alone cost; absent when unknown. */
  spent?: Spent;
  /** The last figure the agent gave, with its reach: the baseline of a run that resumes this one. */
  reported?: Cost;
  usage: Usage;
  turns: number;
  toolCalls: number;
}

export interface Owner {
  pid: number;
  host: string;
  heartbeatAt: number;
}

/** A sum of money; its origin is the weakest of its parts, `lower-bound` when a part is unknown. */
export interface Spent {
  usd: number;
  origin: CostOrigin;
}

/** Our record of a conversation: runs linked by resume. */
export interface SessionRecord {
  /** Short, what people see and type. */
  id: string;
  /** What it is about, one line: the agent's title, or the beginning of the first prompt. */
  title: string;
  agent: string;
  /** To resume with. */
  agentSessionId?: string;
  model?: string;
  cwd?: string;
  /** Of the latest run. */
  state: RunState;
  outcome?: Outcome;
  error?: string;
  startedAt: number;
  updatedAt: number;
  spent?: Spent;
  usage: Usage;
  turns: number;
  toolCalls: number;
  /** Approvals that wait for an answer. */
  waiting: number;
  /** The session that this one was forked from. */
  forkedFrom?: string;
  /** Oldest first. */
  runs: RunRecord[];
}
