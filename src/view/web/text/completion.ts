/** What can be completed where the cursor stands: a slash command at the beginning, a file after an @. Pure. */

export interface Wanted {
  kind: 'command' | 'file';
  /** What was typed of it, without its sign. */
  text: string;
  /** Where the sign stands. */
  from: number;
}

const MOST = 200;

export function wantedAt(text: string, cursor: number): Wanted | undefined {
  const before = text.slice(Math.max(0, cursor - MOST), cursor);
  const word = before.split(/\s/).at(-1) ?? '';
  const from = cursor - word.length;
  if (word.startsWith('@')) return { kind: 'file', text: word.slice(1), from };
  if (word.startsWith('/') && from === 0) return { kind: 'command', text: word.slice(1), from };
  return undefined;
}

/** The text with the chosen one in place, and where the cursor is then. */
export function completed(text: string, cursor: number, { kind, from }: Wanted, chosen: string) {
  const put = `${kind === 'file' ? '@' : '/'}${chosen} `;
  const rest = text.slice(cursor).replace(/^ /, '');
  return { text: text.slice(0, from) + put + rest, cursor: from + put.length };
}

const MOST_SHOWN = 8;

export function commandsLike(commands: readonly string[], typed: string): string[] {
  const wanted = typed.toLowerCase();
  const names = commands.map((name) => name.replace(/^\//, ''));
  const first = names.filter((name) => name.toLowerCase().startsWith(wanted));
  const others = names.filter((name) => !first.includes(name) && name.toLowerCase().includes(wanted));
  return [...first, ...others].slice(0, MOST_SHOWN);
}
