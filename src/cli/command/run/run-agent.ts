/** Runs an agent in front of a person: shows every step, asks where nobody else decides, ends with a status that tells how it went. */
import { type Completion, GlassboxError, type Terms } from '../../../event/index.js';
import { commandLine, continueUnder, describeRule, type RunHandle, type RunRequest } from '../../../run/index.js';
import { takesMessages } from '../../../run/request/request.js';
import { safe } from '../../../view/text/index.js';
import { findPerson } from '../../ask/find-person.js';
import { showRun } from '../../ask/show-run.js';
import type { Context } from '../../context.js';
import { STATUS_OF_REASON } from '../../exit-status.js';
import { createKeptRuns, type KeptRuns } from '../../kept/kept-runs.js';
import { keysFor } from '../../live/keys-for.js';
import { mannerOf, openPrinter } from '../../live/open-printer.js';
import { type About, createNotices, noticing } from '../../notice/notices.js';
import { note, noteKept, noteStats } from '../../print/note.js';
import { createPrinter, type Printer } from '../../print/printer.js';
import type { Sink } from '../../print/sink.js';
import { requestFrom } from '../../run-request.js';
import { createStop } from '../../stop.js';
import { offerSetUp } from '../init/offer.js';
import type { RunCommandFlags, StartFlags } from './command.js';

export async function runAgent(this: Context, flags: RunCommandFlags, ...words: string[]): Promise<void> {
  const request = sessionOf(flags);
  const remark = request.resume === undefined ? undefined : `continuing ${ofAgent(request.resume)}`;
  try {
    await startAgent.call(this, flags, words, { request, remark });
  } catch (error) {
    // Who has never set it up is asked, and then it goes on.
    const lacksAgent = error instanceof GlassboxError && error.code === 'unknown-agent';
    if (!lacksAgent || !(await offerSetUp(this))) throw error;
    await startAgent.call(this, flags, words, { request, remark });
  }
}

/** What a run goes on with. */
export interface Continued {
  request: Partial<RunRequest>;
  /** Where the flags say nothing else. */
  terms?: Terms | undefined;
  /** Says what that is; told when the request makes sense, because an error shall stand alone. */
  remark?: string | undefined;
}

export async function startAgent(
  this: Context,
  flags: StartFlags,
  words: readonly string[],
  { request: session, terms, remark }: Continued,
): Promise<void> {
  const { process } = this;
  const { stderr } = process;
  const { request: said, defaults, settings } = await requestFrom(words, flags, process);
  const request = { ...continueUnder(terms), ...said, ...session };
  let printer: Printer | undefined;
  /** Below what is shown, once something is. */
  const remarks = { write: (text: string) => (printer?.remarks ?? stderr).write(text) };
  using asking = findPerson(flags, process);
  const { person } = asking;
  const wanted = {
    ...request,
    attended: person !== undefined,
    stderr: (text: string) => void remarks.write(safe(text)),
  };
  const command = commandLine(wanted, defaults);
  if (remark !== undefined && !flags.quiet) note(stderr, remark);
  if (terms && !flags.quiet) note(stderr, `in force: ${describeTerms(request)}`);
  const manner = flags.streamAgentOutput ? mannerOf(flags, process) : 'lines';
  if (!flags.quiet && !flags.json && manner === 'lines') stderr.write(`[glassbox] Agent command: ${safe(command)}\n`);

  const kept = createKeptRuns(flags, remarks);
  // What is typed waits for the end of a turn, which must not be the end of the run then.
  const keepOpen = manner === 'live' && asking.terminal !== undefined && takesMessages(wanted, defaults);
  const handle = kept.start({ ...wanted, ...(keepOpen && { keepOpen }) }, { approvalTimeoutMs: 0, ...defaults });
  using stop = createStop(process, handle, remarks);
  printer = flags.streamAgentOutput
    ? openPrinter(flags, process, {
        isAsked: asking.isHere,
        starting: `Starting ${handle.agent}`,
        terminal: asking.terminal,
        keys: keysFor(handle, { stop, cwd: said.cwd, history: [said.prompt] }),
      })
    : createPrinter(flags, process, { sink: SILENT });
  const notices = createNotices({ process, settings, notify: flags.notify, remarks });
  const about = aboutRun(handle, kept);
  const { completion, unasked } = await showRun(handle, noticing(printer, notices, about), person);
  notices.ended(completion.reason, about);
  await notices.close();
  const record = await kept.close();

  if (!flags.streamAgentOutput) tellAnswer(completion, process);
  if (flags.verbose) noteStats(stderr, printer);
  if (unasked > 0)
    note(stderr, `Denied ${unasked} time${unasked > 1 ? 's' : ''}, for want of a terminal to ask on. ${ALLOW}`);
  if (record && person && !flags.quiet) noteKept(stderr, record);
  process.exitCode = stop.status() ?? (printer.closed.aborted ? 0 : STATUS_OF_REASON[completion.reason]);
}

/** For who is told that it waits or has ended. */
export function aboutRun(handle: RunHandle, kept: KeptRuns): About {
  const { agent, runId } = handle;
  return {
    agent,
    runId,
    session: () => kept.idOf(runId),
    isOpen: (id) => handle.pending().some((open) => open.id === id),
  };
}

function describeTerms({ permission, model, addDirs = [], rules = [] }: RunRequest): string {
  return [
    `permission ${permission}`,
    ...(model === undefined ? [] : [`model ${model}`]),
    ...addDirs.map((directory) => `also in ${directory}`),
    ...rules.map((rule) => describeRule(rule)),
  ].join(', ');
}

/** Only the answer was asked for. */
function tellAnswer({ text, reason, error, detail }: Completion, { stdout, stderr }: NodeJS.Process): void {
  if (text !== undefined) stdout.write(`${safe(text)}\n`);
  if (reason !== 'finished') note(stderr, error?.message ?? detail ?? reason);
}

/** Which one is the latest, the agent itself finds out. */
const ofAgent = (resume: string): string =>
  resume === 'latest' ? 'the latest session that the agent has here.' : `the agent’s session ${resume}.`;

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
