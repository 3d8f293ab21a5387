/** What a run came to and why: the first who wanted its end, else what the agent's last turn said; an exit code alone never decides. */
import type { AgentEvent, Completion, DraftOf, EndReason, ErrorFacts } from '../event/index.js';
import type { Exit } from './process/agent-process.js';
import type { RunSummary } from './run-summary.js';

/** Somebody or something that wants the run to end. */
export interface Ender {
  reason: EndReason;
  /** For people, as the rest of a sentence: `no sign of life for 600 s, while running Bash`; absent when nobody gave a reason. */
  message?: string;
}

export interface Ended {
  title: string;
  ender: Ender | undefined;
  /** A turn was interrupted on request, by a person or the watchdog. */
  interrupted: Ender | undefined;
  exit: Exit;
  /** The process never was. */
  spawnError?: ErrorFacts | undefined;
  /** After the stream was closed, because that may tell how the last turn ended. */
  summary: RunSummary;
  left: Left;
  /** What the watchdog told. */
  notes: readonly string[];
  durationMs: number;
}

/** What was under way when the process ended, before closing the stream makes everything look ended. */
export interface Left {
  open: ReturnType<RunSummary['open']>;
  /** `while running Bash: npm test`, `before it said anything`. */
  moment: string;
}

export function leftBy(summary: RunSummary): Left {
  const silent = summary.facts().turns === 0 && !summary.isTurnOpen();
  return { open: summary.open(), moment: silent ? 'before it said anything' : `while ${summary.doing()}` };
}

/** An agent that was interrupted takes it for the user's wish; whoever it really was is known here. */
export function withReason(draft: DraftOf<'turn-end'>, why: Ender | undefined): DraftOf<'turn-end'> {
  if (why === undefined || draft.outcome !== 'interrupted') return draft;
  return { ...draft, error: { category: 'interrupted', message: sentence(why.message ?? why.reason) } };
}

export function conclude(ended: Ended): Completion {
  const { exit, summary, left, durationMs } = ended;
  const { error: _, ...facts } = summary.facts();
  const detail = describeEnding(ended);
  const leftBehind = exit.survivors.found.map(({ pid, name }) => ({ pid, name }));
  const why = concludeReason(ended);
  const parked = parkedBy(why, summary);
  return {
    ...facts,
    ...why,
    ...(parked && { parked }),
    ...(exit.exitCode !== undefined && { exitCode: exit.exitCode }),
    ...(exit.signal !== undefined && { signal: exit.signal }),
    ...(detail !== undefined && { detail }),
    ...(exit.steps.length > 0 && { steps: [...exit.steps] }),
    open: { ...left.open, processes: exit.survivors.left.map(({ pid }) => pid) },
    ...(leftBehind.length > 0 && { leftBehind }),
    durationMs,
  };
}

function concludeReason(ended: Ended): Pick<Completion, 'reason' | 'error'> {
  const { ender, interrupted, exit, spawnError, summary, left } = ended;
  if (spawnError && !ender) return { reason: 'spawn-failed', error: spawnError };
  if (ender) return { reason: ender.reason, ...errorOf(summary) };
  const outcome = summary.outcome();
  switch (outcome) {
    case 'success':
      return { reason: 'finished' };
    case 'max-turns':
    case 'over-budget':
      return { reason: outcome, ...errorOf(summary) };
    case 'failed':
      return { reason: 'failed', ...errorOf(summary) };
    case 'interrupted':
      return { reason: interrupted?.reason ?? 'failed', ...errorOf(summary) };
    default:
      break;
  }
  // Several agents print no result at all; then an orderly exit after an answer, with nothing left open, is one.
  const { tools, approvals } = left.open;
  const orderly = exit.exitCode === 0 && exit.signal === undefined;
  const answered = summary.facts().text !== undefined && tools.length === 0 && approvals.length === 0;
  if (orderly && answered) return { reason: 'finished' };
  if (interrupted) return { reason: interrupted.reason };
  return { reason: 'crashed', error: summary.facts().error ?? crash(ended) };
}

/** Nobody wanted its end, and what the agent said last of its limit is that it is reached. */
function parkedBy({ reason, error }: Pick<Completion, 'reason' | 'error'>, summary: RunSummary) {
  const isStopped = (reason === 'failed' || reason === 'crashed') && error?.category === 'rate-limit';
  return isStopped ? summary.reachedLimit() : undefined;
}

/** One sentence for people, or none when there is nothing to tell. */
function describeEnding({ ender, interrupted, exit, notes }: Ended): string | undefined {
  const why = ender?.message ?? interrupted?.message;
  const stubborn = exit.survivors.left.map(({ pid }) => pid);
  const left = stubborn.length > 0 ? [`could not end ${stubborn.join(', ')}`] : [];
  const parts = new Set([...(why ? [why] : []), ...notes, ...left]);
  return parts.size > 0 ? [...parts].join('; ') : undefined;
}

function errorOf(summary: RunSummary): { error?: ErrorFacts } {
  const { error } = summary.facts();
  return error ? { error } : {};
}

function crash({ title, exit, left }: Ended): ErrorFacts {
  const how = exit.signal ? `was ended by ${exit.signal}` : `exited with status ${exit.exitCode ?? 'unknown'}`;
  return {
    category: 'unknown',
    message: `${title} ${how} ${left.moment}, without a result.`,
    hint: 'What it printed on stderr may tell why.',
  };
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

export function leftText(title: string, found: readonly { pid: number; name: string }[]): string {
  const those = found.map(({ pid, name }) => `${name} (${pid})`).join(', ');
  return `${title} left ${found.length === 1 ? 'a process' : 'processes'} behind, which glassbox ended: ${those}.`;
}

/** What is given back is what everybody was told: bounded, and without secrets. */
export function asTold(completed: Completion, event: AgentEvent | undefined): Completion {
  if (event?.type !== 'run-end') return completed;
  const facts = Object.entries(event).filter(([name]) => Object.hasOwn(completed, name));
  return { ...completed, ...Object.fromEntries(facts) };
}
