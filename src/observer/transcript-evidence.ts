/** What the end of a conversation says of its session, once it is known whose processes could be at work for it. */
import type { Evidence } from '../presence/index.js';
import { kinOf, type Processes } from './family.js';
import type { Movement } from './motion.js';
import type { ProcessSeen } from './process-list.js';
import type { OpenCall, TranscriptEnd } from './transcript-end.js';

/** Between a call on disk and the process that it starts lies less than this, on a machine that is busy too. */
const HANDS_MS = 1500;
/** What is on disk may have happened a moment later than its time says. */
const SLACK_MS = 100;
/** No program that works stops moving for so long. */
const STILL_MS = 700;
/** Nor for so long, when it also has a call to do for which nothing runs. */
const STILL_BEFORE_A_CALL_MS = 350;

export interface Doing {
  /** Processes that have the session. */
  holders: readonly ProcessSeen[];
  /** All of them, where they can be seen. */
  processes: Processes | undefined;
  /** Whether they draw; only of those that were seen to draw in this turn, and that do so whenever they work. */
  movement?: Movement;
  /** It writes a call down when that is over, and may be asking somebody meanwhile. */
  writesCallsLate?: boolean;
  /** Something was seen to run for the calls that are open, so that nobody has to allow them any more. */
  hasRun?: boolean;
  /** When the last process that was seen to run for it began. */
  ranAt?: number | undefined;
  /** When its program last said in its log that it asks somebody. */
  asked?: number | undefined;
  /** Its program says that it does nothing. */
  isAtRest?: boolean;
  /** A hook told that it asks, which explains why nothing moves. */
  isAsking?: boolean;
  now: number;
}

export function transcriptEvidence({ path, turn, at = 0, calls, asks }: TranscriptEnd, doing: Doing): Evidence[] {
  if (asks) {
    const { at: askedAt, ...awaited } = asks;
    const text = `${path} ends with a question that nobody has answered: ${asks.text}`;
    return [{ source: 'transcript', says: 'waiting', for: awaited, at: askedAt, text }];
  }
  if (turn === undefined) return [];
  const told = { source: 'transcript', at } as const;
  if (turn === 'over') return [atRest(path, at, doing)];
  const { movement } = doing;
  const isStillFor = (ms: number): boolean => movement?.isMoving === false && doing.now - movement.since >= ms;
  const call = calls.at(-1);
  const hasRun = doing.hasRun && !isRunning(calls, doing.holders, doing.processes);
  if ((!call || hasRun) && isStillFor(STILL_MS)) {
    if (doing.isAsking) return [];
    if (doing.writesCallsLate) {
      const late = `${path} ends within a turn, and nothing moves in its terminal: whether it asks something, its program writes down only afterwards`;
      return [{ ...told, says: 'present', text: late }];
    }
    const text = `${path} ends within a turn, and nothing moves in its terminal any more, as it did while it worked`;
    return [{ ...told, at: Math.max(at, movement?.since ?? 0), says: 'idle', text }];
  }
  if (!call) return [{ ...told, says: 'working', text: `${path} ends within a turn` }];
  const what = call.summary === '' ? call.name : `${call.name}: ${call.summary}`;
  const isStill = isStillFor(needsHands(calls) ? STILL_BEFORE_A_CALL_MS : STILL_MS);
  const isAsked = wasAsked(calls, doing);
  if (isAsked || doing.isAtRest || isStuck(calls, doing, isStill)) {
    const still = isAsked ? ', its log says that it asks' : isStill ? ', nothing moves in its terminal' : '';
    const text = `${path} ends with a call that has no result${still}, and nothing runs for it: ${what}`;
    return [{ ...told, says: 'waiting', for: { kind: 'approval', text: what }, text }];
  }
  return [{ ...told, says: 'working', text: `${path} ends with a call that has no result yet: ${what}` }];
}

function atRest(path: string, at: number, { holders, processes, writesCallsLate, isAsking, ranAt }: Doing): Evidence {
  const told = { source: 'transcript', at } as const;
  if (!writesCallsLate || !holders.some(({ hasTerminal }) => hasTerminal))
    return { ...told, says: 'idle', text: `${path} ends with a turn that is over` };
  const begun = processes ? startedBy(holders, processes) : [];
  // What a hook told of a question was answered when something ran since, also when that is over and not told yet.
  const lastBegun = Math.max(...begun, isAsking ? (ranAt ?? 0) : 0);
  if (lastBegun > at - SLACK_MS) {
    const text = `${path} ends with an answer, and something ran since`;
    return { ...told, at: Math.max(at, lastBegun), says: 'working', text };
  }
  const text = `${path} ends with an answer; whether it asks something, its program writes down only afterwards`;
  return { ...told, says: 'present', text };
}

/** When each process began that they have started. */
export function startedBy(holders: readonly ProcessSeen[], processes: Processes): number[] {
  const own = new Set(holders.map(({ pid }) => pid));
  return kinOf(holders, processes).flatMap(({ pid, began }) => (own.has(pid) ? [] : [began]));
}

/**
 * Commands run as processes, and files are changed at once. When such calls have no result and no process began since, nobody has allowed
 * them yet. Other calls may take their time within the agent: of them only a terminal that stands still tells.
 */
function isStuck(
  calls: readonly OpenCall[],
  { holders, processes, movement, hasRun, now }: Doing,
  isStill: boolean,
): boolean {
  if (!processes || holders.length === 0 || movement?.isMoving || hasRun) return false;
  const since = Math.max(...calls.map(({ at }) => at));
  const isLong = now - since >= HANDS_MS && needsHands(calls);
  if (!isStill && !isLong) return false;
  return !isRunning(calls, holders, processes);
}

/** It asked since the last of these calls was made, and nothing began since: what came of a question is not told. */
function wasAsked(calls: readonly OpenCall[], { asked, holders, ranAt = 0 }: Doing): boolean {
  if (asked === undefined || holders.length === 0) return false;
  return asked >= Math.max(...calls.map(({ at }) => at)) - SLACK_MS && ranAt < asked - SLACK_MS;
}

const needsHands = (calls: readonly OpenCall[]): boolean => calls.every(({ kind }) => NEEDS_HANDS.has(kind));

/** Whether a process began for these calls, and is still there. */
export function isRunning(
  calls: readonly OpenCall[],
  holders: readonly ProcessSeen[],
  processes: Processes | undefined,
): boolean {
  if (!processes || calls.length === 0) return false;
  const since = Math.min(...calls.map(({ at }) => at)) - SLACK_MS;
  return kinOf(holders, processes).some(({ began }) => began > since);
}

const NEEDS_HANDS: ReadonlySet<OpenCall['kind']> = new Set(['execute', 'edit', 'delete', 'move'] as const);
