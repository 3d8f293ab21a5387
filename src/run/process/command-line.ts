/** The command line of a run, quoted so that a POSIX shell would take it; for people to read, never to be run by us. */
import { redactText } from '../../decode/index.js';
import { planRun, type RunRequest, withDefaults } from '../request/request.js';

/** Secrets in it are redacted. Throws what `run` would throw for the same request. */
export function commandLine(request: RunRequest, defaults: Partial<RunRequest> = {}): string {
  const { agent, command, request: whole } = planRun(withDefaults(request, defaults));
  const { program, args } = agent.command(command);
  return [whole.program ?? program, ...args].map((word) => quoteWord(redactText(word))).join(' ');
}

export function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
