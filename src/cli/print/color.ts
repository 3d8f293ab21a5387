/** Whether to print in colour: what was asked for, else the conventions of `FORCE_COLOR` and `NO_COLOR`, else whether anybody looks. */

export const COLOR_CHOICES = ['auto', 'always', 'never'] as const;

export type ColorChoice = (typeof COLOR_CHOICES)[number];

export function wantsColor(
  choice: ColorChoice,
  stream: { isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  if (choice !== 'auto') return choice === 'always';
  // As Node itself decides: forcing wins over forbidding, and an empty NO_COLOR is none.
  if (env.FORCE_COLOR !== undefined) return !['0', 'false'].includes(env.FORCE_COLOR);
  if (env.NO_COLOR) return false;
  return stream.isTTY === true && env.TERM !== 'dumb';
}
