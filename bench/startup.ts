/** Rows 8 and 29: the command line says its version nearly as fast as Node starts, and who is at work for twice the CPU. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { measureRounds, median } from './support/rounds.js';
import { report } from './support/row.js';

const cli = process.env.BENCH_CLI ?? '';
const run = (args: string[]) => execFileSync(process.execPath, args, { stdio: 'pipe' });

const times = await measureRounds(
  {
    node: () => run(['-e', '0']),
    version: () => run([cli, '--version']),
    help: () => run([cli, '--help']),
  },
  { rounds: 15, warmUp: 2, clock: 'wall' },
);

const folder = mkdtempSync(join(tmpdir(), 'glassbox-startup-'));
const probe = join(folder, 'probe.cjs');
writeFileSync(probe, "process.on('exit', () => require('fs').writeSync(3, JSON.stringify(process.cpuUsage())))");
/** Nobody's sessions, so that the machine's own do not count. */
const env = { ...process.env, HOME: folder, GLASSBOX_STORE: join(folder, 'store.db'), GLASSBOX_STATE_DIR: folder };
const cpuOf = (args: string[]): number => {
  const { output } = spawnSync(process.execPath, ['-r', probe, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  const { user, system } = JSON.parse(String(output[3]));
  return (user + system) / 1000;
};
const cpu = Array.from({ length: 15 }, () => ({ node: cpuOf(['-e', '0']), ps: cpuOf([cli, 'ps']) }));
rmSync(folder, { recursive: true });
const psRatio = median(cpu.map(({ node, ps }) => ps / node));

const value = times.ratio('node', 'version');
report([
  {
    row: 8,
    what: 'glassbox --version',
    against: 'node -e 0',
    goal: '≤ 1.50',
    value,
    unit: '×',
    ok: value <= 1.5,
    also: {
      'glassbox --version': `${Math.round(times.ms('version'))} ms`,
      'glassbox --help': `${times.ratio('node', 'help').toFixed(2)} × node -e 0`,
    },
  },
  {
    row: 29,
    what: 'CPU of glassbox ps',
    against: 'node -e 0',
    goal: '≤ 2.00',
    value: psRatio,
    unit: '×',
    ok: psRatio <= 2,
    also: { 'glassbox ps': `${Math.round(median(cpu.map(({ ps }) => ps)))} ms of CPU` },
  },
]);
