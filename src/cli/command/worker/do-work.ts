/** `glassbox worker`: works until it is stopped, and ends what it runs before it goes. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { homedir, hostname } from 'node:os';
import path from 'node:path';
import { AGENTS } from '../../../agent/index.js';
import { ClientError } from '../../../client/index.js';
import { GlassboxError } from '../../../event/index.js';
import { defaultsFor, stateDirectory, thisMachine } from '../../../run/index.js';
import { describeAgent } from '../../../run/process/describe-agent.js';
import { userFile } from '../../../run/request/configuration.js';
import { openHub } from '../../../store/index.js';
import { checkWorkerFile, createWorker, type WorkerFile } from '../../../worker/index.js';
import type { Context } from '../../context.js';
import { hubFrom } from '../../hub.js';
import { createInterrupt } from '../../interrupt.js';
import { tellOfLeftovers } from '../../kept/leftover-note.js';
import { refuseInsideRun } from '../../kept/refuse-inside-run.js';
import { note } from '../../print/note.js';
import { configurationFor } from '../../run-request.js';
import type { WorkerFlags } from './command.js';

export async function doWork(this: Context, flags: WorkerFlags): Promise<void> {
  const { process } = this;
  const { env, platform, stderr } = process;
  await refuseInsideRun('be a worker');
  const hub = await hubFrom(flags, process);
  const file = await workerFile(flags, process);
  await tellOfLeftovers(stderr);
  const agents = file.agents ?? (await installed(process));
  if (agents.length === 0)
    throw new GlassboxError(
      'not-installed',
      'No agent is installed here, so that there is nothing to work with. See glassbox doctor.',
    );
  const { url, token, client } = hub;
  const { max = 1, name = hostname() } = flags;
  using interrupt = createInterrupt(process);
  try {
    const log = (text: string) => note(stderr, text);
    const worker = createWorker({
      ...{ hub: url, client, file, name, agents, max, log },
      openStore: (epochs) => openHub({ url, token, ...(epochs && { epochs }) }),
      spoolFolder: path.join(stateDirectory(env, homedir(), platform), 'spool', folderFor(url)),
      defaultsFor: async (agent, cwd) => defaultsFor((await configurationFor(cwd, process)).settings, agent),
    });
    const offers = [`${max} at a time`, agents.join(', '), `projects ${Object.keys(file.projects).join(', ')}`];
    log(
      `${name} works for ${url}: ${[...offers, ...(file.labels?.length ? [`labels ${file.labels.join(', ')}`] : [])].join('; ')}.`,
    );
    interrupt.signal.addEventListener('abort', () => {
      log(worker.busy() > 0 ? 'ending what runs here; Ctrl-C again does not wait.' : 'stopping.');
      worker.stop();
    });
    await worker.done;
    process.exitCode = interrupt.status() === 143 ? 143 : 0;
  } catch (error) {
    if (error instanceof ClientError) throw new GlassboxError('unauthorized', refusedText(error));
    throw error;
  }
}

function refusedText({ status, message }: ClientError): string {
  return status === 401
    ? 'The hub does not know this token: it may be revoked or too old. On the hub: glassbox token create NAME --runner'
    : `The hub does not let this worker work: ${message}`;
}

/** Spools for different hubs do not meet. */
const folderFor = (url: string): string => createHash('sha256').update(url).digest('hex').slice(0, 16);

async function workerFile(flags: WorkerFlags, { env, platform, cwd }: NodeJS.Process): Promise<WorkerFile> {
  const own = path.join(path.dirname(userFile({ env, platform, home: homedir(), cwd: cwd() })), 'worker.json');
  const where = path.resolve(flags.file ?? own);
  const json = await readFile(where, 'utf8').catch((cause: unknown) => {
    throw new GlassboxError(
      'read-failed',
      `A worker needs a file that says which projects it knows: ${where}, for example { "projects": { "shop": "/srv/shop" } }`,
      { cause },
    );
  });
  const file = checkWorkerFile(json, where);
  const labels = [...new Set([...(file.labels ?? []), ...(flags.labels ?? [])])];
  return { ...file, labels };
}

async function installed({ env, cwd }: NodeJS.Process): Promise<string[]> {
  const machine = thisMachine(env, cwd());
  const all = await Promise.all(Object.values(AGENTS).map((agent) => describeAgent(agent, undefined, machine)));
  return all.filter((agent) => agent.installed).map(({ name }) => name);
}
