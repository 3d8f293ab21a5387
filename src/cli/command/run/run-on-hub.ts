/** `glassbox run --hub`: sends the work to a worker, shows what happens there, and asks whoever sent it what the agent asks. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, JobRecord, JobRequest } from '../../../client/index.js';
import { GlassboxError } from '../../../event/index.js';
import { findPerson } from '../../ask/find-person.js';
import { showAnswered } from '../../ask/show-run.js';
import type { Context } from '../../context.js';
import { hubFrom, orRefusal } from '../../hub.js';
import { createInterrupt } from '../../interrupt.js';
import { refuseInsideRun } from '../../kept/refuse-inside-run.js';
import { openPrinter } from '../../live/open-printer.js';
import { note } from '../../print/note.js';
import { requestFrom } from '../../run-request.js';
import { answeredAtHub } from './answered-at-hub.js';
import type { RunCommandFlags } from './command.js';

/** What belongs to the machine on which an agent runs. */
const WORKERS_OWN = [
  ...['cwd', 'addDir', 'program', 'arg', 'allowedTools', 'disallowedTools', 'mcpConfig', 'systemPrompt', 'schema'],
  ...['resume', 'continue', 'fork', 'sessionId', 'store', 'noStore', 'goOn', 'goOnTimes'],
] as const;

const LOOK_MS = 500;

export async function runOnHub(this: Context, flags: RunCommandFlags, words: readonly string[]): Promise<void> {
  const { process } = this;
  const { stderr } = process;
  await refuseInsideRun('send work to a hub', flags);
  const { client, url } = await hubFrom(flags, process);
  const request = await jobFrom(flags, words, process);
  using interrupt = createInterrupt(process);
  const job = await orRefusal(client.postJob(request));
  if (!flags.quiet) note(stderr, `job ${job.id} at ${url}: ${waitsFor(job, request)}`);
  const cancel = (): void => {
    note(stderr, 'ending it there; Ctrl-C again does not wait.');
    void client.cancelJob(job.id).catch(() => {});
  };
  interrupt.signal.addEventListener('abort', cancel, { once: true });
  const begun = await beginning(client, job, (text) => flags.quiet || note(stderr, text));
  if (begun.runId === undefined) {
    note(stderr, `the job ${begun.id} is ${begun.state}${begun.reason === undefined ? '' : `: ${begun.reason}`}`);
    process.exitCode = interrupt.status() ?? 1;
    return;
  }
  const { runId } = begun;
  const { scopes } = await orRefusal(client.health());
  using asking = findPerson(flags, process);
  const person = scopes.includes('approve') ? asking.person : undefined;
  const mayInterrupt = scopes.includes('operate');
  const printer = openPrinter(flags, process, {
    ...{ isAsked: person !== undefined && asking.isHere, starting: `${begun.worker} begins` },
    ...(person && { terminal: asking.terminal }),
    keys: {
      ...(mayInterrupt && { interrupt: () => void client.interrupt(runId).catch(() => {}) }),
      end: () => void process.emit('SIGINT', 'SIGINT'),
    },
  });
  const say = (text: string): void => note(printer.remarks, text);
  let isTold = false;
  const tellHow = (): void => {
    if (isTold) return;
    isTold = true;
    say(howToAnswer(url, begun.project, scopes.includes('approve')));
  };
  await showAnswered(
    answeredAtHub({
      ...{ client, runId, agent: begun.agent, say },
      isOver: async () => isGone(await client.job(job.id), runId),
      ...(!person && { onUnanswerable: tellHow }),
    }),
    printer,
    person,
  );
  const status = printer.closed.aborted ? undefined : printer.status();
  const last = await client.job(job.id);
  if (isGone(last, runId)) note(stderr, howItWent(last, begun.worker));
  process.exitCode = interrupt.status() ?? (printer.closed.aborted ? 0 : (status ?? 4));
}

/** Its worker fell silent, so that this run tells no end. One whose job has ended has told it. */
function isGone({ state, runId: latest }: JobRecord, runId: string): boolean {
  return state !== 'ended' && (state === 'lost' || state === 'cancelled' || latest !== runId);
}

function howItWent({ id, state, reason }: JobRecord, worker: string | undefined): string {
  const lost = `the worker ${worker} was lost with it: ${reason ?? 'nothing is known'}`;
  return state === 'lost' || state === 'cancelled' ? lost : `${lost}; the job ${id} is done again (${state}).`;
}

async function jobFrom(flags: RunCommandFlags, words: readonly string[], process: NodeJS.Process): Promise<JobRequest> {
  const said = WORKERS_OWN.find((name) => flags[name] !== undefined && flags[name] !== false);
  if (said !== undefined)
    throw new GlassboxError(
      'invalid-request',
      `--${said.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} is not for --hub: the worker has its own.`,
    );
  if (flags.attach?.length)
    throw new GlassboxError(
      'invalid-request',
      '--attach is not for --hub: a file of this machine does not reach the worker.',
    );
  const { project, label, host, again } = flags;
  if (project === undefined)
    throw new GlassboxError(
      'invalid-request',
      'Say for which project, by the name that the workers have for it: --project shop',
    );
  const { request } = await requestFrom(words, flags, process);
  const { agent, prompt, model, effort, permission, timeoutMs, budgetUsd, budgetTokens, maxTurns } = request;
  const limits = { model, effort, permission, timeoutMs, budgetUsd, budgetTokens, maxTurns };
  return { agent: String(agent), prompt, project, labels: label, host, again, ...limits };
}

/** When a worker began it, or nobody will. */
async function beginning(client: Client, posted: JobRecord, say: (text: string) => void): Promise<JobRecord> {
  let last = posted;
  for (;;) {
    const job = await orRefusal(client.job(posted.id)).catch((error: unknown) => {
      // The hub may be started again meanwhile.
      if (error instanceof GlassboxError && error.code !== 'read-failed' && error.code !== 'store') throw error;
      return last;
    });
    if (job.runId !== undefined && (await isThere(client, job.runId))) return job;
    if (['ended', 'lost', 'refused', 'cancelled'].includes(job.state)) return job;
    if (job.state !== last.state && job.state !== 'claimed')
      say(`the job is ${job.state}${job.reason === undefined ? '' : `: ${job.reason}`}`);
    last = job;
    await sleep(LOOK_MS);
  }
}

/** A job is begun a moment before the hub hears of its run. */
function isThere(client: Client, runId: string): Promise<boolean> {
  return client.session(runId).then(
    () => true,
    () => false,
  );
}

function waitsFor({ state, reason }: JobRecord, { project, labels = [], host }: JobRequest): string {
  if (state === 'parked') return reason ?? 'it is parked.';
  const which = host === undefined ? `a worker that knows ${project}` : `the worker ${host}`;
  return `it waits for ${which}${labels.length > 0 ? ` and has ${labels.join(', ')}` : ''}.`;
}

/** For who cannot be asked here: no terminal, or a token that may not answer. */
function howToAnswer(url: string, project: string, mayApprove: boolean): string {
  const scope = mayApprove ? '' : ' This token may not answer (scope approve).';
  return `the agent asks something and waits.${scope} Answer on the page of ${url}, or: glassbox next --store ${url} (a token with view and approve for ${project})`;
}
