/** Asks before something is taken away. Who cannot be asked says beforehand that it is meant. */
import { GlassboxError } from '../../event/index.js';
import { findAskingTerminal } from './asking-terminal.js';
import { createKeyboard } from './keyboard.js';

/** `ended`: with Ctrl-C; the command ends as after any other. */
export type Assent = 'yes' | 'no' | 'ended';

/** Only a typed yes is one. Throws a `GlassboxError` that says what to do where nobody can be asked. */
export async function confirm(
  question: string,
  { yes }: { yes?: boolean | undefined },
  process: NodeJS.Process,
): Promise<Assent> {
  if (yes) return 'yes';
  using terminal = findAskingTerminal(process);
  if (!terminal) {
    throw new GlassboxError(
      'invalid-request',
      'There is no terminal to ask on, so nothing was changed. --yes says that it is meant, --dry-run what would happen.',
    );
  }
  const ended = new AbortController();
  const keyboard = createKeyboard(terminal, () => ended.abort());
  const line = await keyboard.line(`${question} [y/N] `, ended.signal);
  if (ended.signal.aborted) {
    process.exitCode = 130;
    return 'ended';
  }
  return /^y(es)?$/i.test(line?.trim() ?? '') ? 'yes' : 'no';
}
