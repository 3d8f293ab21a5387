/** What a job is: work that some worker is to do in a project that it knows by name. */
import type { Permission } from '../../event/index.js';

/** What the worker is to do. No program, no arguments, no environment and no directory: those are the worker's own. */
export interface JobSpec {
  agent: string;
  prompt: string;
  model?: string | undefined;
  effort?: string | undefined;
  permission?: Permission | undefined;
  timeoutMs?: number | undefined;
  budgetUsd?: number | undefined;
  budgetTokens?: number | undefined;
  maxTurns?: number | undefined;
}

export interface NewJob {
  id: string;
  spec: JobSpec;
  /** By name; the worker's own file says where it is. */
  project: string;
  /** Whose work it is. */
  principal: string;
  /** Only a worker that has all of them takes it. */
  labels?: readonly string[] | undefined;
  /** Only the worker of this name takes it. */
  host?: string | undefined;
  /** It may be run once more though tools may have run. Default: never. */
  again?: boolean | undefined;
  /** Why it must not be begun yet. */
  parked?: string | undefined;
}

/**
 * `waiting`: for a worker. `parked`: until there is money again. `claimed`: a worker has it and has not begun. `running`: tools may have
 * run. `lost`: its worker fell silent, and it is not run again. `refused`: by the worker. The last four are final, but a lost one whose worker comes
 * back goes on.
 */
export const JOB_STATES = ['waiting', 'parked', 'claimed', 'running', 'lost', 'ended', 'refused', 'cancelled'] as const;

export type JobState = (typeof JOB_STATES)[number];

export interface JobRecord {
  id: string;
  state: JobState;
  project: string;
  principal: string;
  agent: string;
  labels: string[];
  host?: string;
  again?: true;
  createdAt: number;
  /** How often a worker took it. */
  attempt: number;
  /** Who has it, or had it last. */
  worker?: string;
  /** The run that it became. */
  runId?: string;
  /** How the run ended. */
  outcome?: string;
  /** Why it is parked, refused, lost. */
  reason?: string;
  endedAt?: number;
  /** Somebody wants it to end. */
  cancelled?: true;
}

/** A worker's hold on a job: what it says without the latest fence changes nothing. */
export interface JobHold {
  id: string;
  fence: number;
  /** The principal of the worker; where it is said it has to be the one that claimed the job. */
  by?: string | undefined;
}

export interface ClaimedJob extends JobHold {
  spec: JobSpec;
  project: string;
  principal: string;
  again: boolean;
}

/** What a worker offers. */
export interface WorkerOffer {
  /** By which it is known, and work can be sent to it. */
  name: string;
  principal: string;
  labels: readonly string[];
  projects: readonly string[];
  agents: readonly string[];
  /** How many jobs it does at a time. */
  capacity: number;
  busy: number;
}

export interface WorkerRecord {
  name: string;
  labels: string[];
  projects: string[];
  agents: string[];
  capacity: number;
  busy: number;
  seenAt: number;
  /** It was heard a moment ago. */
  isHere: boolean;
}
