/** What a line means that was typed at a question: an answer, more to read, or nothing that makes sense. */
import type { Scope } from '../../consent/index.js';
import type { Answer } from '../../event/index.js';

export type Reply =
  | { answer: Answer }
  | { more: true }
  | { why: true }
  | { edit: true }
  | { later: true }
  | { problem: string };

export const HELP = 'y allows it, n (with a reason, if you like) does not, w tells more.';

export interface Choices {
  scopes: readonly Scope[];
  canEdit: boolean;
  canLeave: boolean;
}

export function readReply(line: string, { scopes, canEdit, canLeave }: Choices): Reply {
  const [, word = '', rest = ''] = /^(\S*)\s*(.*)$/s.exec(line.trim()) ?? [];
  const always = /^a(?:lways)?([\d,]*)$/i.exec(word);
  if (always) return alwaysOf(`${always[1]} ${rest}`, scopes);
  switch (word.toLowerCase()) {
    case '':
      return { more: true };
    case 'y':
    case 'yes':
      return rest === ''
        ? { answer: { type: 'approve' } }
        : { problem: 'y alone allows it; to say more, use n and the reason.' };
    case 'n':
    case 'no':
      return { answer: { type: 'deny', ...(rest !== '' && { message: rest }) } };
    case 'w':
    case 'why':
      return { why: true };
    case 'e':
    case 'edit':
      return canEdit ? { edit: true } : { problem: 'This cannot be changed, only allowed or not.' };
    case 'l':
    case 'later':
      return canLeave ? { later: true } : { problem: HELP };
    default:
      return { problem: HELP };
  }
}

/** `a`, `a1`, `a 2`, `a1,2`: which of the suggestions are taken. */
function alwaysOf(numbers: string, scopes: readonly Scope[]): Reply {
  if (scopes.length === 0) return { problem: 'There is no always here; y allows it this once.' };
  const named = numbers.match(/[^\s,]+/g) ?? [];
  const wanted = named.length === 0 && scopes.length === 1 ? ['1'] : named;
  if (wanted.length === 0) return { problem: `Say which: a1 to a${scopes.length}.` };
  const taken = wanted.map((number) => (/^\d+$/.test(number) ? scopes[Number(number) - 1] : undefined));
  const wrong = wanted.find((_, index) => taken[index] === undefined);
  if (wrong !== undefined)
    return { problem: `There is no a${wrong}: choose ${scopes.length === 1 ? 'a' : `a1 to a${scopes.length}`}.` };
  return { answer: { type: 'approve', remember: taken.flatMap((scope) => (scope ? [scope.position] : [])) } };
}
