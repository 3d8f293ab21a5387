/** How a session is doing, in one word that a list of sessions can show, and why. */
import type { EndReason, TurnOutcome } from '../../event/index.js';
import type { Turn } from '../item.js';
import type { Run, SessionState } from '../state.js';
import { openRows } from '../table/table.js';
import { selectPendingApproval } from './approval-queue.js';
import { selectLastTurn } from './select-last-turn.js';
import { selectRun } from './select-run.js';

export type HealthState = 'idle' | 'running' | 'waiting' | 'rate-limited' | 'stalled' | 'failed' | 'done';

export interface Health {
  /** `waiting`: for a person; `stalled`: nothing moves, `why` is the watchdog's evidence. */
  state: HealthState;
  /** One line for people, where there is more to say than the word. */
  why?: string | undefined;
  /** Since when, ms since the epoch. */
  since?: number | undefined;
}

/** Codes of the watchdog's notes that say: nothing moves. Its other notes are warnings like any other. */
export const STALL_CODES: readonly string[] = ['watchdog-silence', 'watchdog-linger'];

/** Whether a warning with this code says that nothing happens any more. */
export function isStallCode(code: string): boolean {
  return STALL_CODES.includes(code);
}

/** How it stands, in one word, why and since when. */
export function selectHealth(state: SessionState): Health {
  const run = selectRun(state);
  if (run === undefined) return { state: 'idle' };
  if (run.end) return { state: ENDED[run.end.reason] ?? 'failed', why: firstLine(endedWhy(run)), since: run.end.at };
  const asked = selectPendingApproval(state);
  if (asked) return { state: 'waiting', why: asked.request.summary ?? asked.request.toolName, since: asked.request.at };
  if (run.facts.state === 'waiting') return { state: 'waiting' };
  if (run.stall) return { state: 'stalled', why: run.stall.message, since: run.stall.at };
  if (isWorking(state)) return limitOf(run) ?? { state: 'running', since: openSince(state) };
  const turn = selectLastTurn(state);
  if (turn?.end === undefined) return { state: run.facts.state === 'running' ? 'running' : 'idle' };
  return { state: OUTCOMES[turn.end.outcome] ?? 'failed', why: firstLine(turnWhy(turn)), since: turn.end.at };
}

/** True while a turn, tool or task is under way: input is better kept back. */
export function isWorking({ turns, tools, tasks }: SessionState): boolean {
  return turns.open.count > 0 || tools.open.count > 0 || tasks.open.count > 0;
}

/** A person who cancels gets what they asked for: that is no failure. */
const ENDED: Readonly<Partial<Record<EndReason, HealthState>>> = { finished: 'done', cancelled: 'done' };
const OUTCOMES: Readonly<Partial<Record<TurnOutcome, HealthState>>> = { success: 'done', interrupted: 'done' };

function endedWhy({ end }: Run): string | undefined {
  if (end === undefined || end.reason === 'finished') return undefined;
  // The word for it says what a reason without a sentence would.
  return end.error?.message ?? end.detail ?? (end.reason === 'cancelled' ? undefined : end.reason);
}

function turnWhy({ end }: Turn): string | undefined {
  if (end === undefined || end.outcome === 'success') return undefined;
  return end.error?.message ?? end.reason ?? WITHOUT_A_REASON[end.outcome];
}

/** Only where the word for its state does not say it. */
const WITHOUT_A_REASON: Readonly<Partial<Record<TurnOutcome, string>>> = {
  unknown: 'ended without a result',
  'max-turns': 'the most turns were reached',
  'over-budget': 'the budget is spent',
};

function firstLine(text: string | undefined): string | undefined {
  return text?.trim().split('\n', 1)[0];
}

function limitOf(run: Run): Health | undefined {
  const isRejected = run.limit?.state === 'rejected';
  if (run.retry?.httpStatus !== 429 && (run.retry === undefined || !isRejected)) return undefined;
  return { state: 'rate-limited', why: run.retry.why, since: run.retry.at };
}

function openSince(state: SessionState): number | undefined {
  for (const [, turn] of openRows(state.turns)) return turn.start?.at;
  for (const [, tool] of openRows(state.tools)) return tool.startedAt;
  return undefined;
}
