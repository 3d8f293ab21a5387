/** What only people may do, tried from inside a run: refused, and the run tells of it. */
import { expect, test } from 'vitest';
import { ask, init, result, text, toolUse } from '../fake-agent/lines.js';
import { newStore, openTerminal, reached } from './fake-run.js';
import { glassbox } from './glassbox.js';

const input = { command: 'touch a' };
const asking = [
  init(),
  text('looking'),
  toolUse('t1', 'Bash', input),
  ask('asked-1', 't1', 'Bash', input),
  { hear: 'asked-1' },
  result('ok'),
];

test('each attempt stands in the run with what it was', async () => {
  const env = { GLASSBOX_STORE: newStore() };
  const screen = openTerminal(['run', 'claude', 'Tidy up'], asking, { env });
  await screen.shows('allow once');
  await reached('Tidy up', 'waiting', env);
  const elsewhere = async (...words: string[]) => (await glassbox(words, '', env)).stdout;
  const { runId = '' } = JSON.parse((await elsewhere('show', 'latest', '--json')).split('\n')[0] ?? '{}');
  const inside = (...words: string[]) => glassbox(words, '', { ...env, GLASSBOX_RUN_ID: runId });

  const tried: [string, string[]][] = [
    ['let a browser in', ['serve', '--link']],
    ['log a browser out', ['serve', '--forget', 'all']],
    ['start a server that takes answers', ['serve', '--port', '0', '--no-open']],
    ['delete sessions', ['delete', 'latest', '--yes']],
    ['decide who comes in', ['token', 'create', 'me', '--scope', 'approve']],
  ];
  for (const [what, words] of tried) {
    expect(await inside(...words)).toMatchObject({
      status: 3,
      stdout: '',
      stderr: expect.stringContaining(`Nobody can ${what} from inside a run`),
    });
  }
  screen.type('y');
  expect(await screen.ended).toBe(0);
  const kept = (await elsewhere('show', 'latest', '--json')).split('\n');
  const warnings = kept.filter((line) => line.includes('"act-from-inside"')).map((line) => JSON.parse(line).message);
  expect(warnings).toEqual(
    tried.map(([what]) => `Something that Claude Code started tried to ${what}. It was refused.`),
  );
});
