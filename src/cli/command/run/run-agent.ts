/** Runs an agent in front of a person: shows every step, asks where nobody else decides, ends with a status that tells how it went. */
import path from 'node:path';
import { type Completion, GlassboxError, type Terms } from '../../../event/index.js';
import { DEFAULT_TIMES, type GoOn, goOnRequest, parkedSession } from '../../../parking/index.js';
import {
  commandLine,
  continueUnder,
  describeRule,
  type RunHandle,
  type RunRequest,
  type Settings,
} from '../../../run/index.js';
import { takesMessages } from '../../../run/request/request.js';
import { safe, safeOutput } from '../../../view/text/index.js';
import { findPerson, type PersonAtTerminal } from '../../ask/find-person.js';
import { showRun } from '../../ask/show-run.js';
import type { Context } from '../../context.js';
import { STATUS_OF_REASON } from '../../exit-status.js';
import { awaitLimit, limitText } from '../../kept/await-limit.js';
import { inWorktree } from '../../kept/in-worktree.js';
import { createKeptRuns, type KeptRuns } from '../../kept/kept-runs.js';
import { withStore } from '../../kept/with-store.js';
import { keysFor } from '../../live/keys-for.js';
import { mannerOf, openPrinter } from '../../live/open-printer.js';
import { openHistory } from '../../live/typed-history.js';
import { type About, createNotices, noticing } from '../../notice/notices.js';
import { note, noteKept, noteStats } from '../../print/note.js';
import { createPrinter, type Printer } from '../../print/printer.js';
import type { Sink } from '../../print/sink.js';
import { requestFrom } from '../../run-request.js';
import { createStop } from '../../stop.js';
import { offerSetUp } from '../init/offer.js';
import type { RunCommandFlags, StartFlags } from './command.js';
import { handOverAndBack, type Shown } from './hand-over.js';

export async function runAgent(this: Context, flags: RunCommandFlags, ...words: string[]): Promise<void> {
  const isAfar = (['project', 'label', 'host', 'again', 'tokenFile'] as const).some(
    (name) => flags[name] !== undefined,
  );
  if (flags.hub !== undefined || (isAfar && this.process.env.GLASSBOX_HUB))
    return (await import('./run-on-hub.js')).runOnHub.call(this, flags, words);
  if (isAfar)
    throw new GlassboxError('invalid-request', 'That is for work on another machine: say which hub with --hub URL.');
  if (!flags.worktree && flags.at !== undefined)
    throw new GlassboxError('invalid-request', '--at needs --worktree: files are put into a folder of their own.');
  if (!flags.worktree) return runHere.call(this, flags, words);
  const settingsFrom = path.resolve(flags.cwd ?? this.process.cwd());
  await inWorktree(flags, settingsFrom, this.process, (cwd) =>
    runHere.call(this, { ...flags, cwd }, words, settingsFrom),
  );
}

async function runHere(
  this: Context,
  flags: RunCommandFlags,
  words: readonly string[],
  settingsFrom?: string,
): Promise<void> {
  const request = sessionOf(flags);
  const remark = request.resume === undefined ? undefined : `continuing ${ofAgent(request.resume)}`;
  try {
    await startAgent.call(this, flags, words, { request, remark, settingsFrom });
  } catch (error) {
    // Who has never set it up is asked, and then it goes on.
    const lacksAgent = error instanceof GlassboxError && error.code === 'unknown-agent';
    if (!lacksAgent || !(await offerSetUp(this))) throw error;
    await startAgent.call(this, flags, words, { request, remark, settingsFrom });
  }
}

/** What a run goes on with. */
export interface Continued {
  request: Partial<RunRequest>;
  /** Where the flags say nothing else. */
  terms?: Terms | undefined;
  /** Says what that is; told when the request makes sense, because an error shall stand alone. */
  remark?: string | undefined;
  /** Where the project's own settings are, when that is not where the agent works. */
  settingsFrom?: string | undefined;
  /** It goes on after a limit: how often it may still do that by itself. */
  goOn?: Pick<GoOn, 'times'> | undefined;
}

export async function startAgent(
  this: Context,
  flags: StartFlags,
  words: readonly string[],
  { request: session, terms, remark, settingsFrom, goOn }: Continued,
): Promise<void> {
  refuseGoOn(flags);
  const { process } = this;
  const { stderr } = process;
  const { request: said, defaults, settings } = await requestFrom(words, flags, process, settingsFrom);
  using asking = findPerson(flags, process);
  const { person } = asking;
  const request = { ...continueUnder(terms), ...said, ...session, attended: person !== undefined };
  const command = commandLine(request, defaults);
  if (remark !== undefined && !flags.quiet) note(stderr, remark);
  if (terms && !flags.quiet) note(stderr, `in force: ${describeTerms(request)}`);
  const manner = flags.streamAgentOutput ? mannerOf(flags, process) : 'lines';
  if (!flags.quiet && !flags.json && manner === 'lines') stderr.write(`[glassbox] Agent command: ${safe(command)}\n`);

  const isWanted = manner === 'live' && !flags.noStore;
  const { before, typed } = await openHistory(process, { cwd: said.cwd, isWanted });
  const history = [...before, said.prompt];
  let wanted: RunRequest = request;
  const { times = flags.goOnTimes ?? settings.goOn?.times ?? DEFAULT_TIMES } = goOn ?? {};
  let timesLeft = flags.goOn || goOn ? times : 0;
  for (;;) {
    const isGoing = flags.goOn || goOn !== undefined;
    const shown = await showOne.call(this, flags, {
      ...{ wanted, defaults, settings, asking, manner, history, typed },
      ...(isGoing && { goOn: { times: timesLeft, jitterMs: settings.goOn?.jitterMs } }),
    });
    const { terminal } = asking;
    const again = shown.isHandedOver ? undefined : await afterLimit.call(this, flags, shown);
    if (again) {
      timesLeft -= 1;
      const { fork: _, sessionId: __, prompt: ___, attachments: ____, ...same } = wanted;
      wanted = { ...same, ...again };
      continue;
    }
    if (!shown.isHandedOver || !terminal) return;
    const next = await handOverAndBack(process, flags, { ...shown, wanted, settings, terminal, history, typed });
    if (!next) return;
    history.push(next.prompt);
    // It is the same session from now on.
    const { fork: _, sessionId: __, attachments: ___, ...same } = wanted;
    wanted = { ...same, ...next };
  }
}

interface ShowOptions {
  wanted: RunRequest;
  defaults: Partial<RunRequest>;
  settings: Settings;
  asking: PersonAtTerminal;
  manner: ReturnType<typeof mannerOf>;
  /** What was said before, the oldest first. */
  history: readonly string[];
  typed: ((text: string) => void) | undefined;
  /** It goes on after a limit. */
  goOn?: GoOn;
}

/** What it goes on with when a limit stopped it and is over; undefined when none did, or it stays parked. */
async function afterLimit(
  this: Context,
  flags: StartFlags,
  { completion, record }: Shown,
): Promise<Partial<RunRequest> | undefined> {
  if (!completion.parked || !record) return undefined;
  const { process } = this;
  const parked = await withStore(flags, (store) => parkedSession(store, record).catch(() => undefined));
  if (!parked) return undefined;
  const { failed, goesOnAt } = parked.record;
  if (goesOnAt === undefined) {
    if (failed !== undefined) note(process.stderr, `${record.id} stays parked, because ${failed}.`);
    else if (!flags.quiet)
      note(process.stderr, `${record.id} is parked: ${limitText(parked.record)}. Then: glassbox go-on ${record.id}`);
    return undefined;
  }
  const going = await awaitLimit(parked, process);
  if (typeof going === 'number') {
    process.exitCode = going === 0 ? process.exitCode : going;
    return undefined;
  }
  note(process.stderr, `going on with ${record.id}.`);
  return goOnRequest(going, record);
}

/** One run, from its start to what is said of its end. */
async function showOne(
  this: Context,
  flags: StartFlags,
  { wanted, defaults, settings, asking, manner, history, typed, goOn }: ShowOptions,
): Promise<Shown & { isHandedOver: boolean }> {
  const { process } = this;
  const { stderr } = process;
  const { person, terminal } = asking;
  let printer: Printer | undefined;
  let isHandedOver = false;
  /** Below what is shown, once something is. */
  const remarks = { write: (text: string) => (printer?.remarks ?? stderr).write(text) };
  const kept = createKeptRuns(flags, settings, remarks);
  // What is typed waits for the end of a turn, which must not be the end of the run then.
  const keepOpen = manner === 'live' && terminal !== undefined && takesMessages(wanted, defaults);
  const handle = kept.start(
    { ...wanted, stderr: (text) => void remarks.write(safeOutput(text)), ...(keepOpen && { keepOpen }) },
    { approvalTimeoutMs: 0, ...defaults },
    goOn,
  );
  using stop = createStop(process, handle, remarks);
  const onHandOver = () => {
    isHandedOver = true;
  };
  printer = flags.streamAgentOutput
    ? openPrinter(flags, process, {
        isAsked: asking.isHere,
        starting: `Starting ${handle.agent}`,
        terminal,
        keys: keysFor(handle, {
          ...{ stop, cwd: handle.beginning.cwd, history, typed, rests: true },
          ...(terminal && { onHandOver }),
        }),
      })
    : createPrinter(flags, process, { sink: SILENT });
  const notices = createNotices({ process, settings, notify: flags.notify, remarks });
  const about = aboutRun(handle, kept);
  const { completion, unasked } = await showRun(handle, noticing(printer, notices, about), person);
  // Whoever hands it over looks at it.
  if (!isHandedOver) notices.ended(completion.reason, about);
  await notices.close();
  const record = await kept.close();
  const unsaid = printer.unsaid?.() ?? [];
  const wasHandedOver = isHandedOver && stop.status() === undefined;
  const shown = { isHandedOver: wasHandedOver, agent: handle.agent, completion, record, unsaid };
  if (shown.isHandedOver) return shown;

  if (!flags.streamAgentOutput) tellAnswer(completion, process);
  if (flags.verbose) noteStats(stderr, printer);
  if (unasked > 0)
    note(stderr, `Denied ${unasked} time${unasked > 1 ? 's' : ''}, for want of a terminal to ask on. ${ALLOW}`);
  for (const text of unsaid) note(stderr, `typed and not said: ${text}`);
  if (record && person && !flags.quiet) noteKept(stderr, record);
  process.exitCode = stop.status() ?? (printer.closed.aborted ? 0 : STATUS_OF_REASON[completion.reason]);
  return shown;
}

/** What is not kept cannot be gone on with. */
function refuseGoOn({ goOn, goOnTimes, noStore }: Pick<StartFlags, 'goOn' | 'goOnTimes' | 'noStore'>): void {
  if (goOn && noStore)
    throw new GlassboxError('invalid-request', '--go-on needs the run to be kept: leave --no-store out.');
  if (goOnTimes !== undefined && !goOn)
    throw new GlassboxError('invalid-request', '--go-on-times is for --go-on: say that too.');
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

function describeTerms({ permission, model, effort, addDirs = [], rules = [] }: RunRequest): string {
  return [
    `permission ${permission}`,
    ...(model === undefined ? [] : [`model ${model}`]),
    ...(effort === undefined ? [] : [`effort ${effort}`]),
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
