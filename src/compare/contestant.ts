/** Who takes part, from the words of a person: `claude,codex:o5`. */
import { GlassboxError } from '../event/index.js';
import type { Attempt, Contestant } from './comparison.js';

/** More at once are a mistake more often than a wish. */
const MOST_ATTEMPTS = 100;

/** `isKnown` says whether there is such an agent. Throws a `GlassboxError` for what makes no sense. */
export function contestantsFrom(words: readonly string[], isKnown: (agent: string) => boolean): Contestant[] {
  const contestants = words.map((label): Contestant => {
    const [, agent = '', model] = /^([^:]*)(?::(.*))?$/.exec(label) ?? [];
    if (!isKnown(agent))
      throw new GlassboxError(
        'unknown-agent',
        `There is no agent named ${agent || label}. Write agents with commas, and a model behind a colon: --agents ONE,OTHER:MODEL. glassbox doctor tells which are here.`,
      );
    if (model === '')
      throw new GlassboxError(
        'invalid-request',
        `Name the model behind the colon of ${label}, or leave the colon out.`,
      );
    return { label, agent, ...(model !== undefined && { model }) };
  });
  const twice = contestants.find(({ label }, index) => contestants.findIndex((one) => one.label === label) !== index);
  if (twice)
    throw new GlassboxError('invalid-request', `${twice.label} is named twice. --times says how often each tries.`);
  return contestants;
}

/** In rounds, so that a budget that ends early ends for all. */
export function attemptsOf(contestants: readonly Contestant[], times: number): Attempt[] {
  if (contestants.length * times > MOST_ATTEMPTS)
    throw new GlassboxError('invalid-request', `More than ${MOST_ATTEMPTS} attempts are not made in one comparison.`);
  return Array.from({ length: times }, () => contestants)
    .flat()
    .map((contestant, index) => ({
      ...contestant,
      number: index + 1,
      state: 'waiting',
      asked: 0,
      refused: 0,
      verdict: 'unknown',
    }));
}
