/** A terminal that is closed under the program: what cannot be shown there must not end it before everything is in order. */
import { closeSync } from 'node:fs';

export function outliveTerminal(process: NodeJS.Process): void {
  const { isatty } = process.getBuiltinModule('node:tty');
  const terminals = [0, 1, 2].filter((descriptor) => isatty(descriptor));
  if (terminals.length === 0) return;
  if (terminals.includes(1)) process.stdout.on('error', () => {});
  process.on('exit', () => {
    // Node puts the terminal's settings back at its end, and ends with a crash where there is no terminal any more.
    for (const descriptor of terminals) if (!isatty(descriptor)) closeSync(descriptor);
  });
}
