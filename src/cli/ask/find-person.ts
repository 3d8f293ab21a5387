/** Whether somebody is there to be asked, and on which terminal. */

import { type ColorChoice, wantsColor } from '../print/color.js';
import { type AskingTerminal, findAskingTerminal } from './asking-terminal.js';
import { createPerson, type Person } from './person.js';

export interface PersonAtTerminal extends Disposable {
  person: Person | undefined;
  terminal: AskingTerminal | undefined;
  /** The person sees on the same screen what is printed. */
  isHere: boolean;
}

export function findPerson(flags: { color: ColorChoice }, process: NodeJS.Process): PersonAtTerminal {
  const terminal = findAskingTerminal(process);
  if (!terminal) return { person: undefined, terminal, isHere: false, [Symbol.dispose]() {} };
  const { env, stdout } = process;
  const color = wantsColor(flags.color, terminal.output, env);
  const person = createPerson({ terminal, color, env, interrupt: () => void process.emit('SIGINT', 'SIGINT') });
  return { person, terminal, isHere: stdout.isTTY === true, [Symbol.dispose]: () => terminal[Symbol.dispose]() };
}
