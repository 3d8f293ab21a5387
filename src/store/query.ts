import type { EventType, LimitWindow, Usage } from '../event/index.js';
import type { Figure } from '../ledger/index.js';
import type { Outcome, RunState, SessionRecord } from './record.js';

/** Which sessions are meant. What is absent does not filter. */
export interface Filter {
  agent?: string | undefined;
  /** A directory: sessions that worked in it or below. */
  project?: string | undefined;
  /** Only sessions that were for one of these projects, by their names. */
  projects?: readonly string[] | undefined;
  state?: RunState | undefined;
  outcome?: Outcome | undefined;
  /** Only sessions in which an agent has begun to work: none whose start failed or was stopped. */
  begun?: boolean | undefined;
  /** Only those that a person keeps, or only the others. */
  pinned?: boolean | undefined;
  /** Only those that a person put away, or only the others. */
  archived?: boolean | undefined;
  /** Active at or after this time, ms since the epoch. */
  since?: number | undefined;
  /** Active before this time. */
  until?: number | undefined;
  minUsd?: number | undefined;
  maxUsd?: number | undefined;
}

export interface ListQuery extends Filter {
  /** Part of the title or of the project's path, in any case. */
  text?: string | undefined;
  /** Default 50. */
  limit?: number | undefined;
  /** From the page before. */
  cursor?: string | undefined;
}

export interface Page<Item> {
  items: Item[];
  /** Present when there is more. */
  cursor?: string | undefined;
}

/** Where a word was found. */
export const SEARCH_FIELDS = ['prompt', 'text', 'thinking', 'input', 'output'] as const;

export type SearchField = (typeof SEARCH_FIELDS)[number];

export interface SearchQuery extends Filter {
  /** Words that must all occur in one event; `"a phrase"`, `begin*`, `-without`. */
  text: string;
  /** Only in inputs and outputs of this tool. */
  tool?: string | undefined;
  fields?: readonly SearchField[] | undefined;
  order?: 'relevance' | 'newest' | undefined;
  /** Sessions per page, default 20. */
  limit?: number | undefined;
  cursor?: string | undefined;
}

export interface SearchPage extends Page<SearchMatch> {
  /** Sessions that match, on all pages. */
  sessions: number;
  /** Events that match, in all sessions. */
  events: number;
}

export interface SearchMatch {
  session: SessionRecord;
  /** Events of this session that match. */
  events: number;
  /** The best few of them. */
  hits: SearchHit[];
}

export interface SearchHit {
  runId: string;
  seq: number;
  at: number;
  type: EventType;
  field: SearchField;
  tool?: string | undefined;
  snippet: Snippet;
}

/** One line around the words. */
export interface Snippet {
  text: string;
  /** Where the words are: pairs of start and end in `text`. */
  marks: [number, number][];
}

/** What totals can be summed up by. */
export const TOTAL_KEYS = ['day', 'week', 'month', 'session', 'project', 'agent', 'model', 'tool', 'cause'] as const;

export type TotalKey = (typeof TOTAL_KEYS)[number];

export interface TotalsQuery extends Filter {
  by: TotalKey;
}

export interface Total {
  /**
   * The day as `2026-01-31` in local time, the Monday with which the week begins, the month as `2026-01`, the session's id, the directory,
   * the agent, the model, the tool, the cause; empty when unknown or without a tool.
   */
  key: string;
  /** Absent when nothing is known. By tool it is a share: what the messages that called the tool cost; by cause: what was spent for it. */
  spent?: Figure;
  /** With cache and sub-agents; by tool and cause a share too. */
  usage: Usage;
  sessions: number;
  /** Tool calls and how many of them failed; by cause the model calls that it had a part in. */
  calls?: number;
  failed?: number;
}

/** How far an account is used up, as the agent told it last; nothing of it is guessed. */
export interface AgentLimit extends LimitWindow {
  agent: string;
  /** When it was told. */
  at: number;
}

/** A kind of line, or a field of one, that glassbox did not know when it was kept: the agent became newer than glassbox. */
export interface Drift {
  agent: string;
  /** Absent when the agent does not tell it. */
  agentVersion?: string;
  /** The line's own type, with its subtype behind a slash: `system/new_thing`. Never its content. */
  kind: string;
  /** Only this field of such lines was not known. It is counted once in a run. */
  field?: string;
  count: number;
  runs: number;
  /** When a run that has it was last active. */
  lastAt: number;
}

export interface DriftQuery {
  /** Only of runs that were active at or after this time, ms since the epoch. */
  since?: number | undefined;
}

export interface PruneQuery {
  /** Remove sessions whose last activity is older. */
  maxAgeMs?: number | undefined;
  /** Remove the oldest until the data fits. */
  maxBytes?: number | undefined;
  /** Only say what would go. */
  dryRun?: boolean | undefined;
}

export interface Pruned {
  sessions: number;
  /** Which, the oldest first. */
  ids: string[];
  /** Size of the data afterwards; about, when nothing was removed yet. */
  bytes: number;
}
