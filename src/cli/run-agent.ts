/** Runs an agent in front of a person: shows every step, asks where nobody else decides, ends with a status that tells how it went. */
import type { Completion } from '../event/index.js';
import { commandLine, type RunRequest } from '../run/index.js';
import { safe } from '../view/text/index.js';
import { attendRun } from './attend-run.js';
import type { RunCommandFlags, StartFlags } from './command/run.js';
import type { Context } from './context.js';
import { STATUS_OF_REASON } from './exit-status.js';
import { createKeptRuns } from './kept-runs.js';
import { note, noteStats } from './note.js';
import { createPerson } from './person.js';
import { createPrinter } from './printer.js';
import { requestFrom } from './run-request.js';
import type { Sink } from './sink.js';
import { createStop } from './stop.js';

export async function runAgent(this: Context, flags: RunCommandFlags, ...words: string[]): Promise<void> {
  await startAgent.call(this, flags, words, sessionOf(flags));
}

/** `session`: what it continues. */
export async function startAgent(
  this: Context,
  flags: StartFlags,
  words: readonly string[],
  session: Partial<RunRequest>,
): Promise<void> {
  const { process } = this;
  const { stdin, stderr } = process;
  const { request, defaults } = await requestFrom(words, flags, process);
  Object.assign(request, session);
  const isTerminal = stdin.isTTY === true && stderr.isTTY === true;
  const wanted = { ...request, attended: isTerminal, stderr: (text: string) => void stderr.write(safe(text)) };
  if (!flags.quiet && !flags.json) stderr.write(`[glassbox] Agent command: ${safe(commandLine(wanted, defaults))}\n`);

  const kept = createKeptRuns(flags, stderr);
  const handle = kept.start(wanted, { approvalTimeoutMs: 0, ...defaults });
  using stop = createStop(process, handle);
  const person = isTerminal ? createPerson(process, request.cwd) : undefined;
  const printer = flags.streamAgentOutput ? createPrinter(flags, process) : createPrinter(flags, process, SILENT);
  const { completion, unasked } = await attendRun(handle, printer, person);
  const id = await kept.close();

  if (!flags.streamAgentOutput) tellAnswer(completion, process);
  if (flags.verbose) noteStats(stderr, printer);
  if (unasked > 0)
    note(stderr, `Denied ${unasked} time${unasked > 1 ? 's' : ''}, for want of a terminal to ask on. ${ALLOW}`);
  if (id && isTerminal && !flags.quiet) note(stderr, `kept as ${id}. Go on with: glassbox resume ${id} "…"`);
  process.exitCode = stop.status() ?? (printer.closed.aborted ? 0 : STATUS_OF_REASON[completion.reason]);
}

/** Only the answer was asked for. */
function tellAnswer({ text, reason, error, detail }: Completion, { stdout, stderr }: NodeJS.Process): void {
  if (text !== undefined) stdout.write(`${safe(text)}\n`);
  if (reason !== 'finished') note(stderr, error?.message ?? detail ?? reason);
}

const SILENT: Sink = { write: () => undefined, closed: new AbortController().signal };
const ALLOW = 'Allow such things by rules in glassbox.json, or run it in a terminal.';

function sessionOf({ resume, continue: latest, fork, sessionId }: RunCommandFlags) {
  const from = resume ?? (latest ? 'latest' : undefined);
  return {
    ...(from !== undefined && { resume: from }),
    ...(fork && { fork }),
    ...(sessionId !== undefined && { sessionId }),
  };
}
