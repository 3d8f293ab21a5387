/** What is said on stderr when something went wrong: one sentence for what can happen, a stack only for what must not. */
import { GlassboxError } from '../event/index.js';
import { safe } from '../view/text/safe.js';
import { tooManyFiles } from './open-files.js';

export function failureText(error: unknown): string {
  if (error instanceof GlassboxError) return `glassbox: ${safe(error.message)}`;
  const lacking = tooManyFiles(error);
  if (lacking !== undefined) return lacking;
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `glassbox failed, and should not have. Please report this:\n${safe(stack)}`;
}
