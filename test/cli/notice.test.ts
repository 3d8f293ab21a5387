/** Notices: an agent that waits or has ended is told of in fixed words, to who looks elsewhere, and the title is put back. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { answer, ask, init, result, text } from '../fake-agent/lines.js';
import { temporaryDirectory } from '../fake-agent/play.js';
import { fakeRun, newStore, openTerminal } from './fake-run.js';

const PUSHED = '\u001b[22;2t';
const POPPED = '\u001b]2;\u001b\\\u001b[23;2t';
const HOSTILE = 'rm -rf \u001b]2;owned\u0007 \u001b]9;9;owned\u001b\\ x';
const env = { TERM: 'xterm-256color' };

/** Everything between the beginning of a sequence and its end. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const SEQUENCE = /\u001b\](\d+;[^\u0007\u001b]*)(?:\u0007|\u001b\\)/g;
const toldIn = (screen: string) => [...screen.matchAll(SEQUENCE)].map(([, told]) => told);

/** A program that keeps what it is told. */
function listener(status = 0): { vector: string; heard: () => unknown[] } {
  const log = path.join(temporaryDirectory(), 'heard');
  const program = path.join(temporaryDirectory(), 'listener.mjs');
  writeFileSync(
    program,
    `import { appendFileSync, readFileSync } from 'node:fs';
    appendFileSync(process.argv[2], readFileSync(0));
    process.exit(${status});`,
  );
  const heard = () =>
    existsSync(log)
      ? readFileSync(log, 'utf8')
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line))
      : [];
  return { vector: JSON.stringify([process.execPath, program, log]), heard };
}

const asks = [
  init(),
  text(HOSTILE),
  ask('q1', 't1', 'Bash', { command: HOSTILE, description: HOSTILE }),
  { hear: '"request_id":"q1"' },
  result(HOSTILE),
];

describe('on a terminal', () => {
  test.each(['live', 'lines'])('it is called, in fixed words only, and the title is put back (%s)', async (format) => {
    const screen = openTerminal(['run', 'claude', HOSTILE, `--format=${format}`], asks, { env });
    await screen.shows(/one key answers|\[w\]hy: /);
    expect(screen.text()).toContain('\u0007');
    screen.type('n\r');
    await screen.ended;
    expect([...new Set(toldIn(screen.text()))]).toEqual([
      '2;glassbox: claude works',
      '2;glassbox: claude waits for you: to run a command',
      '9;glassbox: claude waits for you: to run a command',
      '2;glassbox: claude has finished',
      '9;glassbox: claude has finished',
      '2;',
    ]);
    expect(screen.text().split(PUSHED)).toHaveLength(2);
    expect(screen.text().split(POPPED)).toHaveLength(2);
    expect(screen.text().indexOf(PUSHED)).toBeLessThan(screen.text().indexOf(POPPED));
  });

  test('the title is put back also after SIGTERM', async () => {
    const screen = openTerminal(['run', 'claude', 'x'], [init(), text('Here.'), { hear: 'never' }], { env });
    await screen.shows('claude works');
    screen.signal('SIGTERM');
    expect(await screen.ended).toBe(143);
    expect(screen.text()).toContain(POPPED);
  });

  test.each([
    ['that would print it', { TERM: 'linux' }, {}],
    ['where it is not wanted', env, { notices: false }],
  ])('no sequence is sent to one %s', async (_, surroundings, settings) => {
    const file = path.join(temporaryDirectory(), 'own.json');
    writeFileSync(file, JSON.stringify(settings));
    const screen = openTerminal(['run', 'claude', 'x', '--format=lines'], answer('Done.'), {
      env: { ...surroundings, GLASSBOX_CONFIG: file },
    });
    expect(await screen.ended).toBe(0);
    expect(screen.text()).not.toContain('\u001b]');
    expect(screen.text()).not.toContain(PUSHED);
  });
});

test('without a terminal nothing is written', async () => {
  const { stdout, stderr } = await fakeRun(['run', 'claude', 'x'], asks);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
  expect(stdout + stderr).not.toMatch(/[\u0007\u001b]/);
});

describe('a program of the person’s own', () => {
  test('is told in JSON what happens, without a word of the agent', async () => {
    const { vector, heard } = listener();
    const setting = { env: { ...env, GLASSBOX_STORE: newStore() } };
    const screen = openTerminal(['run', 'claude', 'x', '--format=lines', '--notify', vector], asks, setting);
    await screen.shows('Allow?');
    screen.type('n\r');
    expect(await screen.ended).toBe(0);
    const about = { schema: 1, agent: 'claude', run: expect.any(String), session: expect.stringMatching(/^\w{6}$/) };
    expect(heard()).toEqual([
      { ...about, state: 'waiting', for: 'tool', tool: 'execute' },
      { ...about, state: 'ended', outcome: 'finished' },
    ]);
  });

  test('of the own file is started; one of a project is refused', async () => {
    const { vector, heard } = listener();
    const own = path.join(temporaryDirectory(), 'own.json');
    writeFileSync(own, JSON.stringify({ notify: JSON.parse(vector) }));
    await fakeRun(['run', 'claude', 'x'], answer('Done.'), { env: { GLASSBOX_CONFIG: own } });
    expect(heard()).toMatchObject([{ state: 'ended', outcome: 'finished' }]);
    const cwd = temporaryDirectory();
    writeFileSync(path.join(cwd, 'glassbox.json'), JSON.stringify({ notify: JSON.parse(vector) }));
    const { status, stderr } = await fakeRun(['run', 'claude', 'x'], answer('Done.'), { cwd });
    expect(status).toBe(2);
    expect(stderr).toContain('notify must not be set here; set it in your own file');
    expect(heard()).toHaveLength(1);
  });

  test.each([
    ['that is not there', JSON.stringify(['/nowhere/at-all']), 'is not there'],
    ['that fails', listener(7).vector, 'ended with status 7'],
  ])('%s is one remark, and changes nothing', async (_, vector, words) => {
    const { status, stderr } = await fakeRun(
      ['loop', 'claude', 'x', '--until=Done.', '--notify', vector],
      answer('Done.'),
    );
    expect(status).toBe(0);
    expect(stderr.split('the program of --notify')).toHaveLength(2);
    expect(stderr).toContain(words);
  });

  test.each(['[', '[]', '[1]', '[""]'])('%s is no vector', async (vector) => {
    const { status } = await fakeRun(['run', 'claude', 'x', '--notify', vector], answer('Done.'));
    expect(status).toBe(2);
  });
});
