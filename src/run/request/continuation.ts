/** From what a run was started with to the request that continues its session under the same terms. */
import { GlassboxError, type Terms } from '../../event/index.js';
import type { Rule } from '../approval/rule.js';
import type { RunRequest } from './request.js';
import { checkRules } from './setting.js';

/** Of `resumeAt`: with nothing of the conversation. */
export const FROM_START = 'start';

/** Whether it can be spoken to meanwhile, and how far it may go, is for whoever continues it. */
export function continueUnder(terms: Terms | undefined): Partial<RunRequest> {
  if (!terms) return {};
  const { rules, followUp: _, limits: __, ...rest } = terms;
  return { ...rest, ...(rules && { rules: rulesFrom(rules) }) };
}

/** A rule that cannot be read might have been one that forbids. */
function rulesFrom(kept: readonly unknown[]): Rule[] {
  const problems: string[] = [];
  const rules = checkRules(kept, 'rules', problems);
  if (rules && problems.length === 0) return rules;
  throw new GlassboxError(
    'conflict',
    `This session was started with rules that this glassbox does not understand: ${problems.join('; ')}. Start a new one.`,
  );
}
