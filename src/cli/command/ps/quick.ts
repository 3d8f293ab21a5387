/**
 * `glassbox ps` by itself, which the build puts into one file: it is asked often, by people and by prompts of shells, and most of what it costs is
 * to find and load the parts of a command line that it does not need. Whoever asks for more than this gets the whole one.
 */
import type { Context } from '../../context.js';
import { statusOfError } from '../../exit-status.js';
import { failureText } from '../../failure.js';
import { listLive } from './list-live.js';

export async function quickPs(json: boolean, context: Context): Promise<void> {
  try {
    await listLive.call(context, { json, color: 'auto' });
  } catch (error) {
    context.process.stderr.write(`${failureText(error)}\n`);
    context.process.exitCode = statusOfError(error);
  }
}
