/** One worker of the demo: a process with a folder, a project and settings of its own, started again when it dies. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import recording from '../demo/demo-recording.json' with { type: 'json' };
import { makeProject } from '../demo/make-project.js';

export interface DemoWorker {
  readonly name: string;
  pid(): number | undefined;
  /** It ends what it runs, and then itself. */
  stop(): Promise<void>;
  kill(): void;
}

export interface DemoWorkerOptions {
  name: string;
  labels: string[];
  folder: string;
  hub: string;
  token: string;
  project: string;
  speed: number;
  programDir: URL;
  say(text: string): void;
  /** Hears the number of each process. */
  onStart(pid: number): Promise<void>;
}

const AGAIN_MS = 3000;
const PATIENCE_MS = 15_000;

export async function startDemoWorker(options: DemoWorkerOptions): Promise<DemoWorker> {
  const { name, labels, folder, hub, token, project, say } = options;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const at = (file: string): string => path.join(folder, file);
  const program = fileURLToPath(new URL('demo-agent.js', options.programDir));
  const env = { GLASSBOX_DEMO_SPEED: String(options.speed), GLASSBOX_DEMO_ASKS: '1' };
  await makeProject(at(project));
  writeFileSync(at('token'), token, { mode: 0o600 });
  writeFileSync(
    at('worker.json'),
    JSON.stringify({ projects: { [project]: at(project) }, labels, agents: [recording.agent] }),
  );
  writeFileSync(at('glassbox.json'), JSON.stringify({ agents: { [recording.agent]: { program, env } } }));
  const stopping = new AbortController();
  let child: ChildProcess | undefined;
  let ended = Promise.resolve();

  async function begin(): Promise<void> {
    const words = ['worker', '--hub', hub, '--name', name, '--file', at('worker.json'), '--token-file', at('token')];
    const started = spawn(process.execPath, [fileURLToPath(new URL('cli.js', options.programDir)), ...words], {
      env: {
        ...process.env,
        GLASSBOX_STATE_DIR: at('state'),
        GLASSBOX_CONFIG: at('glassbox.json'),
        GLASSBOX_STORE: '',
      },
      // Ctrl-C is for the demo, which ends its workers itself.
      detached: true,
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    child = started;
    createInterface({ input: started.stderr }).on('line', (line) => say(`${name}: ${line.replace(/^glassbox: /, '')}`));
    ended = new Promise((resolve) => started.once('close', () => resolve()));
    started.once('close', (code, signal) => {
      if (stopping.signal.aborted) return;
      say(`${name} ended (${signal ?? code}) and is started again.`);
      void sleep(AGAIN_MS, undefined, { signal: stopping.signal }).then(begin, () => {});
    });
    if (started.pid !== undefined) await options.onStart(started.pid);
  }

  await begin();
  return {
    name,
    pid: () => child?.pid,
    async stop() {
      stopping.abort();
      child?.kill('SIGTERM');
      const late = setTimeout(() => child?.kill('SIGKILL'), PATIENCE_MS);
      await ended;
      clearTimeout(late);
    },
    kill() {
      stopping.abort();
      child?.kill('SIGKILL');
    },
  };
}
