/** What takes something away asks the person at the terminal first. */
import { expect, test } from 'vitest';
import { answer, init, text } from '../fake-agent/lines.js';
import { fakeRun, newStore, openTerminal, reached } from './fake-run.js';
import { glassbox } from './glassbox.js';

test('only a typed yes deletes; Ctrl-C and Enter leave everything', async () => {
  const env = { GLASSBOX_STORE: newStore() };
  await fakeRun(['run', 'claude', 'Paint the door'], answer('Done.'), { env });
  const ask = () => openTerminal(['delete', 'latest'], [], { env, isAlone: true });
  const kept = async () => (await glassbox(['sessions', '--json'], '', env)).stdout.trim().split('\n').filter(Boolean);

  for (const [keys, said, status] of [
    ['\r', 'Nothing was deleted.', 0],
    ['\u0003', '', 130],
  ] as const) {
    const screen = ask();
    await screen.shows('Delete it for good? [y/N]');
    expect(screen.text()).toContain('Paint the door');
    screen.type(keys);
    expect(await screen.ended).toBe(status);
    expect(screen.text()).toContain(said);
    expect(await kept()).toHaveLength(1);
  }

  const screen = ask();
  await screen.shows('Delete it for good? [y/N]');
  screen.type('yes\r');
  await screen.shows('Deleted 1 session.');
  expect(await screen.ended).toBe(0);
  expect(await kept()).toHaveLength(0);
});

test('a session whose run lives is not deleted, and it is said how to end it', async () => {
  const env = { GLASSBOX_STORE: newStore() };
  const screen = openTerminal(['run', 'claude', 'Wait', '--format=lines'], [init(), text('Here.'), { hear: 'never' }], {
    env,
  });
  await screen.shows('Here.');
  await reached('Wait', 'running', env);
  const { status, stderr } = await glassbox(['delete', 'latest', '--yes'], '', env);
  expect(status).toBe(3);
  expect(stderr).toMatch(/^glassbox: (\w+) is still running; nothing was deleted\. End it first: glassbox stop \1\n$/);
  screen.signal('SIGTERM');
  expect(await screen.ended).toBe(143);
});
