/** `glassbox serve` follows what agents do on this machine, and where others could see it only what somebody names. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { openStore } from '../../src/store/index.js';
import { start } from './glassbox.js';

const NOT_FOLLOWED = 'is not followed, because others could see it';

test('alone it follows the home of the person', async () => {
  const home = homeWith(1);
  const { texts, stderr } = await serve(home, [], 1);
  expect(texts).toEqual(['words of 1']);
  expect(stderr).not.toContain(NOT_FOLLOWED);
});

test('where others could see it only what is named', async () => {
  const [home, other] = [homeWith(1), homeWith(2)];
  const { texts, stderr } = await serve(
    home,
    ['--host=0.0.0.0', '--behind-proxy', '--watch', join(other, '.codex/sessions')],
    1,
  );
  expect(texts).toEqual(['words of 2']);
  expect(stderr).not.toContain(NOT_FOLLOWED);
});

test.each([[['--host=0.0.0.0', '--behind-proxy']], [['--behind-proxy']], [['--allow-host=glassbox.test']]])(
  'with %j and nothing named nothing, and it says so',
  async (flags) => {
    const { texts, stderr } = await serve(homeWith(1), flags, 0);
    expect(texts).toEqual([]);
    expect(stderr).toContain(NOT_FOLLOWED);
  },
);

/** What was kept when so many sessions are there, and what was said. */
async function serve(home: string, flags: readonly string[], sessions: number) {
  const location = join(home, 'store.db');
  const store = await openStore(location);
  const changes = store.watch()[Symbol.asyncIterator]();
  const env = {
    HOME: home,
    CODEX_HOME: undefined,
    GLASSBOX_STORE: location,
    GLASSBOX_CONFIG: join(home, 'none.json'),
    GLASSBOX_STATE_DIR: join(home, 'state'),
  };
  const { child, printed, ended } = start(['serve', '--port=0', '--no-open', '--project', home, ...flags], env);
  await printed('#login=');
  const texts: string[] = [];
  for (;;) {
    const { items } = await store.list();
    texts.length = 0;
    for (const { runId } of items.flatMap(({ runs }) => runs))
      for await (const event of store.read(runId)) if (event.type === 'text-end') texts.push(event.text);
    if (texts.length >= sessions) break;
    await changes.next();
  }
  child.kill('SIGINT');
  const { stderr } = await ended;
  await store.close();
  return { texts, stderr };
}

function homeWith(number: number): string {
  const home = mkdtempSync(join(tmpdir(), 'glassbox-home-'));
  const id = `01a1e465-4f86-7172-94c6-00000000000${number}`;
  const file = join(home, `.codex/sessions/2026/11/17/rollout-2026-${id}.jsonl`);
  const line = (type: string, payload: object) =>
    `${JSON.stringify({ timestamp: new Date().toISOString(), type, payload })}\n`;
  mkdirSync(dirname(file), { recursive: true });
  const message = `words of ${number}`;
  writeFileSync(
    file,
    line('session_meta', { id, cwd: '/repo', source: 'exec' }) +
      line('event_msg', { type: 'task_started' }) +
      line('event_msg', { type: 'agent_message', message }),
  );
  return home;
}
