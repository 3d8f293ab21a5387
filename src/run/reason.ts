/** What a run came to and why: the first who wanted its end, else what the agent's last turn said; an exit code alone never decides. */
import type { Completion, EndReason, ErrorFacts } from '../event/index.js';
import type { Exit } from './agent-process.js';
import type { Tally } from './tally.js';

/** Somebody or something that wants the run to end. */
export interface Ender {
  reason: EndReason;
  /** For people, as the rest of a sentence: `no sign of life for 600 s, while running Bash`. */
  message: string;
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
  tally: Tally;
  left: Left;
  /** What the watchdog told. */
  notes: readonly string[];
  durationMs: number;
}

/** What was under way when the process ended, before closing the stream makes everything look ended. */
export interface Left {
  open: ReturnType<Tally['open']>;
  /** `while running Bash: npm test`, `before it said anything`. */
  moment: string;
}

export function leftBy(tally: Tally): Left {
  const silent = tally.facts().turns === 0 && !tally.isTurnOpen();
  return { open: tally.open(), moment: silent ? 'before it said anything' : `while ${tally.doing()}` };
}

export function conclude(ended: Ended): Completion {
  const { exit, tally, left, durationMs } = ended;
  const { error: _, ...facts } = tally.facts();
  const detail = describeEnding(ended);
  return {
    ...facts,
    ...concludeReason(ended),
    ...(exit.exitCode !== undefined && { exitCode: exit.exitCode }),
    ...(exit.signal !== undefined && { signal: exit.signal }),
    ...(detail !== undefined && { detail }),
    open: { ...left.open, processes: [...exit.survivors] },
    durationMs,
  };
}

function concludeReason(ended: Ended): Pick<Completion, 'reason' | 'error'> {
  const { ender, interrupted, exit, spawnError, tally, left } = ended;
  if (spawnError && !ender) return { reason: 'spawn-failed', error: spawnError };
  if (ender) return { reason: ender.reason, ...errorOf(tally) };
  const outcome = tally.outcome();
  switch (outcome) {
    case 'success':
      return { reason: 'finished' };
    case 'max-turns':
    case 'over-budget':
      return { reason: outcome, ...errorOf(tally) };
    case 'failed':
      return { reason: 'failed', ...errorOf(tally) };
    case 'interrupted':
      return { reason: interrupted?.reason ?? 'failed', ...errorOf(tally) };
    default:
      break;
  }
  // Several agents print no result at all; then an orderly exit after an answer, with nothing left open, is one.
  const { tools, approvals } = left.open;
  const orderly = exit.exitCode === 0 && exit.signal === undefined;
  const answered = tally.facts().text !== undefined && tools.length === 0 && approvals.length === 0;
  if (orderly && answered) return { reason: 'finished' };
  if (interrupted) return { reason: interrupted.reason };
  return { reason: 'crashed', error: tally.facts().error ?? crash(ended) };
}

/** One sentence for people, or none when there is nothing to tell. */
function describeEnding({ ender, interrupted, exit, notes }: Ended): string | undefined {
  const why = ender?.message ?? interrupted?.message;
  const left = exit.survivors.length > 0 ? [`could not end ${exit.survivors.join(', ')}`] : [];
  const parts = new Set([...(why ? [why] : []), ...notes, ...exit.steps, ...left]);
  return parts.size > 0 ? [...parts].join('; ') : undefined;
}

function errorOf(tally: Tally): { error?: ErrorFacts } {
  const { error } = tally.facts();
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
