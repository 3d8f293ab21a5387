/** What is worth knowing about a run without reading its events: one fold, in the order of `seq`, the same for every engine. */
import type { AgentEvent, EndReason, EventOf, LimitWindow, TurnOutcome } from '../event/index.js';
import {
  type CauseShare,
  type CauseShares,
  createCauseShares,
  createShares,
  type Entry,
  enter,
  type FindBalance,
  type Ledger,
  openLedger,
  type Shares,
  type ToolShare,
} from '../ledger/index.js';
import { oneLine } from '../word/index.js';
import { type Stuck, stuckAfter } from './stuck.js';

/** A run without its events: what they told so far. */
export interface Summary {
  agentSessionIds: Set<string>;
  agentSessionId?: string | undefined;
  agentVersion?: string | undefined;
  model?: string | undefined;
  cwd?: string | undefined;
  title?: string | undefined;
  prompt?: string | undefined;
  /** The first words and the first deed of the agent, a line each: what to call a run without a prompt. */
  words?: string | undefined;
  deed?: string | undefined;
  outcome?: EndReason | undefined;
  error?: string | undefined;
  updatedAt: number;
  endedAt?: number | undefined;
  lastSeq: number;
  /** Size of the kept events, about. */
  bytes: number;
  /** Seen; others of the conversation may be in other runs. */
  turns: number;
  lastTurn: number;
  toolCalls: number;
  /** Names of the tools that are running: their end may come without one. */
  toolNames: Map<string, string>;
  ledger: Ledger;
  shares: Shares;
  causes: CauseShares;
  /** The windows of the account's limits that the agent told last, and when. */
  limits?: { at: number; windows: LimitWindow[] } | undefined;
  stuck?: Stuck | undefined;
}

/** What one event adds to the tables beside the record. */
export interface Additions {
  charges: { entry: Entry; shares: ToolShare[]; causes: CauseShare[] }[];
  call?: { name: string; calls: number; failed: number };
}

/** Before the first event, for whoever keeps nothing of a run but what it spent: nothing is known yet of what it was spent for. */
export function createFigures(): Summary {
  return { ...createSummary(), shares: NO_SHARES, causes: NO_SHARES };
}

const NO_SHARES: Shares & CauseShares = { see() {}, take: () => [] };

/** Before the first event. */
export function createSummary(): Summary {
  return {
    agentSessionIds: new Set(),
    updatedAt: 0,
    lastSeq: 0,
    bytes: 0,
    turns: 0,
    lastTurn: 0,
    toolCalls: 0,
    toolNames: new Map(),
    ledger: openLedger(),
    shares: createShares(),
    causes: createCauseShares(),
  };
}

/**
 * Changes `summary` in place: it is the state of one writer, and runs have very many events. `find`: where the agent's counters
 * stood when an earlier run ended.
 */
export function addEvent(summary: Summary, event: AgentEvent, find: FindBalance): Additions | undefined {
  summary.lastSeq = event.seq;
  summary.updatedAt = Math.max(summary.updatedAt, event.at);
  if (event.turn > summary.lastTurn) {
    summary.lastTurn = event.turn;
    summary.turns += 1;
  }
  if (event.sessionId && event.sessionId !== summary.agentSessionId && event.parent === undefined) {
    summary.agentSessionId = event.sessionId;
    summary.agentSessionIds.add(event.sessionId);
  }
  const toolName = event.type === 'tool-input-end' ? (summary.toolNames.get(event.id) ?? '') : '';
  summary.stuck = stuckAfter(summary.stuck, event, toolName);
  const { ledger, entries } = enter(summary.ledger, event, find);
  summary.ledger = ledger;
  const { shares, causes } = summary;
  shares.see(event);
  causes.see(event);
  const charges = entries.map((entry) => ({ entry, shares: shares.take(entry), causes: causes.take(entry) }));
  const call = note(summary, event);
  return charges.length > 0 || call ? { charges, ...(call && { call }) } : undefined;
}

// biome-ignore format: to be read at one glance
type Unnoted =
  | 'session-change' | 'turn-start' | 'text-delta' | 'thinking-start' | 'thinking-delta' | 'thinking-end'
  | 'message-end' | 'message-retract' | 'tool-input-delta' | 'tool-output-delta' | 'tool-progress'
  | 'file-change' | 'todo-update' | 'plan-mode' | 'task-start' | 'task-progress' | 'task-end' | 'approval-request'
  | 'approval-resolve' | 'approval-withdraw' | 'permission-deny' | 'status' | 'retry'
  | 'compaction-start' | 'compaction-end' | 'hook-start' | 'hook-end' | 'usage-update' | 'agent-error' | 'decode-error'
  | 'warning' | 'gap' | 'unknown';

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
    case 'text-end':
      if (event.parent === undefined) summary.words ||= opening(event.text);
      return undefined;
    case 'tool-input-end':
      if (event.parent === undefined)
        summary.deed ??= opening(`${summary.toolNames.get(event.id) ?? ''} ${event.summary ?? ''}`);
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
    case 'rate-limit':
      if (event.windows?.length) summary.limits = { at: event.at, windows: event.windows };
      return undefined;
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
      event satisfies EventOf<Unnoted>;
      return undefined;
  }
}

/** What a run is called that nobody said anything to. */
export function openingOf({ words, deed }: Summary): string | undefined {
  return words || deed || undefined;
}

/** As much as a title shows, and no more of a long text is looked at. */
const OPENING_LENGTH = 120;

const opening = (text: string): string => oneLine(text.slice(0, 10 * OPENING_LENGTH), OPENING_LENGTH);

/** For streams that have no `run-end`: the last turn speaks for the run. */
const OUTCOMES: Record<TurnOutcome, EndReason | undefined> = {
  success: 'finished',
  failed: 'failed',
  interrupted: 'cancelled',
  'max-turns': 'max-turns',
  'over-budget': 'over-budget',
  unknown: undefined,
};
