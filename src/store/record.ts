import type { AgentEvent, Balance, EndReason, Terms, Usage } from '../event/index.js';
import type { Figure } from '../ledger/index.js';

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
  /** With `resumes`: rejects with `conflict`, and says who, while another run of that session goes on, unless that is only watched. */
  alone?: boolean;
  /** False when no living process stands behind the run, as for an imported one. Default true. */
  owned?: boolean;
  /** Its stream is only read, from a pipe: nobody can answer its questions or speak to it. */
  piped?: boolean;
  terms?: Terms;
  /** The project that it is for, by its name; `cwd` is where that is on one machine. */
  project?: string;
  /** Whose it is, by name. */
  principal?: string;
  /** Empty the run if it is there already, to fill it again. It keeps its session. Rejects with `conflict` while another owner lives. */
  replace?: boolean;
  /** Go on with the run though it has ended: more of it was found than there was. */
  reopen?: boolean;
}

/** A run that happened elsewhere and was read to its end, as from an agent's own files. */
export interface WholeRun {
  start: Pick<RunStart, 'runId' | 'agent' | 'startedAt' | 'resumes' | 'fork'>;
  /** All of them, in order, from `seq` 1 on. */
  events: readonly AgentEvent[];
  /** In which state its source was. */
  sourceState: string;
  /** The events are only counted: what was spent is wanted soon, and the words will follow. */
  onlyFigures?: true;
}

/** What is known of a run to whoever brings others: which conversation of the agent it belongs to, and what of its source was read. */
export interface SourceRecord {
  runId: string;
  agent: string;
  agentSessionId?: string;
  sourceState?: string;
  onlyFigures?: true;
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
  /** What it was started with; absent where that is unknown, as for imported and piped ones. */
  terms?: Terms;
  /** The project that it was for, by its name. */
  project?: string;
  /** Whose it is, by name. */
  principal?: string;
  /** The run that this one continues or was copied from. */
  resumedFrom?: string;
  /** In which state its source was when it was read to its end. */
  sourceState?: string;
  /** Only what it spent was read so far: there are no events. */
  onlyFigures?: true;
  /** Highest `seq` kept, 0 when there is none. */
  lastSeq: number;
  /** Size of its events, about. */
  bytes: number;
  /** What this run alone cost; absent when unknown. */
  spent?: Figure;
  /** Where the agent's counters stand: what a run that resumes this one begins with. */
  balance?: Balance;
  /** With cache and sub-agents; `lacks` says if the latter are not known. */
  usage: Usage;
  turns: number;
  toolCalls: number;
  /** Present while it goes nowhere: what the watchdog saw, and when. */
  stuck?: { at: number; text: string };
  /** Present when events of it came too late to be kept: which, and why. */
  refused?: string;
  /** Present when a part of this record can no longer be read, and is absent: `terms` or `balance`. */
  damaged?: true;
}

export interface Owner {
  pid: number;
  host: string;
  /** By the clock of the store. */
  heartbeatAt: number;
  /** Counts who claimed the run: whoever holds an earlier one can no longer write to it. */
  epoch: number;
}

/** Our record of a conversation: runs linked by resume. */
export interface SessionRecord {
  /** Short, what people see and type. */
  id: string;
  /** One line: the name that a person gave it, the agent's title, the first prompt, else the first words of the agent, or its first deed. */
  title: string;
  /** Present when a person gave it one. */
  name?: string;
  /** Present when a person wants to keep it: it is never pruned. */
  pinned?: true;
  /** Present when a person put it away: it is not among the others until it goes on. */
  archived?: true;
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
  /** What its runs cost together. */
  spent?: Figure;
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

/** What a person says of a session; what is absent stays as it is. */
export interface SessionLabel {
  /** One line; empty takes it back. */
  name?: string;
  pinned?: boolean;
  /** Put away, as it is now: a session that goes on is back. */
  archived?: boolean;
}
