/** Changes are commented in the person's editor, and the agent hears it as one message. */
import { realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../src/store/index.js';
import { makeRepository, write } from '../checkpoint/repository.js';
import { init, result, text, toolResult, toolUse } from '../fake-agent/lines.js';
import { FAKE_AGENT, temporaryDirectory } from '../fake-agent/play.js';
import { playSession } from '../review/played-session.js';
import { environment, newStore, openTerminal } from './fake-run.js';
import { glassbox } from './glassbox.js';

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
    ['Why so?', 'unchanged', 'number'],
    ['Say why.', 'unchanged', 'number'],
  ]);
  write(root, { 'a.ts': 'first\nbest\nthird\n' });
  expect((await states()).map(([said, state]) => [said, state])).toEqual([
    ['Why so?', 'unchanged'],
    ['Say why.', 'gone'],
  ]);
  expect((await review('--list')).stdout).toContain('its lines are gone');
  const why = await glassbox(['why', `${path.join(root, 'a.ts')}:2`], '', env);
  // The run that went on kept no files: it could have been that.
  expect(why.stdout).toContain('unknown: before or during');
  expect(why.stdout).toContain('turn 1 · Edit');
});
