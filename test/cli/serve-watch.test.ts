/** `glassbox serve` and `watch --all` follow what agents do on this machine, and where others could see it only what somebody names. */
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { openStore } from '../../src/store/index.js';
import { freshLocation } from '../support/postgres.js';
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

test('with a store that others share nothing, unless it is named, and it says so', async () => {
  const home = homeWith(1);
  const { texts, stderr } = await serve(home, [], 0, await freshLocation());
  expect(texts).toEqual([]);
  expect(stderr).toContain(NOT_FOLLOWED);
  const named = await serve(home, ['--watch', join(home, '.codex/sessions')], 1, await freshLocation());
  expect(named.texts).toEqual(['words of 1']);
  expect(named.stderr).not.toContain(NOT_FOLLOWED);
});

test('watch --all with a store that others share follows nothing either, and says so', async () => {
  const location = await freshLocation();
  const { child, ended } = start(['watch', '--all', '--json'], environment(homeWith(1), location));
  await once(child.stderr, 'data');
  child.kill('SIGINT');
  expect((await ended).stderr).toContain(NOT_FOLLOWED);
  const store = await openStore(location);
  expect((await store.list()).items).toEqual([]);
  await store.close();
});

test.each([
  ['an agent', { agents: { codex: false } }],
  ['a project', { ignore: ['/elsewhere/**'] }],
  ['files of an agent', { ignore: ['~/.codex/sessions/**'] }],
])('what the person says is not to be seen is not: %s', async (_, watch) => {
  const home = homeWith(1, '/elsewhere/deep');
  addClaude(home, 'words of 2');
  writeFileSync(join(home, 'own.json'), JSON.stringify({ watch }));
  expect((await serve(home, [], 1)).texts).toEqual(['words of 2']);
});

/** What was kept when so many sessions are there, and what was said. */
async function serve(home: string, flags: readonly string[], sessions: number, location = join(home, 'store.db')) {
  const store = await openStore(location);
  const changes = store.watch()[Symbol.asyncIterator]();
  const args = ['serve', '--port=0', '--no-open', '--project', home, ...flags];
  const { child, printed, ended } = start(args, environment(home, location));
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

function addClaude(home: string, text: string): void {
  const sessionId = '01a1e465-4f86-4172-94c6-000000000009';
  const facts = { sessionId, cwd: '/repo', isSidechain: false, timestamp: new Date().toISOString() };
  const asked = { ...facts, type: 'user', uuid: 'u1', message: { role: 'user', content: 'go' } };
  const message = { id: 'm1', type: 'message', role: 'assistant', model: 'm', content: [{ type: 'text', text }] };
  const file = join(home, `.claude/projects/-repo/${sessionId}.jsonl`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(
    file,
    `${[asked, { ...facts, type: 'assistant', uuid: 'u2', message }].map((one) => JSON.stringify(one)).join('\n')}\n`,
  );
}

function environment(home: string, location: string) {
  return {
    HOME: home,
    CODEX_HOME: undefined,
    CLAUDE_CONFIG_DIR: undefined,
    GLASSBOX_STORE: location,
    GLASSBOX_CONFIG: join(home, 'own.json'),
    GLASSBOX_STATE_DIR: join(home, 'state'),
  };
}

function homeWith(number: number, cwd = '/repo'): string {
  const home = mkdtempSync(join(tmpdir(), 'glassbox-home-'));
  const id = `01a1e465-4f86-7172-94c6-00000000000${number}`;
  const file = join(home, `.codex/sessions/2026/11/17/rollout-2026-${id}.jsonl`);
  const line = (type: string, payload: object) =>
    `${JSON.stringify({ timestamp: new Date().toISOString(), type, payload })}\n`;
  mkdirSync(dirname(file), { recursive: true });
  const message = `words of ${number}`;
  writeFileSync(
    file,
    line('session_meta', { id, cwd, source: 'exec' }) +
      line('event_msg', { type: 'task_started' }) +
      line('event_msg', { type: 'agent_message', message }),
  );
  return home;
}
