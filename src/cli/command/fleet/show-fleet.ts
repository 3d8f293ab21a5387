/** `glassbox fleet demo`: brings a whole fleet to this machine, gives it work, and takes everything away when it is stopped. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import packageJson from '../../../../package.json' with { type: 'json' };
import { type Client, createClient } from '../../../client/index.js';
import { type GlassboxServer, startServer } from '../../../server/index.js';
import { openStore } from '../../../store/index.js';
import type { Context } from '../../context.js';
import { createInterrupt } from '../../interrupt.js';
import { refuseInsideRun } from '../../kept/refuse-inside-run.js';
import { bringDriver } from '../../postgres/program.js';
import { killPostgres, removePostgres, startPostgres } from '../../postgres/server.js';
import { note } from '../../print/note.js';
import { print } from '../../print/sink.js';
import recording from '../demo/demo-recording.json' with { type: 'json' };
import { agentsHere } from '../serve/agents-here.js';
import { linkText } from '../serve/browser-access.js';
import { openBrowser } from '../serve/open-browser.js';
import type { FleetFlags } from './command.js';
import { type DemoWorker, startDemoWorker } from './demo-worker.js';
import { endLeftFleets, recordFleet } from './left-fleet.js';

const PROJECT = 'clock';
const WORKERS = [
  { name: 'hare', labels: ['fast'] },
  { name: 'tortoise', labels: ['slow'] },
] as const;

export async function showFleet(this: Context, flags: FleetFlags): Promise<void> {
  const { stdout, stderr, env, platform } = this.process;
  const say = (text: string): void => note(stderr, text);
  await refuseInsideRun('start a fleet');
  await endLeftFleets(say);
  using interrupt = createInterrupt(this.process);
  const undo: (() => Promise<unknown>)[] = [];
  const atOnce: (() => void)[] = [];
  // Who does not want to wait leaves nothing behind either.
  const hurry = (): void => {
    for (const end of atOnce.reverse()) end();
  };
  this.process.once('exit', hurry);
  try {
    const folder = mkdtempSync(path.join(tmpdir(), 'glassbox-fleet-'));
    // Postgres may run as somebody else, who has to come through.
    chmodSync(folder, 0o711);
    const record = await recordFleet(folder);
    undo.push(() => record.remove());
    atOnce.push(() => rmSync(folder, { recursive: true, force: true }));
    say('starting Postgres …');
    await bringDriver(say);
    const postgres = await startPostgres({ folder: path.join(folder, 'postgres'), say });
    undo.push(() => removePostgres(postgres));
    atOnce.push(() => killPostgres(postgres));
    await record.add(postgres.pid);
    const store = await openStore(postgres.location);
    undo.push(() => store.close());
    const server = await startServer({
      ...{ store, port: flags.port ?? 0, projects: [], version: packageJson.version, log: say },
      agents: () => agentsHere({}, { env, cwd: folder }),
      stateFolder: path.join(folder, 'hub'),
      pageFolder: fileURLToPath(new URL('web', this.programDir)),
    });
    undo.push(() => server.close());
    const client = createClient({ url: server.url, token: server.token });
    const workers: DemoWorker[] = [];
    for (const { name, labels } of WORKERS) {
      const { token } = await client.createToken({ name, scopes: ['work'] });
      const own = path.join(folder, name);
      const worker = await startDemoWorker({
        ...{ name, labels: [...labels], folder: own, hub: server.url, token, project: PROJECT, say },
        ...{ programDir: this.programDir, speed: flags.speed, onStart: record.add },
      });
      workers.push(worker);
      undo.push(() => worker.stop());
      atOnce.push(() => worker.kill());
    }
    const tokenFile = await tokenFor(client, folder);
    await giveWork(client);
    const link = await server.createLoginLink();
    await print(stdout, invitation(server, { link, tokenFile, workers, location: postgres.location }));
    if (flags.open ?? (stdout.isTTY === true && !env.CI)) openBrowser(await server.createLoginLink(), platform);
    await aborted(interrupt.signal);
    say('ending the workers, the hub and Postgres; Ctrl-C again does not wait.');
  } finally {
    for (const end of undo.reverse()) await end().catch((error: unknown) => say(`could not clean up: ${error}`));
    this.process.off('exit', hurry);
    hurry();
  }
  this.process.exitCode = interrupt.status() === 143 ? 143 : 0;
}

/** For whoever tries commands, in a file for this user alone. */
async function tokenFor(client: Client, folder: string): Promise<string> {
  const { token } = await client.createToken({ name: 'you', scopes: ['view', 'operate', 'approve', 'run'] });
  const file = path.join(folder, 'you.token');
  writeFileSync(file, `${token}\n`, { mode: 0o600 });
  return file;
}

/** More than there are workers: one waits, and one is for the slow one alone. */
async function giveWork(client: Client): Promise<void> {
  const job = { agent: recording.agent, prompt: recording.prompt, project: PROJECT };
  await client.postJob(job);
  await client.postJob({ ...job, labels: ['slow'] });
  await client.postJob(job);
}

interface Invited {
  link: string;
  tokenFile: string;
  workers: readonly DemoWorker[];
  location: string;
}

function invitation(server: GlassboxServer, { link, tokenFile, workers, location }: Invited): string[] {
  const [first] = workers;
  const run = `glassbox run ${recording.agent} "Fix the tests" --hub ${server.url} --project ${PROJECT}`;
  return [
    'A hub over Postgres and two workers are here. They have three jobs, and each asks before it changes a file.',
    '',
    ...linkText(link),
    'What to try:',
    '  the inbox of the page: answer what the agents ask',
    `  export GLASSBOX_HUB_TOKEN_FILE=${tokenFile}`,
    `  ${run}`,
    '      one more job; with --label slow for the tortoise alone',
    `  glassbox sessions --store ${server.url}`,
    '      everything that the workers did, through the hub',
    `  glassbox sessions --store ${location}`,
    '      the same from the database itself',
    `  kill -9 ${first?.pid() ?? ''}`,
    `      ${first?.name ?? 'a worker'} dies: its job is told as lost, the other one goes on, and it is started again`,
    '',
    'Ctrl-C ends everything and removes what was kept.',
  ];
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
