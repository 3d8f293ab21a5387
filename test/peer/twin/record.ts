/** What a real program printed, byte by byte, and the home that it left: together they are a recording. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { transcriptFolders } from '../../../src/archive/index.js';
import { requireAgent } from '../../../src/decode/index.js';
import { headlessCommand } from '../headless.js';
import type { Peer } from '../peer.js';
import { processesWith } from '../sandbox.js';
import type { Stage } from '../stage.js';
import { nameOf } from '../table.js';

interface Session {
  prompt?: string;
  /** The agent's id of the session that it goes on with, or copies. */
  resume?: string | undefined;
  fork?: boolean;
  /** Sent when the file `begun.txt` is there. */
  signal?: NodeJS.Signals | undefined;
}

export async function record(
  peer: Peer,
  { program, sandbox, env }: Stage,
  { prompt = 'please go on', resume, fork, signal }: Session = {},
): Promise<Buffer> {
  const { args, input, env: more } = headlessCommand(peer, { sandbox }, { prompt, resume, fork });
  const [file = '', ...before] = /\.m?js$/.test(program) ? [process.execPath, program] : [program];
  const child = spawn(file, [...before, ...args], {
    cwd: sandbox.cwd,
    env: { ...process.env, ...env, ...more },
    detached: true,
  });
  child.stdin.on('error', () => {}).end(input);
  child.stderr.resume();
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = once(child, 'close');
  if (signal) {
    const looking = setInterval(() => {
      if (!existsSync(sandbox.file('begun.txt')) || !child.pid) return;
      clearInterval(looking);
      process.kill(-child.pid, signal);
    }, 50);
    void ended.then(() => clearInterval(looking));
  }
  // Some programs stay after their answer.
  const killer = setTimeout(() => child.pid && process.kill(-child.pid, 'SIGKILL'), 120_000);
  await ended;
  clearTimeout(killer);
  for (const pid of processesWith(sandbox.folder)) process.kill(pid, 'SIGKILL');
  return Buffer.concat(chunks);
}

/** Where `GLASSBOX_RECORD` says, in the form of `test/archive/recordings/homes`: a stream for each process. */
export function keep(peer: Peer, scene: string, { sandbox }: Stage, streams: readonly Buffer[]): void {
  const root = process.env.GLASSBOX_RECORD;
  if (!root) return;
  const folder = join(root, nameOf(peer).replace(' ', '-'), scene);
  for (const place of transcriptFolders(requireAgent(peer.agent), { env: {}, home: sandbox.home })) {
    if (!existsSync(place)) continue;
    const to = join(folder, 'home', relative(sandbox.home, place));
    mkdirSync(to, { recursive: true });
    cpSync(place, to, { recursive: true });
  }
  mkdirSync(folder, { recursive: true });
  for (const [index, stdout] of streams.entries())
    writeFileSync(join(folder, index === 0 ? 'stream.jsonl' : `stream-${index + 1}.jsonl`), stdout);
}
