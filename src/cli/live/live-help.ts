/** All keys of the live view, shown below it until the next one is pressed. */
import { rowsOf, styled } from '../../view/terminal/styled.js';
import type { KeyUse } from './live-control.js';

const COLUMN = 8;

export function liveHelpRows(use: KeyUse, { width, color }: { width: number; color: boolean }): string[] {
  const keys: (readonly [key: string, does: string] | undefined)[] = [
    use.say && ['Enter', 'says it when it can hear it; Alt-Enter begins a new line'],
    use.say && ['↑ ↓', 'take back what waits; bring earlier lines'],
    use.say && use.files && ['@', 'a file of the project, Tab completes it'],
    ['Tab', 'a question that waits; lets keys answer'],
    use.interrupt && ['Esc', 'interrupts what it does now; then say what next'],
    use.ownProgram && ['Ctrl-T', `in ${use.ownProgram.title}, and back here`],
    ['Ctrl-Z', 'gives the terminal back until fg'],
    ['Ctrl-C', use.end ? 'twice ends it' : 'ends it'],
  ];
  return keys
    .filter((one) => one !== undefined)
    .flatMap(([key, does]) =>
      rowsOf([{ text: does, looks: ['dim'] }], width - COLUMN - 3, color).map(
        (row, index) => `   ${styled((index === 0 ? key : '').padEnd(COLUMN), ['accent'], color)}${row}`,
      ),
    );
}
