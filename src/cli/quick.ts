/**
 * `glassbox ps` and `glassbox sessions` by themselves, which the build puts into one file: they are asked often, by people and by prompts of shells, and most
 * of what they cost is to find and load the parts of a command line that they do not need. Whoever asks for more than this gets the whole one.
 */
import { listLive } from './command/ps/list-live.js';
import { LATEST } from './command/sessions/latest.js';
import { listSessions } from './command/sessions/list-sessions.js';
import type { Context } from './context.js';
import { statusOfError } from './exit-status.js';
import { failureText } from './failure.js';
import { byWords } from './print/by-words.js';

export async function quickly(command: 'ps' | 'sessions', json: boolean, context: Context): Promise<void> {
  try {
    if (command === 'ps') await listLive.call(context, { json, color: 'auto' });
    else await listSessions.call(context, { json, color: 'auto', limit: LATEST });
  } catch (error) {
    const { stderr } = context.process;
    stderr.write(`${byWords(failureText(error), stderr)}\n`);
    context.process.exitCode = statusOfError(error);
  }
}
