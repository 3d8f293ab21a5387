/** What the argument vectors of several agents have in common. */

/** Values only as `--flag=value`: a value that begins with a dash would otherwise be a flag. */
export function valued(flag: string, value: string | number | undefined): string[] {
  return value === undefined ? [] : [`${flag}=${value}`];
}

/** Where package managers put programs, besides PATH. */
export const BIN_DIRS: readonly string[] = [
  '~/.local/bin',
  '/usr/local/bin',
  '/opt/homebrew/bin',
  '/usr/bin',
  '~/.npm-global/bin',
  '~/.bun/bin',
  '~/.volta/bin',
  '~/AppData/Roaming/npm',
];
