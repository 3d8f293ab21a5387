/** The same task for several agents, each in a work tree of its own, so many at once: nothing is asked, nothing of the user's is touched. */
import { createHash, randomBytes } from 'node:crypto';
import type { Permission } from '../event/index.js';
import { type RunRequest, redactText } from '../run/index.js';
import { thisProcess } from '../run/process/reaper.js';
import { projectOf, type WorktreeWish } from '../worktree/index.js';
import { type Stage, tryOnce } from './attempt.js';
import type { Attempt, Comparison, Contestant } from './comparison.js';
import { attemptsOf } from './contestant.js';
import { createPurse } from './purse.js';
import { comparisonDirectory, writeComparison } from './record.js';

export interface CompareOptions extends Pick<Stage, 'start' | 'sessionOf' | 'signal' | 'whyStopped'> {
  task: string;
  contestants: readonly Contestant[];
  times: number;
  /** How many work at once. */
  atOnce: number;
  wish: WorktreeWish;
  permission: Permission;
  /** What else every run has. */
  request: Omit<RunRequest, 'agent' | 'prompt' | 'cwd' | 'permission' | 'budgetUsd' | 'attended'>;
  check?: string | undefined;
  checkTimeoutMs: number;
  /** Over all attempts. */
  budgetUsd?: number | undefined;
  /** Each step of an attempt, when it is written down. */
  onChange?(attempt: Attempt, comparison: Comparison): void;
  dir?: string;
}

/** Throws a `GlassboxError` when it cannot begin at all; ends when nothing of it runs any more. */
export async function compare(options: CompareOptions): Promise<Comparison> {
  const { task, contestants, times, atOnce, wish, permission, check, budgetUsd, onChange } = options;
  const { dir = comparisonDirectory(), start, sessionOf, signal, whyStopped, checkTimeoutMs } = options;
  const owner = await thisProcess();
  const { project, base } = await projectOf(wish.cwd);
  const id = newId();
  let comparison: Comparison = {
    schema: 1,
    id,
    task: redactText(task).slice(0, MOST_LETTERS),
    fingerprint: fingerprintOf(task, check),
    project,
    base,
    permission,
    ...(check !== undefined && { check: redactText(check).slice(0, MOST_LETTERS) }),
    ...(budgetUsd !== undefined && { budgetUsd }),
    startedAt: Date.now(),
    attempts: attemptsOf(contestants, times),
  };
  // One after the other, so that the file is always the latest.
  let writing = Promise.resolve();
  const write = (): Promise<void> => {
    const now = comparison;
    writing = writing.catch(() => {}).then(() => writeComparison(dir, now, owner));
    return writing;
  };
  await write();
  const alone = createTurnstile();
  const stage: Stage = {
    ...{ wish, start, sessionOf, check, checkTimeoutMs, signal, whyStopped, alone },
    request: { ...options.request, prompt: task, permission },
    purse: createPurse(budgetUsd, comparison.attempts.length),
    refs: refsOfComparison(id),
    async onChange(attempt) {
      const attempts = comparison.attempts.map((one) => (one.number === attempt.number ? attempt : one));
      comparison = { ...comparison, attempts };
      // A full disk must not end what works: the last word is written once more below.
      await write().catch(() => {});
      onChange?.(attempt, comparison);
    },
  };
  const waiting = [...comparison.attempts];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await tryOnce(next, stage);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, waiting.length) }, work));
  comparison = { ...comparison, endedAt: Date.now() };
  await write();
  return comparison;
}

/** The same for the same task and check, in whichever project. */
export function fingerprintOf(task: string, check: string | undefined): string {
  return createHash('sha256')
    .update(JSON.stringify([task, check]))
    .digest('hex');
}

export const refsOfComparison = (id: string): string => `refs/glassbox/compare-${id}`;

const MOST_LETTERS = 10_000;

/** As the names of work trees: short, without vowels. */
function newId(): string {
  const letters = '23456789bcdfghjkmnpqrstvwxz';
  return [...randomBytes(6)].map((byte) => letters[byte % letters.length]).join('');
}

function createTurnstile(): Stage['alone'] {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work, work);
    last = mine.catch(() => {});
    return mine;
  };
}
