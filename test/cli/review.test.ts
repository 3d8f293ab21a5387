/** Changes are commented in the person's editor, and the agent hears it as one message. */
import { realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findTurns, keepFiles } from '../../src/checkpoint/index.js';
import { run } from '../../src/run/index.js';
import { keepRun, openStore } from '../../src/store/index.js';
import { makeRepository, write } from '../checkpoint/repository.js';
import { init, result, text, toolResult, toolUse } from '../fake-agent/lines.js';
import { FAKE_AGENT, scripted, temporaryDirectory } from '../fake-agent/play.js';
import { playSession } from '../review/played-session.js';
import { environment, newStore, openTerminal } from './fake-run.js';
import { glassbox, start } from './glassbox.js';

/** An editor that writes these lines below another one. */
function editor(below: string, comment: string): string {
  const file = path.join(temporaryDirectory(), 'editor.mjs');
  const lines = JSON.stringify([`\n${below}\n`, `\n${below}\n${comment}\n`]);
  writeFileSync(
    file,
    `import { readFileSync, writeFileSync } from 'node:fs';
const [file] = process.argv.slice(2);
const [from, to] = ${lines};
writeFileSync(file, readFileSync(file, 'utf8').replace(from, to));
`,
  );
  return `${process.execPath} ${file}`;
}

test('J 4: comments go from the editor to the session, which goes on with them, and know later whether their lines changed', async () => {
  const root = realpathSync(makeRepository({ 'a.ts': 'first\nsecond\nthird\n' }));
  const file = newStore();
  const store = await openStore(file);
  onTestFinished(() => store.close());
  const { session } = await playSession(
    root,
    [
      [
        toolUse('t1', 'Edit', { file_path: path.join(root, 'a.ts'), old_string: 'second', new_string: 'better' }),
        { files: { 'a.ts': 'first\nbetter\nthird\n' } },
        toolResult('t1', 'ok'),
      ],
    ],
    store,
  );
  const env = { GLASSBOX_STORE: file, GLASSBOX_STATE_DIR: process.env.GLASSBOX_STATE_DIR ?? '' };
  const review = (...args: string[]) => glassbox(['review', session.id, ...args], '', env);
  expect((await review('--list')).stdout).toContain(`There is no comment on ${session.id} yet.`);
  expect((await review()).stderr).toContain('There is no terminal for an editor. Use --print');

  const printed = (await review('--print')).stdout;
  expect(printed).toContain('=== a.ts\n@@ line 1 became line 1 @@\n first\n-second\n+better\n third');
  const tried = await glassbox(
    ['review', session.id, '--from', '-', '--dry-run'],
    printed.replace('+better\n', '+better\n>2 Say why.\n'),
    env,
  );
  expect(tried.stdout).toContain('1. a.ts, line 2\n\n```diff\n-second\n+better\n```\n\nSay why.');
  expect(tried.stdout).toContain('Nothing was sent. 1 comment kept.');
  const broken = await glassbox(['review', session.id, '--from', '-', '--yes'], printed.replace('+better\n', ''), env);
  expect(broken.stderr).toContain('the lines of a.ts are not as they were');

  const screen = openTerminal(['review', session.id], [], {
    env: { ...env, EDITOR: editor(' first', '> Why so?') },
    isAlone: true,
  });
  await screen.shows('Send this?');
  expect(screen.text()).toContain('have 2 comments');
  screen.type('n\r');
  await screen.shows('Nothing was sent. 2 comments kept');
  await screen.ended;

  const again = (await review('--print')).stdout;
  expect(again).toContain(' first\n> Why so?\n-second\n+better\n> Say why.\n');
  const script = [init({ cwd: root }), text('I will.'), result('I will.')];
  const sent = await glassbox(
    [
      'review',
      session.id,
      '--from',
      '-',
      '--yes',
      '--program',
      FAKE_AGENT,
      '--no-checkpoints',
      '--permission',
      'bypass',
    ],
    again,
    environment(script, env),
  );
  expect(sent.stdout).toContain('I will.');
  const went = await store.session(session.id);
  expect(went?.runs.at(-1)?.prompt).toContain('I reviewed your changes up to turn 1 and have 2 comments.');

  const states = async () =>
    (await review('--list', '--json')).stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .map(({ text: said, state, sentAt }) => [said, state, typeof sentAt]);
  expect(await states()).toEqual([
    ['Say why.', 'unchanged', 'number'],
    ['Why so?', 'unchanged', 'number'],
  ]);
  write(root, { 'a.ts': 'first\nbest\nthird\n' });
  expect((await states()).map(([said, state]) => [said, state])).toEqual([
    ['Say why.', 'gone'],
    ['Why so?', 'unchanged'],
  ]);
  expect((await review('--list')).stdout).toContain('its lines are gone');
  const why = await glassbox(['why', `${path.join(root, 'a.ts')}:2`], '', env);
  // The run that went on kept no files: it could have been that.
  expect(why.stdout).toContain('unknown: before or during');
  expect(why.stdout).toContain('turn 1 · Edit');
});

const BETTER = [{ files: { 'a.ts': 'better\n' } }];

async function storeFor() {
  const file = newStore();
  const store = await openStore(file);
  onTestFinished(() => store.close());
  return { store, env: { GLASSBOX_STORE: file, GLASSBOX_STATE_DIR: process.env.GLASSBOX_STATE_DIR ?? '' } };
}

test('an agent that works hears the comments as its next message, and the run goes on', async () => {
  const root = realpathSync(makeRepository({ 'a.ts': 'first\n' }));
  const { store, env } = await storeFor();
  const script = [
    ...[init({ cwd: root }), text('ready'), { hear: 'go on' }, ...BETTER, result('done')],
    ...[{ hear: 'Why better?' }, text('Because.', 'm2'), result('Because.'), { hearEnd: true }],
  ];
  const handle = run(
    scripted(script, { cwd: root, permission: 'bypass', prompt: 'begin', followUp: true, keepOpen: true }),
  );
  const files = keepFiles(handle);
  const { done } = keepRun(handle, { store, onEvent: files.see });
  const { runId } = handle;
  const isKept = async (moment: 'before' | 'after') =>
    (await findTurns([{ runId, turns: 0 }]))[0]?.[moment]?.commit !== undefined;
  const review = (input: string, ...args: string[]) => glassbox(['review', runId, ...args], input, env);
  let said = '';
  let ended = 0;
  for await (const event of handle.events) {
    if (event.type === 'text-end' && event.text === 'ready') {
      await expect.poll(() => isKept('before')).toBe(true);
      handle.say('go on');
    }
    if (event.type !== 'turn-end') continue;
    ended += 1;
    if (ended === 2) handle.cancel();
    if (ended !== 1) continue;
    await expect.poll(() => isKept('after')).toBe(true);
    const printed = (await review('', '--print')).stdout;
    void review(printed.replace('+better\n', '+better\n> Why better?\n'), '--from', '-', '--yes').then(({ stdout }) => {
      said = stdout;
    });
  }
  await Promise.all([done, files.done]);
  await expect.poll(() => said).toMatch(/^Sent 1 comment to \w+\.\n$/);
  const session = await store.session(runId);
  expect(session?.runs).toHaveLength(1);
  const told: string[] = [];
  for await (const event of store.read(runId)) if (event.type === 'user-message') told.push(event.text);
  expect(told.filter((words) => words.includes('have 1 comment.'))).toHaveLength(1);
  expect(JSON.parse((await review('', '--list', '--json')).stdout)).toMatchObject({
    text: 'Why better?',
    state: 'unchanged',
  });
});

test('a sender that is killed while the agent works at it has sent it, and nobody sends it again', async () => {
  const root = realpathSync(makeRepository({ 'a.ts': 'first\n' }));
  const { store, env } = await storeFor();
  const { session } = await playSession(root, [BETTER], store);
  const review = (input: string, ...args: string[]) => glassbox(['review', session.id, ...args], input, env);
  const printed = (await review('', '--print')).stdout;
  await review(printed.replace('+better\n', '+better\n> Why?\n'), '--from', '-', '--dry-run');
  const commented = (await review('', '--print')).stdout;
  const file = path.join(temporaryDirectory(), 'review.diff');
  writeFileSync(file, commented);
  const own = environment([init({ cwd: root }), text('I look.'), { hear: 'nothing ever' }], env);
  const sent = ['--from', file, '--yes', '--program', FAKE_AGENT, '--permission', 'bypass', '--no-checkpoints'];
  const sending = start(['review', session.id, ...sent], own);
  // The store knows of the run before its agent begins.
  await expect.poll(async () => (await store.session(session.id))?.runs.at(1)?.model).toBe('fake');
  sending.child.kill('SIGKILL');
  await sending.ended;
  expect(JSON.parse((await review('', '--list', '--json')).stdout)).toMatchObject({ sentAt: expect.any(Number) });
  expect((await review(printed, '--from', '-', '--yes')).stdout).toBe('There is no comment; nothing was sent.\n');
  // Its agent outlived it; the next who looks at what goes on ends that.
  expect((await glassbox(['ps'], '', own)).stderr).toContain('ended a process of a run whose glassbox was killed');
});

test('an agent that cannot be started was told nothing: the comments are kept', async () => {
  const root = realpathSync(makeRepository({ 'a.ts': 'first\n' }));
  const { store, env } = await storeFor();
  const { session } = await playSession(root, [BETTER], store);
  const review = (input: string, ...args: string[]) => glassbox(['review', session.id, ...args], input, env);
  const printed = (await review('', '--print')).stdout;
  const broken = path.join(temporaryDirectory(), 'no-program');
  writeFileSync(broken, 'no program', { mode: 0o755 });
  const commented = printed.replace('+better\n', '+better\n> Why?\n');
  const failed = await review(
    commented,
    '--from',
    '-',
    '--yes',
    '--program',
    `${broken}/none`,
    '--permission',
    'bypass',
  );
  expect(failed.stderr).toContain('Nothing was sent; the comments are kept.');
  expect(failed.status).not.toBe(0);
  expect(JSON.parse((await review('', '--list', '--json')).stdout)).not.toHaveProperty('sentAt');
});
