/** Options that a call does not have are refused: a misspelt limit or a misplaced answer must not look as if it held. */
import { GlassboxError } from './error.js';

/** The names of all options; the compiler asks for every one of them. */
export type OptionNames<Options> = { readonly [Name in keyof Options]-?: true };

export function refuseUnknown<Options extends object>(
  call: string,
  options: Options | undefined,
  names: OptionNames<NoInfer<Options>>,
): void {
  for (const name of Object.keys(options ?? {})) {
    if (Object.hasOwn(names, name)) continue;
    throw new GlassboxError(
      'invalid-request',
      `${call} has no option "${name}"; ${instead(name, Object.keys(names), 'it has')}.`,
    );
  }
}

const FEW = 6;

/** Which of the known ones was probably meant. */
export function nearestOf(name: string, known: readonly string[]): string {
  const begun = known.find((word) => word.toLowerCase().startsWith(name.toLowerCase()));
  return begun ?? [...known].sort((left, right) => distance(name, left) - distance(name, right))[0] ?? '';
}

/** What to write instead of a name that is not known: the one that was probably meant, or all, after the words that begin a list. */
export function instead(name: string, known: readonly string[], listed: string): string {
  const nearest = nearestOf(name, known);
  const isNear = distance(name, nearest) <= name.length / 2;
  return known.length > FEW && isNear ? `the nearest is "${nearest}"` : `${listed} ${known.join(', ')}`;
}

/** Letters to change, add or leave out, to come from one word to the other. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [line, letter] of [...from.toLowerCase()].entries()) {
    const next = [line + 1];
    for (let column = 1; column <= to.length; column += 1) {
      const changed = (row[column - 1] ?? 0) + (to[column - 1]?.toLowerCase() === letter ? 0 : 1);
      next.push(Math.min(changed, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
