/** Asks before something is done for which a person is needed. Who cannot be asked says beforehand that it is meant. */
import { GlassboxError } from '../../event/index.js';
import { type AskingTerminal, findAskingTerminal } from './asking-terminal.js';
import { createKeyboard } from './keyboard.js';

/** `ended`: with Ctrl-C; the command ends as after any other. */
export type Assent = 'yes' | 'no' | 'ended';

export interface ConfirmOptions {
  /** Said beforehand. */
  yes?: boolean | undefined;
  /** What Enter means: no, where something is taken away. */
  usual?: 'yes' | 'no';
}

/** Throws a `GlassboxError` that says what to do where nobody can be asked. */
export async function confirm(
  question: string,
  { yes, usual = 'no' }: ConfirmOptions,
  process: NodeJS.Process,
): Promise<Assent> {
  if (yes) return 'yes';
  const line = await askLine(`${question} ${usual === 'yes' ? '[Y/n]' : '[y/N]'} `, process);
  if (line === undefined) return 'ended';
  if (line === '') return usual;
  return /^y(es)?$/i.test(line) ? 'yes' : 'no';
}

/** One of several by its number or its name, asked again until it is one; undefined after Ctrl-C. Enter takes the first. */
export async function choose(
  question: string,
  choices: readonly string[],
  process: NodeJS.Process,
): Promise<string | undefined> {
  const numbered = choices.map((choice, index) => `${index + 1} ${choice}`).join(', ');
  for (;;) {
    const line = await askLine(`${question} ${numbered} [1] `, process);
    if (line === undefined) return undefined;
    const chosen = line === '' ? choices[0] : (choices[Number(line) - 1] ?? choices.find((one) => one === line));
    if (chosen !== undefined) return chosen;
  }
}

/** Undefined after Ctrl-C; the end of input is an empty line, said by nobody. */
export async function askLine(prompt: string, process: NodeJS.Process): Promise<string | undefined> {
  using terminal = requireTerminal(process);
  const ended = new AbortController();
  const keyboard = createKeyboard(terminal, () => ended.abort());
  const line = await keyboard.line(prompt, ended.signal);
  if (!ended.signal.aborted) return line?.trim() ?? 'no';
  process.exitCode = 130;
  return undefined;
}

export function requireTerminal(process: NodeJS.Process): AskingTerminal {
  const terminal = findAskingTerminal(process);
  if (terminal) return terminal;
  throw new GlassboxError(
    'invalid-request',
    'There is no terminal to ask on, so nothing was changed. --yes says that it is meant, --dry-run what would happen.',
  );
}
