/** Runs an agent until its answer says that it is done; money and time are counted over all iterations. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Completion, EventOf } from '../../../event/index.js';
import { commandLine, type RunHandle, type RunRequest } from '../../../run/index.js';
import { takesMessages } from '../../../run/request/request.js';
import { safe, safeOutput } from '../../../view/text/index.js';
import { duration } from '../../../word/index.js';
import { findPerson } from '../../ask/find-person.js';
import { showRun } from '../../ask/show-run.js';
import type { Context } from '../../context.js';
import { type ExitStatus, STATUS_OF_REASON } from '../../exit-status.js';
import { createKeptRuns } from '../../kept/kept-runs.js';
import { keysFor } from '../../live/keys-for.js';
import { mannerOf, openPrinter } from '../../live/open-printer.js';
import { openHistory } from '../../live/typed-history.js';
import { type About, createNotices, noticing } from '../../notice/notices.js';
import { note } from '../../print/note.js';
import type { Printer } from '../../print/printer.js';
import { requestFrom } from '../../run-request.js';
import { createStop } from '../../stop.js';
import { aboutRun } from '../run/run-agent.js';
import type { LoopFlags } from './command.js';
import { decideLoop, type LoopDecision, type LoopSoFar } from './loop-decision.js';
import { loopTable } from './loop-table.js';

export async function loopAgent(this: Context, flags: LoopFlags, ...words: string[]): Promise<void> {
  const { process } = this;
  const { stderr } = process;
  let printer: Printer | undefined;
  /** Below what is shown, once something is. */
  const remarks = { write: (text: string) => (printer?.remarks ?? stderr).write(text) };
  const { request, defaults, settings } = await requestFrom(words, flags, process);
  using asking = findPerson(flags, process);
  const { person } = asking;
  const wanted: RunRequest = {
    ...request,
    attended: person !== undefined,
    stderr: (text: string) => void remarks.write(safeOutput(text)),
  };
  const limits = { timeoutMs: 0, ...defaults, ...request };
  const manner = mannerOf(flags, process);
  const keepOpen = manner === 'live' && asking.terminal !== undefined && takesMessages(wanted, defaults);
  if (!flags.quiet && !flags.json && manner === 'lines')
    stderr.write(`[glassbox] Agent command: ${safe(commandLine(wanted, defaults))}\n`);

  const isWanted = manner === 'live' && !flags.noStore;
  const { before, typed } = await openHistory(process, { cwd: request.cwd, isWanted });
  const startedAt = performance.now();
  const done: Completion[] = [];
  const soFar: LoopSoFar = { iterations: 0, failures: 0, waits: 0 };
  let current: RunHandle | undefined;
  const stopped = new AbortController();
  using stop = createStop(
    process,
    {
      interrupt: (why) => current?.interrupt(why) ?? false,
      cancel(why) {
        stopped.abort();
        current?.cancel(why);
      },
    },
    remarks,
  );

  const kept = createKeptRuns(flags, settings, remarks);
  const notices = createNotices({ process, settings, notify: flags.notify });
  let about: About | undefined;
  let decision: LoopDecision = { next: 'again' };
  while (decision.next === 'again' || decision.next === 'wait') {
    if (decision.next === 'wait') await waitForQuota(decision.until, flags.rateLimitWait, stderr, stopped.signal);
    if (stopped.signal.aborted) {
      decision = { next: 'stop', why: 'cancelled' };
      break;
    }
    const share = remaining(limits, done, startedAt);
    if (share.over) {
      decision = { next: 'stop', why: share.over };
      break;
    }
    const next = { ...wanted, ...share.request, ...resumed(flags, done), ...(keepOpen && { keepOpen }) };
    current = kept.start(next, { approvalTimeoutMs: 0, ...defaults });
    const watched = watchQuota(current);
    about = aboutRun(current, kept);
    printer = openPrinter(flags, process, {
      isAsked: asking.isHere,
      starting: `Starting ${current.agent}, iteration ${soFar.iterations + 1}`,
      terminal: asking.terminal,
      keys: keysFor(current, { stop, cwd: request.cwd, history: [...before, request.prompt], typed }),
    });
    const { completion } = await showRun(current, noticing(printer, notices, about), person);
    await kept.written();
    done.push(completion);
    soFar.iterations += 1;
    soFar.failures = completion.reason === 'finished' ? 0 : soFar.failures + 1;
    decision = decideLoop(completion, await watched, flags, soFar);
    soFar.waits = decision.next === 'wait' ? soFar.waits + 1 : 0;
    if (decision.next === 'wait') soFar.failures -= 1;
    if (printer.closed.aborted) decision = { next: 'stop', why: 'nobody reads the output any more' };
  }

  const last = done.at(-1);
  // What matters is that the loop has ended, and not each of its iterations.
  if (about && last) notices.ended(last.reason, about);
  await notices.close();
  await kept.close();
  if (!flags.json) stderr.write(`${loopTable(done).join('\n')}\n`);
  note(
    stderr,
    decision.next === 'done'
      ? `done after ${plural(done.length)}.`
      : `stopped after ${plural(done.length)}: ${describe(decision)}.`,
  );
  process.exitCode = stop.status() ?? statusOf(decision, last);
}

/** What is left of money and time for the next iteration. */
function remaining(
  { budgetUsd, budgetTokens, timeoutMs = 0 }: Partial<RunRequest>,
  done: readonly Completion[],
  startedAt: number,
) {
  const request: Partial<RunRequest> = {};
  const spentUsd = sum(done, ({ cost }) => cost?.usd);
  const spentTokens = sum(
    done,
    ({ usage }) => (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0) + (usage?.cacheWriteTokens ?? 0),
  );
  if (budgetUsd !== undefined) request.budgetUsd = budgetUsd - spentUsd;
  if (budgetTokens !== undefined) request.budgetTokens = budgetTokens - spentTokens;
  if (timeoutMs > 0) request.timeoutMs = timeoutMs - (performance.now() - startedAt);
  const spent = [request.budgetUsd, request.budgetTokens].some((left) => left !== undefined && left <= 0);
  if (spent) return { request, over: OVER_BUDGET };
  return request.timeoutMs !== undefined && request.timeoutMs <= 0 ? { request, over: OVER_TIME } : { request };
}

const OVER_BUDGET = 'the budget is used up';
const OVER_TIME = 'the time is over';

/** The session of the iteration before, and where its counters stand, unless each shall begin anew. */
function resumed({ fresh }: LoopFlags, done: readonly Completion[]): Partial<RunRequest> {
  const { sessionId, balance } = done.findLast((completion) => completion.sessionId !== undefined) ?? {};
  if (fresh || sessionId === undefined) return {};
  return { resume: sessionId, ...(balance && { balance }) };
}

/** The last word of the run about its quota. */
async function watchQuota(handle: RunHandle): Promise<EventOf<'rate-limit'> | undefined> {
  let last: EventOf<'rate-limit'> | undefined;
  for await (const event of handle.tap()) if (event.type === 'rate-limit') last = event;
  return last;
}

async function waitForQuota(
  until: number | undefined,
  usualMs: number,
  stderr: NodeJS.WriteStream,
  signal: AbortSignal,
): Promise<void> {
  const waitMs = until === undefined ? usualMs : Math.max(0, until - Date.now());
  note(stderr, `out of quota; trying again in ${duration(waitMs)}.`);
  // A little later for everybody who waits for the same moment.
  const jitterMs = waitMs * 0.1 * Math.random();
  await sleep(Math.min(waitMs + jitterMs, 2 ** 31 - 1), undefined, { signal }).catch(() => {});
}

function statusOf(decision: LoopDecision, last: Completion | undefined): ExitStatus {
  if (decision.next === 'done') return 0;
  const why = describe(decision);
  if (why === 'cancelled') return 130;
  if (why === OVER_TIME) return 124;
  if (why === OVER_BUDGET || !last || last.reason === 'finished') return 5;
  return STATUS_OF_REASON[last.reason];
}

const describe = (decision: LoopDecision): string => (decision.next === 'stop' ? decision.why : '');
const plural = (count: number): string => `${count} iteration${count === 1 ? '' : 's'}`;
const sum = (done: readonly Completion[], of: (completion: Completion) => number | undefined): number =>
  done.reduce((total, completion) => total + (of(completion) ?? 0), 0);
