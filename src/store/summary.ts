/** What is worth knowing about a run without reading its events: one fold, in the order of `seq`, the same for every engine. */
import type { AgentEvent, EndReason, TurnOutcome, Usage } from '../event/index.js';
import { createLedger, type Ledger, type Spend } from './ledger.js';
import { addUsage, type Baseline } from './meter.js';
import type { Spent } from './record.js';
import { sumSpent } from './spent.js';
import type { ToolShare } from './tool-share.js';

export interface Summary {
  agentSessionIds: Set<string>;
  agentSessionId?: string;
  agentVersion?: string;
  model?: string;
  cwd?: string;
  title?: string;
  prompt?: string;
  outcome?: EndReason;
  error?: string;
  updatedAt: number;
  endedAt?: number;
  lastSeq: number;
  /** Size of the kept events, about. */
  bytes: number;
  spends: number;
  spent?: Spent;
  usage: Usage;
  turns: number;
  toolCalls: number;
  /** Names of the tools that are running: their end may come without one. */
  toolNames: Map<string, string>;
  ledger: Ledger;
}

/** What one event adds to the tables beside the record. */
export interface Additions {
  spends: Spend[];
  shares: ToolShare[];
  call?: { name: string; calls: number; failed: number };
}

export function createSummary(baseline: Baseline): Summary {
  return {
    agentSessionIds: new Set(),
    updatedAt: 0,
    lastSeq: 0,
    bytes: 0,
    spends: 0,
    usage: {},
    turns: 0,
    toolCalls: 0,
    toolNames: new Map(),
    ledger: createLedger(baseline),
  };
}

/** Changes `summary` in place: it is the state of one writer, and runs have very many events. */
export function addEvent(summary: Summary, event: AgentEvent): Additions | undefined {
  summary.lastSeq = event.seq;
  summary.updatedAt = Math.max(summary.updatedAt, event.at);
  summary.turns = Math.max(summary.turns, event.turn);
  if (event.sessionId && event.sessionId !== summary.agentSessionId && event.parent === undefined) {
    summary.agentSessionId = event.sessionId;
    summary.agentSessionIds.add(event.sessionId);
  }
  const settled = summary.ledger.add(event);
  for (const spend of settled?.spends ?? []) {
    summary.usage = addUsage(summary.usage, spend.usage);
    // A run whose first spend had no price has no sum yet, but its later sums are lower bounds.
    const before = summary.spends > 0 ? [summary.spent ?? {}] : [];
    summary.spent = sumSpent([...before, spend]);
    summary.spends += 1;
  }
  const call = note(summary, event);
  if (!settled && !call) return undefined;
  return { spends: settled?.spends ?? [], shares: settled?.shares ?? [], ...(call && { call }) };
}

function note(summary: Summary, event: AgentEvent): Additions['call'] {
  switch (event.type) {
    case 'session-start':
    case 'session-update':
      summary.agentVersion = event.agentVersion ?? summary.agentVersion;
      summary.model = event.model ?? summary.model;
      summary.cwd = summary.cwd ?? event.cwd;
      summary.title = event.title ?? summary.title;
      return undefined;
    case 'message-start':
      if (event.parent === undefined) summary.model = summary.model ?? event.model;
      return undefined;
    case 'user-message':
      if (event.parent === undefined && !event.synthetic) summary.prompt = summary.prompt ?? event.text;
      return undefined;
    case 'tool-start':
      summary.toolCalls += 1;
      summary.toolNames.set(event.id, event.name);
      return { name: event.name, calls: 1, failed: 0 };
    case 'tool-end': {
      const name = event.name ?? summary.toolNames.get(event.id) ?? '';
      summary.toolNames.delete(event.id);
      return event.status === 'failed' || event.status === 'denied' ? { name, calls: 0, failed: 1 } : undefined;
    }
    case 'turn-end':
      summary.outcome = OUTCOMES[event.outcome];
      summary.error = event.error?.message;
      return undefined;
    case 'run-end':
      summary.outcome = event.reason;
      summary.error = event.error?.message ?? (event.reason === 'finished' ? undefined : event.detail);
      summary.endedAt = event.at;
      return undefined;
    default:
      return undefined;
  }
}

/** For streams that have no `run-end`: the last turn speaks for the run. */
const OUTCOMES: Record<TurnOutcome, EndReason | undefined> = {
  success: 'finished',
  failed: 'failed',
  interrupted: 'cancelled',
  'max-turns': 'max-turns',
  'over-budget': 'over-budget',
  unknown: undefined,
};
