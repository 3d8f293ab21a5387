/** Every program in `examples` does what it says, against the package as it is built. */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { answer, ask, init, result, type Step, text, toolResult, toolUse } from './fake-agent/lines.js';
import { FAKE_AGENT, scriptVariable, temporaryDirectory } from './fake-agent/play.js';
import { importsOf } from './support/source.js';

const files = readdirSync('examples', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.mjs'))
  .map((name) => name.split(path.sep).join('/'));
/** An example of several files has a folder; what it consists of is played by what it does. */
const programs = files.filter((name) => /^([^/]+|.*\/(run|test))\.mjs$/.test(name));

const asking = [
  init(),
  toolUse('t1', 'Bash', { command: 'npm test' }),
  ask('q1', 't1', 'Bash', { command: 'npm test' }),
  { hear: 'q1' },
  toolResult('t1', 'all green'),
  toolUse('t2', 'Bash', { command: 'rm -rf /' }),
  ask('q2', 't2', 'Bash', { command: 'rm -rf /' }),
  { hear: 'q2' },
  toolResult('t2', 'not allowed', true),
  text('Done.'),
  result('Done.'),
];

const lines = (script: readonly Step[]): string =>
  script.flatMap((step) => ('say' in step ? [`${JSON.stringify(step.say)}\n`] : [])).join('');

const PLAYED: Record<string, { script: readonly Step[]; words: string[]; input?: string; tells: (string | RegExp)[] }> =
  {
    'run-an-agent.mjs': {
      script: asking,
      words: ['Fix it'],
      tells: ['· npm test', '· rm -rf /', 'Done.', '$0.0100 (reported)'],
    },
    'budget-and-resume.mjs': {
      script: answer('One step.'),
      words: ['Plan', 'Go on'],
      tells: ['1. finished: One step.', '2. finished: One step.'],
    },
    'read-a-stream.mjs': {
      script: [],
      words: ['claude'],
      input: lines([
        init(),
        toolUse('t1', 'Bash', { command: 'false' }),
        toolResult('t1', 'exit code 1', true),
        result('No.'),
      ]),
      tells: ['Bash failed: exit code 1', 'success: No. ($0.01)'],
    },
    'own-view.mjs': {
      script: [
        init(),
        toolUse('t1', 'Read', { file_path: 'a' }),
        toolResult('t1', 'A'),
        text('Read it.'),
        result('Read it.'),
      ],
      words: ['Look'],
      tells: ['[ok] Read a', 'Read it.', '0.01'],
    },
    'keep-and-search.mjs': {
      script: answer('The door is green.'),
      words: [path.join(temporaryDirectory(), 'sessions.db'), 'Paint the door', 'green'],
      tells: [/^\S+ finished Paint the door$/m],
    },
    'own-agent/run.mjs': { script: [], words: ['How many?'], tells: ['shell: ls nest', 'finished: One egg. ($0.002)'] },
    'own-agent/test.mjs': { script: [], words: [], tells: [/ fail 0$/m, /answers as the recorded host/] },
    'own-store/run.mjs': {
      script: answer('The door is green.'),
      words: ['Paint the door', 'green'],
      tells: ['finished Paint the door: The door is green.'],
    },
    'own-store/test.mjs': { script: [], words: [], tells: [/ fail 0$/m, /only the owner hears and acknowledges/] },
    'approve-from-elsewhere.mjs': {
      script: [
        init(),
        toolUse('t1', 'Bash', { command: 'ls' }),
        ask('q1', 't1', 'Bash', { command: 'ls' }),
        { hear: 'q1' },
        toolResult('t1', 'no', true),
        result('Nothing done.'),
      ],
      words: ['Clean up'],
      tells: ['deny by person: Not today.', 'finished: Nothing done.'],
    },
  };

test('every example is played', () => {
  expect(Object.keys(PLAYED).sort()).toEqual(programs.sort());
  expect(programs.length).toBeGreaterThanOrEqual(6);
});

test.each(files)('%s imports only what the package exports', (file) => {
  const imports = importsOf({ path: `examples/${file}`, text: readFileSync(`examples/${file}`, 'utf8') });
  const foreign = imports
    .map(({ specifier }) => specifier)
    .filter((name) => !/^(glassbox(\/|$)|node:|\.\/[\w-]+\.mjs$)/.test(name));
  expect(foreign).toEqual([]);
});

test.each(Object.entries(PLAYED))('%s', async (file, { script, words, input = '', tells }) => {
  const env = {
    ...process.env,
    EXAMPLE_PROGRAM: FAKE_AGENT,
    FAKE_AGENT_SCRIPT: scriptVariable(script),
    GLASSBOX_STATE_DIR: temporaryDirectory(),
  };
  const { stdout, stderr, failure } = await new Promise<{ stdout: string; stderr: string; failure: unknown }>(
    (resolve) => {
      const child = execFile(
        process.execPath,
        [path.join('examples', file), ...words],
        { env },
        (failure, stdout, stderr) => resolve({ stdout, stderr, failure }),
      );
      child.stdin?.end(input);
    },
  );
  expect(failure, `${stdout}\n${stderr}`).toBeNull();
  for (const told of tells) expect(stdout, stderr).toMatch(told);
});
