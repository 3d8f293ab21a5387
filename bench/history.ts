/** Rows 23 to 25: "what did it cost" over a history that nobody read yet, and all of its words, against ccusage, which is a native program. */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeHistory } from './support/history.js';
import { median } from './support/rounds.js';
import { report } from './support/row.js';

const MEGABYTES = Number(process.env.BENCH_HISTORY_MB ?? 600);
const cli = process.env.BENCH_CLI ?? '';
const rival = `${process.env.BENCH_PEERS}/node_modules/@ccusage/ccusage-${process.platform}-${process.arch}/bin/ccusage`;

const OURS = ['inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens'];
const THEIRS = ['inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheCreationTokens'];

/** Of ccusage and of ours, one after the other, each time without a store. */
const ROUNDS = 5;

interface Spent {
  /** Of the process and what it waited for, in s. */
  cpu: number;
  wall: number;
  stdout: string;
}

const home = mkdtempSync(join(tmpdir(), 'glassbox-bench-'));
const { sessions, files, bytes } = writeHistory(home, MEGABYTES * 1e6);
const size = `${Math.round(bytes / 1e6)} MB, ${sessions.toLocaleString('en')} sessions in ${files.toLocaleString('en')} files`;
const env = {
  PATH: process.env.PATH ?? '',
  HOME: home,
  CLAUDE_CONFIG_DIR: join(home, '.claude'),
  GLASSBOX_STORE: join(home, 'store.db'),
  GLASSBOX_STATE_DIR: home,
};

// Its package is installed without scripts, one of which would do this.
if (existsSync(rival)) chmodSync(rival, 0o755);
const rounds = Array.from({ length: ROUNDS }, () => {
  const theirs = existsSync(rival) ? run(rival, ['claude', 'daily', '--json', '--offline']) : undefined;
  for (const end of ['', '-wal', '-shm']) rmSync(`${env.GLASSBOX_STORE}${end}`, { force: true });
  return { theirs, ours: run(process.execPath, [cli, 'cost', '--by', 'agent', '--json']) };
});
const quick = middleOf(rounds.map(({ ours }) => ours));
const peer = existsSync(rival) ? middleOf(rounds.flatMap(({ theirs }) => theirs ?? [])) : undefined;
const ratio = median(rounds.map(({ theirs, ours }) => ours.cpu / (theirs?.cpu ?? Number.NaN)));
const wallRatio = median(rounds.map(({ theirs, ours }) => ours.wall / (theirs?.wall ?? Number.NaN)));
const again = run(process.execPath, [cli, 'cost', '--by', 'agent', '--json']);
const words = run(process.execPath, [cli, 'import']);
const unchanged = run(process.execPath, [cli, 'import']);
const after = run(process.execPath, [cli, 'cost', '--by', 'agent', '--json']);
rmSync(home, { recursive: true });

const against = peer ? `ccusage, ${peer.cpu.toFixed(1)} s of CPU` : 'ccusage, which is not installed';
const times = (spent: Spent) => spent.cpu / (peer?.cpu ?? Number.NaN);
const tell = ({ cpu, wall }: Spent) => `${cpu.toFixed(1)} s of CPU in ${wall.toFixed(1)} s`;
const isSame = quick.stdout === after.stdout;
report([
  {
    row: 23,
    what: `what an unread history cost (${size})`,
    against,
    goal: '≤ 0.70, in no more time, and the same after the import',
    value: ratio,
    unit: '×',
    ok: ratio <= 0.7 && wallRatio <= 1 && isSame,
    also: {
      glassbox: tell(quick),
      ...(peer && { ccusage: tell(peer) }),
      'time of the clock': `${wallRatio.toFixed(2)} ×`,
      'each round': rounds.map(({ theirs, ours }) => (ours.cpu / (theirs?.cpu ?? Number.NaN)).toFixed(2)).join(', '),
      'tokens of glassbox': tokensOf(JSON.parse(quick.stdout).usage, OURS),
      ...(peer && { 'tokens of ccusage': tokensOf(JSON.parse(peer.stdout).totals, THEIRS) }),
      'after the import': isSame ? 'the same' : after.stdout.trim(),
    },
  },
  {
    row: 24,
    what: 'all of its words brought into the store',
    against,
    goal: '≤ 6',
    value: times(words),
    unit: '×',
    ok: times(words) <= 6,
    also: { import: tell(words) },
  },
  {
    row: 25,
    what: 'import again when nothing changed',
    against: 'the import',
    goal: '≤ 0.10',
    value: unchanged.cpu / words.cpu,
    unit: '×',
    ok: unchanged.cpu <= 0.1 * words.cpu,
    also: { import: tell(unchanged), cost: tell(again) },
  },
]);

/** Through `time -p` of the shell, because nothing else counts what a child of a child used. */
function run(program: string, args: readonly string[]): Spent {
  const times = join(home, 'times');
  const command = `{ time -p "$0" "$@" 2>/dev/null; } 2> '${times}'`;
  const { stdout } = spawnSync('bash', ['-c', command, program, ...args], {
    env,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  const told = readFileSync(times, 'utf8');
  const seconds = (name: string) => Number(new RegExp(`^${name} ([\\d.]+)`, 'm').exec(told)?.[1]);
  return { cpu: seconds('user') + seconds('sys'), wall: seconds('real'), stdout };
}

/** The one of median CPU time. */
function middleOf(spent: readonly Spent[]): Spent {
  const sorted = spent.toSorted((a, b) => a.cpu - b.cpu);
  return sorted[Math.floor(sorted.length / 2)] ?? { cpu: Number.NaN, wall: Number.NaN, stdout: '{}' };
}

function tokensOf(sums: Record<string, number>, fields: readonly string[]): string {
  return fields.map((field) => (sums[field] ?? 0).toLocaleString('en')).join(' + ');
}
