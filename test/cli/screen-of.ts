/** What the output of a program leaves on a terminal. */
import { Terminal } from '@xterm/headless';
import { expect } from 'vitest';

/** What a terminal shows after all of this, what scrolled away included. */
export async function screenOf(output: string, columns = 120): Promise<string> {
  const terminal = new Terminal({ cols: columns, rows: 40, scrollback: 1000, allowProposedApi: true });
  await new Promise<void>((resolve) => terminal.write(output, resolve));
  const { active } = terminal.buffer;
  const rows = Array.from({ length: active.length }, (_, row) => active.getLine(row)?.translateToString(true) ?? '');
  return rows.join('\n').trimEnd();
}

/** The last word about each is that it is as it was. */
export function expectSane(output: string): void {
  for (const [on, off] of MODES) expect(output.lastIndexOf(off)).toBeGreaterThan(output.lastIndexOf(on));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for
  expect(output).not.toMatch(/\x1b\[[23]J|\x1b\[\?1049|\x1bc/);
}

/** The cursor, wrapping, one piece for the terminal, what is pasted. */
const MODES = [
  ['\x1b[?25l', '\x1b[?25h'],
  ['\x1b[?7l', '\x1b[?7h'],
  ['\x1b[?2026h', '\x1b[?2026l'],
  ['\x1b[?2004h', '\x1b[?2004l'],
] as const;
