/**
 * Row 15b: a server with fifty agents at work, each of which says ten words a second and calls a tool every four. The same is measured once more
 * while others keep the processors awake: what is left then is the work itself, and the rest is what it costs to be woken.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { comeIn } from '../test/server/as-browser.js';
import { bytesOf, cpuOf, startGlassbox, stop, untilQuiet } from './support/measured-process.js';
import { report } from './support/row.js';

const RUNS = Number(process.env.BENCH_RUNS ?? 50);
const SETTLED_MS = 5000;
const MEASURED_S = 20;
/** From the folder of the bundle. */
const TALKER = fileURLToPath(new URL('../../support/talker.mjs', import.meta.url));

const home = mkdtempSync(join(tmpdir(), 'glassbox-bench-'));
const project = join(home, 'project');
mkdirSync(project);
chmodSync(TALKER, 0o755);
writeFileSync(join(home, 'config.json'), JSON.stringify({ agents: { claude: { program: TALKER } } }));
const { child, tail } = await startGlassbox(home, ['serve', '--port=0', '--no-open', '--project', project], '#login=');
await untilQuiet(child);
const rest = bytesOf(child);

const link = /http:\S+/.exec(tail())?.[0] ?? '';
const browser = await comeIn(new URL(link).origin, link);
for (let run = 0; run < RUNS; run += 1) {
  const body = JSON.stringify({ agent: 'claude', prompt: `Talk, ${run}` });
  const started = await browser.fetch('/api/runs', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  if (started.status !== 201) throw new Error(`A run was not started: ${started.status} ${await started.text()}`);
}
await setTimeout(SETTLED_MS);
const share = await measure();
const each = (bytesOf(child) - rest) / RUNS;
const others = keepAwake();
const awake = await measure();
for (const other of others) other.kill();
await stop(child);
rmSync(home, { recursive: true, maxRetries: 5 });

report([
  {
    row: '15b',
    what: `glassbox serve with ${RUNS} live runs of ten words a second`,
    against: 'one core',
    goal: '≤ 25 % and 3 MB a run',
    value: share * 100,
    unit: '%',
    ok: share <= 0.25 && each <= 3e6,
    also: {
      memory: `${(each / 1e6).toFixed(1)} MB a run above ${Math.round(rest / 1e6)} MB`,
      'while others keep the processors awake': `${(awake * 100).toFixed(1)} %`,
      measured: `${MEASURED_S} s`,
    },
  },
]);

/** What the server took of one core. */
async function measure(): Promise<number> {
  const before = cpuOf(child);
  const begun = performance.now();
  await setTimeout(MEASURED_S * 1000);
  return (cpuOf(child) - before) / ((performance.now() - begun) / 1000);
}

/** Programs that do nothing all the time, and only when nobody else has anything to do. */
function keepAwake(): ChildProcess[] {
  return cpus().map(() => {
    const other = spawn(process.execPath, ['--eval', 'for (;;);'], { stdio: 'ignore' });
    setPriority(other.pid ?? 0, 19);
    return other;
  });
}
