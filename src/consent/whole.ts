/** Whether a request is here to its end. What was cut cannot be read, and what cannot be read is not allowed. */
import { size } from '../word/index.js';
import type { ApprovalRequest } from './consent.js';

export function missingOf({ cuts = [], hidesWords }: ApprovalRequest): string | undefined {
  if (hidesWords) return HIDDEN;
  const most = cuts.filter(({ path }) => DECISIVE.test(path)).toSorted((one, other) => other.bytes - one.bytes)[0];
  if (!most) return undefined;
  return `It is too long to be shown to its end (${size(most.bytes)}), so it can only be allowed by a rule.`;
}

const HIDDEN =
  'What is withheld of it as a secret is more than one word, so nobody can read what it would do, and it can only be allowed by a rule.';

/** The fields of a request that say what would be done. */
const DECISIVE = /^\/(input|command|paths|edits|differences|plan)(\/|$)/;
