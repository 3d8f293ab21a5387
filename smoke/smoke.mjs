/**
 * The smoke test that every platform's script runs: the built program as a user starts it, with the fake agent in place of a real one.
 * Needs `npm ci && npm run build` before. Prints one line a check, and ends with 0 only when all held.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const cli = at('dist/cli.js');
const fakeAgent = at('test/fake-agent/fake-agent.mjs');
const place = mkdtempSync(join(tmpdir(), 'glassbox-smoke-'));

const init = { say: { type: 'system', subtype: 'init', session_id: 's', model: 'fake' } };
const words = {
  say: {
    type: 'assistant',
    session_id: 's',
    message: { id: 'm', role: 'assistant', content: [{ type: 'text', text: 'hello' }] },
  },
};
const done = {
  say: { type: 'result', subtype: 'success', is_error: false, result: 'hello', session_id: 's', total_cost_usd: 0.01 },
};
const ask = {
  say: {
    type: 'control_request',
    request_id: 'q',
    request: { subtype: 'can_use_tool', tool_name: 'Bash', input: { command: 'ls' } },
  },
};

const checks = [
  ['it knows its version', () => matches(glassbox(['--version']), 0, /^\d+\.\d+\.\d+/)],
  ['the demo plays', () => matches(glassbox(['demo', '--speed', '500']), 0, /Complete \(cost/)],
  [
    'a run prints the lines',
    () => matches(runFake([init, words, done]), 0, /\[claude\] "hello"\r?\n\[claude\] Complete \(cost: \$0\.0100\)/),
  ],
  [
    'lines may end as on Windows',
    () => matches(runFake([init, words, done].map((step) => ({ ...step, eol: '\r\n' }))), 0, /hello/),
  ],
  [
    'an approval without a terminal is denied',
    () => matches(runFake([init, ask, { hear: '"deny"' }, done]), 0, /Permission required: Bash/),
  ],
  [
    'a run that takes too long ends',
    () => matches(runFake([init, { hang: true }], ['--timeout', '2s', '--permission', 'deny']), 124, /timed out/),
  ],
  [
    'a missing program is told',
    () => matches(glassbox(['run', 'claude', 'x', '--program', join(place, 'nothing')]), 127, /Install it with/),
  ],
  ['the doctor answers', () => matches(glassbox(['doctor']), undefined, /^ {4}claude /m)],
  ['at least one event comes before the agent may exit', livesBeforeExit],
];

let failed = 0;
for (const [title, check] of checks) {
  const problem = await check();
  console.log(`${problem ? 'FAIL' : 'ok  '} ${title}${problem ? `\n     ${problem}` : ''}`);
  if (problem) failed += 1;
}
rmSync(place, { recursive: true, force: true });
console.log(failed === 0 ? `all ${checks.length} checks held` : `${failed} of ${checks.length} checks failed`);
process.exit(failed === 0 ? 0 : 1);

function environment(script = []) {
  const own = {
    GLASSBOX_STATE_DIR: place,
    GLASSBOX_STORE: join(place, 'store.db'),
    GLASSBOX_CONFIG: join(place, 'none.json'),
  };
  return { ...process.env, ...own, NO_COLOR: '1', FAKE_AGENT_SCRIPT: JSON.stringify(script) };
}

function glassbox(args, script) {
  return spawnSync(process.execPath, [cli, ...args], {
    env: environment(script),
    encoding: 'utf8',
    input: '',
    cwd: place,
  });
}

function runFake(script, flags = []) {
  return glassbox(['run', 'claude', 'go', '--program', fakeAgent, ...flags], script);
}

function matches({ status, stdout, stderr }, wanted, pattern) {
  if ((wanted === undefined || status === wanted) && pattern.test(stdout)) return undefined;
  return `status ${status}, wanted ${wanted ?? 'any'}; stdout: ${stdout.slice(-500)} stderr: ${stderr.slice(-500)}`;
}

/** The fake agent waits for us after its first words: only a live stream lets us see them. */
function livesBeforeExit() {
  const gate = join(place, 'gate');
  const env = environment([init, words, { file: gate }, done]);
  const child = spawn(process.execPath, [cli, 'run', 'claude', 'go', '--program', fakeAgent, '--permission', 'deny'], {
    env,
    cwd: place,
  });
  let seen = '';
  return new Promise((resolve) => {
    child.stdin.end();
    child.stdout.on('data', (data) => {
      seen += data;
      if (seen.includes('hello')) writeFileSync(gate, '');
    });
    child.on('close', (status) =>
      resolve(status === 0 && seen.includes('Complete') ? undefined : `status ${status}; stdout: ${seen}`),
    );
  });
}
