/** What lies in the folders of other programs is not trusted: what is no regular file of this user is not read, and no id becomes an option. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { AGENTS, type Agent } from '../../src/agent/index.js';
import { type ForeignDatabase, findConversations, type Unreadable } from '../../src/archive/index.js';
import { readConversation } from '../../src/archive/read.js';
import { createCatalog } from '../../src/archive/watch/catalog.js';
import { openForeign } from '../../src/store/foreign.js';
import { loadDriver } from '../../src/store/sqlite/driver.js';

const id = '01a1e465-4f86-7172-94c6-69197926036f';
const rollout = `2026/11/16/rollout-2026-11-16T12-46-47-${id}.jsonl`;
const line = (type: string, payload: object) =>
  `${JSON.stringify({ timestamp: '2026-11-16T12:00:00Z', type, payload })}\n`;
const meta = line('session_meta', { id, cwd: '/repo', source: 'exec' });
const said = (message: string) => line('event_msg', { type: 'agent_message', message });

describe('files', () => {
  test('a link, a pipe and a folder with the right name are not read', async () => {
    const folder = temporary();
    const elsewhere = join(temporary(), 'secret.jsonl');
    writeFileSync(elsewhere, meta);
    mkdirSync(join(folder, '2026'), { recursive: true });
    symlinkSync(elsewhere, join(folder, `2026/rollout-x-${id}.jsonl`));
    symlinkSync(dirname(elsewhere), join(folder, 'linked'));
    mkdirSync(join(folder, `rollout-y-${id}.jsonl`));
    execFileSync('mkfifo', [join(folder, `rollout-z-${id}.jsonl`)]);
    expect(await findConversations(agent('codex'), folder)).toEqual([]);
  });

  test('a folder that cannot be read is told, and one that is not there is not', async () => {
    const told: string[] = [];
    const look = (place: string) =>
      findConversations(agent('codex'), place, undefined, ({ message }) => told.push(message));
    expect([await look(join(temporary(), 'nowhere')), told]).toEqual([[], []]);
    const folder = temporary();
    put(folder, rollout, meta + said('mine'));
    expect([await look(join(folder, rollout)), told]).toEqual([[], ['The folder cannot be read (ENOTDIR).']]);
  });

  test('a file that has become a link since it was found is not read', async () => {
    const folder = temporary();
    put(folder, rollout, meta + said('mine'));
    const [found] = await findConversations(agent('codex'), folder);
    const other = temporary();
    put(other, rollout, meta + said('not mine'));
    execFileSync('ln', ['-sf', join(other, rollout), join(folder, rollout)]);
    if (!found) throw new Error('It was not found.');
    await expect(readConversation(found)).rejects.toThrow();
  });

  test('a file that has become a pipe or a folder since it was found is not read, and nobody waits for it', async () => {
    for (const make of ['mkfifo', 'mkdir']) {
      const folder = temporary();
      put(folder, rollout, meta + said('mine'));
      const [found] = await findConversations(agent('codex'), folder);
      if (!found) throw new Error('It was not found.');
      rmSync(join(folder, rollout));
      execFileSync(make, [join(folder, rollout)]);
      await expect(readConversation(found), make).rejects.toThrow('It is not a regular file.');
    }
  });

  test('a file of another user is not read, neither when it is looked for nor when it has become one', async () => {
    const folder = temporary();
    put(folder, rollout, meta + said('not mine'));
    const [found] = await findConversations(agent('codex'), folder);
    if (!found) throw new Error('It was not found.');
    using _ = vi.spyOn(process, 'getuid').mockReturnValue(4711);
    await expect(readConversation(found)).rejects.toThrow('It belongs to another user.');
    expect(await findConversations(agent('codex'), folder)).toEqual([]);
  });

  test('a broken line is told, and its neighbours are unharmed; a line that is being written is none', async () => {
    const folder = temporary();
    put(
      folder,
      rollout,
      `${meta}${said('one')}{"type":"event_msg","pay\n\u0000\u0000\n${said('two')}{"timestamp":"2026`,
    );
    const [found] = await findConversations(agent('codex'), folder);
    if (!found) throw new Error('It was not found.');
    const { events } = await readConversation(found);
    const told = events.flatMap((event): unknown[] =>
      event.type === 'text-end' ? [event.text] : event.type === 'decode-error' ? [event.line] : [],
    );
    expect(told).toEqual(['one', 3, 4, 'two']);
  });

  test('an id that could be an option or a path is none', async () => {
    const folder = temporary();
    for (const name of ['-rf', '../x', 'a b', 'x'.repeat(300)]) {
      put(folder, `p/chats/session-2026-11-16-${name.length}.jsonl`, `${JSON.stringify({ sessionId: name })}\n`);
    }
    put(folder, 'p/chats/session-2026-11-16-9.jsonl', `${JSON.stringify({ sessionId: 'good-1' })}\n`);
    const found = await findConversations(agent('gemini'), folder);
    expect(found.map(({ sessionId }) => sessionId)).toEqual(['good-1']);
    const catalog = createCatalog(undefined);
    const heard = readdirSync(join(folder, 'p/chats')).map((name) =>
      catalog.identify(agent('gemini'), folder, join(folder, 'p/chats', name)),
    );
    expect((await Promise.all(heard)).filter((id) => id !== undefined)).toEqual(['good-1']);
  });

  test('… nor is one that a database tells of', async () => {
    const row = { id: '', state: 'x', bytes: 1, changedAt: 1 };
    const catalog = createCatalog(async () => ({ rows: () => [row], close: () => {} }));
    const found = ['-rf', 'good-1'].map((id) => {
      catalog.note(agent('opencode'), id, 'opencode.db');
      return catalog.find(agent('opencode'), id);
    });
    expect((await Promise.all(found)).map((one) => one?.sessionId)).toEqual([undefined, 'good-1']);
  });

  test('what its lines call a conversation is not believed: neither an option nor the name of another one', async () => {
    const folder = temporary();
    const id = '0b3e0000-0000-4000-8000-000000000001';
    for (const called of ['--dangerously-skip-permissions', 'k7qd', '0b3e0000-0000-4000-8000-000000000002']) {
      const line = { sessionId: called, cwd: '/repo', version: '2.1.325', timestamp: '2026-11-16T10:00:00.000Z' };
      const message = { role: 'user', content: 'hello' };
      put(folder, `p/${id}.jsonl`, `${JSON.stringify({ ...line, type: 'user', uuid: 'u', message })}\n`);
      const [found] = await findConversations(agent('claude'), folder);
      if (!found) throw new Error('It was not found.');
      const { events } = await readConversation(found);
      expect(new Set(events.map(({ sessionId }) => sessionId))).toEqual(new Set([id]));
    }
  });

  test('no reader is harmed by any value', () => {
    const values = [
      null,
      1,
      'x',
      [],
      {},
      { type: 'message' },
      { type: 'event_msg', payload: 7 },
      { message: { content: [null, 3] } },
    ];
    const parts = [undefined, 'settings', 'session', 'state', 'part'];
    for (const { transcripts } of AGENTS) {
      const reader = transcripts?.createReader();
      for (const value of values) for (const part of parts) reader?.receive(value, part);
      reader?.end();
    }
  });
});

describe('databases', () => {
  const recorded = 'test/archive/recordings/homes/opencode/fail-after-work-401/home/.local/share/opencode/opencode.db';

  test('what is only in the write-ahead log is read too, and nothing is left beside it', async () => {
    const folder = temporary();
    const path = join(folder, 'opencode.db');
    cpSync(recorded, path);
    const { DatabaseSync } = await loadDriver();
    const writer = new DatabaseSync(path);
    writer.exec("pragma journal_mode = wal; pragma wal_autocheckpoint = 0; update session set title = 'told last'");
    expect(titles(await openForeign(path))).toContain('told last');
    const copy = temporary();
    for (const name of ['opencode.db', 'opencode.db-wal']) cpSync(join(folder, name), join(copy, name));
    writer.close();
    expect(titles(await openForeign(join(copy, 'opencode.db')))).toContain('told last');
    expect(readdirSync(copy).sort()).toEqual(['opencode.db', 'opencode.db-wal']);
  });

  test('it cannot be written', async () => {
    const path = join(temporary(), 'opencode.db');
    cpSync(recorded, path);
    const database = await openForeign(path);
    expect(() => database.rows('delete from session')).toThrow();
    database.close();
  });

  test('one that is none or has other tables is told, and one behind a link is not looked at', async () => {
    const told: Unreadable[] = [];
    const look = (place: string) =>
      findConversations(agent('opencode'), place, openForeign, (database) => told.push(database));
    const folder = temporary();
    writeFileSync(join(folder, 'opencode.db'), 'not a database at all');
    expect(await look(folder)).toEqual([]);
    expect(told).toEqual([{ path: join(folder, 'opencode.db'), message: expect.stringMatching(/database/) }]);
    const linked = temporary();
    symlinkSync(join(process.cwd(), recorded), join(linked, 'opencode.db'));
    expect(await look(linked)).toEqual([]);
    const other = temporary();
    const { DatabaseSync } = await loadDriver();
    const database = new DatabaseSync(join(other, 'opencode.db'));
    database.exec('create table session (name text)');
    database.close();
    expect(await look(other)).toEqual([]);
    expect(told.slice(1)).toEqual([
      { path: join(other, 'opencode.db'), message: expect.stringMatching(/no such table/) },
    ]);
  });

  function titles(database: ForeignDatabase): unknown[] {
    const rows = database.rows('select title from session');
    database.close();
    return rows.map(({ title }) => title);
  }
});

function agent(name: string): Agent {
  const found = AGENTS.find((one) => one.name === name);
  if (!found) throw new Error(`There is no agent ${name}.`);
  return found;
}

function put(folder: string, name: string, text: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}

function temporary(): string {
  return mkdtempSync(join(tmpdir(), 'glassbox-foreign-'));
}
