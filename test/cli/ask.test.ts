import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { ask, init, interruptedResult, result, type Step, say } from '../fake-agent/lines.js';
import { temporaryDirectory } from '../fake-agent/play.js';
import { openTerminal, type Screen } from './fake-run.js';

const input = { command: 'touch ok.txt' };
const suggestions = [{ type: 'addRules', behavior: 'allow' }];
const askedOnce = [init(), ask('q1', 't1', 'Bash', input, suggestions), { hear: '"request_id":"q1"' }, result('ok')];

/** Runs the script in a terminal, and gives what the agent was told about `q1`. */
async function converse(
  script: readonly Step[],
  talk: (screen: Screen) => Promise<void>,
  env: Record<string, string> = {},
  cwd?: string,
) {
  const log = path.join(temporaryDirectory(), 'log');
  const screen = openTerminal(['run', 'claude', 'x'], script, {
    env: { FAKE_AGENT_LOG: log, ...env },
    ...(cwd && { cwd }),
  });
  await talk(screen);
  const status = await screen.ended;
  const replies = readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => line.includes('control_response'));
  return { reply: replies[0] ? JSON.parse(replies[0]).response.response : undefined, status, text: screen.text() };
}

const answering = (keys: string) => async (screen: Screen) => {
  await screen.shows('Allow? [y]es');
  screen.type(`${keys}\r`);
};

describe('asking on the spot', () => {
  test.each([
    ['y allows', 'y', { behavior: 'allow', updatedInput: input }],
    ['n denies', 'n', { behavior: 'deny', message: 'Denied by the user.' }],
    ['n with a reason', 'n not in this directory', { behavior: 'deny', message: 'not in this directory' }],
    ['always', 'always', { behavior: 'allow', updatedPermissions: suggestions }],
  ])('%s', async (_, keys, reply) => {
    const told = await converse(askedOnce, answering(keys));
    expect(told.reply).toMatchObject(reply);
    expect(told.text).toContain('touch ok.txt');
    // The answer is the person's own: nothing was withdrawn.
    expect(told.text).not.toContain('no longer asked');
    expect(told.status).toBe(0);
  });

  test('it rings the bell', async () => {
    expect((await converse(askedOnce, answering('y'))).text).toContain('\u0007');
  });

  test('anything else explains the choices, w tells the whole input', async () => {
    const { text, reply } = await converse(askedOnce, async (screen) => {
      await answering('what?')(screen);
      await screen.shows('w tells more');
      screen.type('w\r');
      await screen.shows('Always would mean');
      screen.type('y\r');
    });
    expect(text).toContain('"command": "touch ok.txt"');
    expect(reply).toMatchObject({ behavior: 'allow' });
  });

  test('e changes the input in an editor, and only that', async () => {
    const dir = temporaryDirectory();
    const editor = path.join(dir, 'editor.mjs');
    writeFileSync(
      editor,
      `#!/usr/bin/env node
import { readFileSync, writeFileSync } from 'node:fs';
const file = process.argv[2];
writeFileSync(file, readFileSync(file, 'utf8').replace('ok.txt', 'other.txt'));`,
    );
    chmodSync(editor, 0o755);
    const { reply } = await converse(askedOnce, answering('e'), { VISUAL: editor });
    expect(reply).toEqual({ behavior: 'allow', updatedInput: { command: 'touch other.txt' } });
  });

  test('an editor that does not work is told, and the question stays', async () => {
    const { reply } = await converse(
      askedOnce,
      async (screen) => {
        await answering('e')(screen);
        await screen.shows('set EDITOR');
        screen.type('n\r');
      },
      { VISUAL: '/nowhere/editor' },
    );
    expect(reply).toMatchObject({ behavior: 'deny' });
  });

  test('an edit is shown as a diff', async () => {
    const cwd = temporaryDirectory();
    writeFileSync(path.join(cwd, 'a.ts'), 'one\ntwo\n');
    const write = { file_path: 'a.ts', content: 'one\nthree\n' };
    const script = [init(), ask('q1', 't1', 'Write', write), { hear: '"request_id":"q1"' }, result('ok')];
    const { text } = await converse(script, answering('y'), {}, cwd);
    expect(text).toMatch(/-two\r?\n.*\+three/);
  });

  test('a question is answered by number', async () => {
    const question = { questions: [{ question: 'Which colour?', options: [{ label: 'Red' }, { label: 'Blue' }] }] };
    const script = [init(), ask('q1', 't1', 'AskUserQuestion', question), { hear: '"request_id":"q1"' }, result('ok')];
    const { reply } = await converse(script, async (screen) => {
      await screen.shows('Your answer:');
      screen.type('2\r');
    });
    expect(reply).toMatchObject({ updatedInput: { answers: { 'Which colour?': 'Blue' } } });
  });

  test('a question that is withdrawn goes away', async () => {
    const gate = path.join(temporaryDirectory(), 'gate');
    const script = [
      init(),
      ask('q1', 't1', 'Bash', input),
      { file: gate },
      say({ type: 'control_cancel_request', request_id: 'q1' }),
      result('ok'),
      { hearEnd: true },
    ];
    const { text, reply } = await converse(script, async (screen) => {
      await screen.shows('Allow? [y]es');
      writeFileSync(gate, '');
      await screen.shows('no longer asked');
    });
    expect(reply).toBeUndefined();
    expect(text).toContain('Complete');
  });

  test('Ctrl-C at the question interrupts the turn', async () => {
    const cancelled = say({ type: 'control_cancel_request', request_id: 'q1' });
    const script = [
      init(),
      ask('q1', 't1', 'Bash', input),
      { hear: '"subtype":"interrupt"' },
      cancelled,
      interruptedResult(),
      { hearEnd: true },
    ];
    const { status } = await converse(script, async (screen) => {
      await screen.shows('Allow? [y]es');
      screen.type('\u0003');
    });
    expect(status).toBe(130);
  });
});
