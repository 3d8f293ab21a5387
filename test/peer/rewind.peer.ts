/** Real agents and real files taken back: the files are what they were, and the next message goes on from that turn. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { claude } from './agent/claude.js';
import { codex } from './agent/codex.js';
import { atWork } from './command.js';
import { sequence } from './model/turn.js';
import { createStage } from './stage.js';

test.each([claude, codex])('J 2 $agent: files and conversation go back, and that is taken back', async (peer) => {
  await using stage = await createStage(peer, ({ file }) =>
    sequence(
      ...[peer.write(file('one.txt'), 'one\n'), { text: 'Answer one.' }],
      ...[peer.write(file('two.txt'), 'two\n'), { text: 'Answer two.' }],
      ...[{ text: 'Answer three.' }, { text: 'Answer four.' }],
    ),
  );
  const { sandbox, model } = stage;
  const { glassbox, session, status } = atWork(stage);
  const terms = ['--permission', 'accept-edits'];
  const begun = await glassbox('run', peer.agent, 'Ask one', ...terms);
  expect(begun, begun.stderr + begun.stdout).toMatchObject({ status: 0 });
  const { id } = await session();
  expect(await glassbox('resume', id, 'Ask two')).toMatchObject({ status: 0 });
  expect(status()).toBe('?? one.txt\n?? two.txt\n');

  const shown = await glassbox('rewind', `${id}@1`, '--dry-run');
  expect(shown.stdout).toContain('goes       two.txt');
  expect(shown.stdout).toContain('The conversation would go on after turn 1, without what came later.');
  const back = await glassbox('rewind', `${id}@1`, '--yes');
  expect(back.stdout).toContain('Took 1 file back.');
  expect(back.stdout).toContain('The next message goes on after turn 1, without what came later.');
  expect([readFileSync(sandbox.file('one.txt'), 'utf8'), existsSync(sandbox.file('two.txt'))]).toEqual([
    'one\n',
    false,
  ]);

  // Taken back, it would go on from its end; and back once more.
  expect((await glassbox('rewind', id, '--undo', '--yes')).stdout).toContain('Took 1 file back.');
  expect(status()).toBe('?? one.txt\n?? two.txt\n');
  expect(await glassbox('rewind', `${id}@1`, '--yes')).toMatchObject({ status: 0 });

  expect(await glassbox('resume', id, 'Ask three')).toMatchObject({ status: 0 });
  const heard = JSON.stringify(model.calls.at(-1));
  for (const said of ['Ask one', 'Answer one.', 'Ask three']) expect(heard).toContain(said);
  for (const later of ['Ask two', 'Answer two.', 'two.txt']) expect(heard).not.toContain(later);

  // It is the same session, and goes on from there.
  const now = await session();
  expect([now.id, now.runs.length]).toEqual([id, 3]);
  expect(await glassbox('resume', id, 'Ask four')).toMatchObject({ status: 0 });
  const last = JSON.stringify(model.calls.at(-1));
  for (const said of ['Ask one', 'Ask three', 'Answer three.', 'Ask four']) expect(last).toContain(said);
  expect(last).not.toContain('Ask two');
});
