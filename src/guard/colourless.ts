/**
 * What programs print may have colours in the middle of a secret (`grep --color` marks what it was asked for), and every view takes colours
 * away: it would put the secret together again.
 */
import { type DraftOf, withoutColours } from '../event/index.js';
import type { Redaction } from './redact.js';
import type { Redactor } from './scan.js';

/** The beginning of a colour, whose end is still to come. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is how terminals are told
const BEGUN = /\u001b(?:\[[0-9;:]{0,64})?$/;

/** For what arrives in pieces: the colours go before it is looked at, however they are cut. */
export function createColourless(redactor: Redactor): Redactor {
  let begun = '';
  const take = (text: string, isLast: boolean): string => {
    const given = begun + text;
    begun = isLast ? '' : (BEGUN.exec(given)?.[0] ?? '');
    return withoutColours(given.slice(0, given.length - begun.length));
  };
  return { push: (text) => redactor.push(take(text, false)), end: (text = '') => redactor.end(take(text, true)) };
}

/** The end of a call, without the colours of its output where they hide a secret. */
export function withoutHiding(end: DraftOf<'tool-end'>, { redact }: Redaction): DraftOf<'tool-end'> {
  const { output } = end;
  if (typeof output !== 'string') return end;
  const plain = withoutColours(output);
  return plain === output || redact(plain) === plain ? end : { ...end, output: plain };
}
