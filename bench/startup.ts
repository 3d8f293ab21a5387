/** Row 8: the command line says its version nearly as fast as Node starts. */
import { execFileSync } from 'node:child_process';
import { measureRounds } from './support/rounds.js';
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
]);
