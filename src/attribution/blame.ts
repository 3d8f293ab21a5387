/** Who made each line of a file, and took out those that are gone, over all that became of it. */
import { attributeStep } from './attribute-step.js';
import { OLDER, type Step } from './maker.js';
import { type MadeText, madeText } from './replay.js';

/** The steps of one file, the oldest first, each beginning where the one before ended. */
export function blame(steps: readonly Step[], begin: string | undefined = steps[0]?.before): MadeText {
  return steps.reduce<MadeText>(
    (made, step) => (isSame(step) ? made : attributeStep(made, step)),
    madeText(begin, OLDER),
  );
}

/** Nothing became of it. */
const isSame = ({ before, after }: Step): boolean => before === after;
