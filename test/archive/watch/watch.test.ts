/** What agents write to disk is seen while they write it, whatever happens to the files: nothing twice, nothing lost, nothing that is not theirs. */
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { AGENTS } from '../../../src/agent/index.js';
import {
  findConversations,
  importConversations,
  type Unreadable,
  type Watching,
  type WatchOptions,
  watchTranscripts,
} from '../../../src/archive/index.js';
import type { AgentEvent } from '../../../src/event/index.js';
import { openForeign } from '../../../src/store/foreign.js';
import { openStore, type Store } from '../../../src/store/index.js';

const id = (number: number) => `01a1e465-4f86-7172-94c6-${String(number).padStart(12, '0')}`;
const codex = AGENTS.filter(({ name }) => name === 'codex');

test('a session that begins and grows is there line by line, also in halves', async () => {
  const { home, texts } = await watched();
  const file = begin(home, 1);
  say(file, 'one');
  await texts(['one']);
  const line = said('two');
  appendFileSync(file, line.slice(0, 40));
  say(begin(home, 2), 'other');
  await texts(['one', 'other']);
  appendFileSync(file, line.slice(40));
  await texts(['one', 'other', 'two']);
});

test('more sessions at a time than are kept in memory are all seen, and what comes then too', async () => {
  const home = mkdtempSync(join(tmpdir(), 'glassbox-home-'));
  const numbers = Array.from({ length: 80 }, (_, index) => index + 1);
  const answer = (number: number) => {
    const file = begin(home, number);
    say(file, `text ${number}`);
    appendFileSync(file, line('event_msg', { type: 'task_complete' }));
  };
  for (const number of numbers) answer(number);
  const { texts } = await watched({}, home);
  await texts(numbers.map((number) => `text ${number}`).sort());
  answer(81);
  await texts([...numbers, 81].map((number) => `text ${number}`).sort());
}, 60_000);

test('a folder that is not there yet, is taken away and comes back', async () => {
  const { home, texts } = await watched();
  say(begin(home, 1), 'one');
  await texts(['one']);
  rmSync(join(home, '.codex'), { recursive: true });
  say(begin(home, 2), 'two');
  await texts(['one', 'two']);
  say(begin(home, 3), 'three');
  await texts(['one', 'three', 'two']);
});

test('a file that is written anew tells what it says now, once', async () => {
  const { home, texts } = await watched();
  const file = begin(home, 1);
  say(file, 'one');
  say(file, 'two');
  await texts(['one', 'two']);
  // In the same file, shorter; then in another file under its name, longer.
  const first = readFileSync(file, 'utf8').split('\n').slice(0, 2).join('\n');
  // Whoever looks in between finds it empty.
  truncateSync(file, 0);
  say(begin(home, 2), 'other');
  await texts(['one', 'other', 'two']);
  writeFileSync(file, `${first}\n${said('one')}`);
  await texts(['one', 'other']);
  writeFileSync(`${file}.new`, `${first}\n${said('one')}${said('three')}${said('four')}`);
  renameSync(`${file}.new`, file);
  await texts(['four', 'one', 'other', 'three']);
  say(file, 'five');
  await texts(['five', 'four', 'one', 'other', 'three']);
});

test('what was in a file that was moved away or emptied stays, and what comes in its place is added', async () => {
  const { home, texts, watching } = await watched();
  const file = begin(home, 1);
  say(file, 'one');
  await texts(['one']);
  renameSync(file, `${file}.1`);
  writeFileSync(file, said('two'));
  await texts(['one', 'two']);
  truncateSync(file, 0);
  say(file, 'three');
  await texts(['one', 'three', 'two']);
  truncateSync(file, 0);
  await watching.catchUp();
  say(file, 'four');
  await texts(['four', 'one', 'three', 'two']);
});

test('what was taken away and is put back as it was is there once', async () => {
  const { home, texts, watching } = await watched();
  const file = begin(home, 1);
  say(file, 'one');
  await texts(['one']);
  renameSync(dirname(file), join(home, 'away'));
  await watching.catchUp();
  renameSync(join(home, 'away'), dirname(file));
  say(file, 'two');
  await texts(['one', 'two']);
  await watching.catchUp();
  await texts(['one', 'two']);
});

test('what cannot be read is told once, however often it is tried', async () => {
  const told: Unreadable[] = [];
  const opencode = AGENTS.filter(({ name }) => name === 'opencode');
  const { home, watching } = await watched({ agents: opencode, onTrouble: (trouble) => told.push(trouble) });
  const file = put(join(home, '.local/share/opencode/opencode.db'), 'no database');
  await watching.catchUp();
  appendFileSync(file, ', and longer');
  await watching.catchUp();
  expect(told.map(({ path }) => path)).toEqual([file]);
});

test('links and files of other names are not read', async () => {
  const { home, store, texts } = await watched();
  const elsewhere = mkdtempSync(join(tmpdir(), 'glassbox-elsewhere-'));
  const secret = pathOf(elsewhere, 7);
  put(secret, head(7) + said('secret'));
  const folder = dirname(begin(home, 1));
  symlinkSync(secret, join(folder, `rollout-x-${id(7)}.jsonl`));
  symlinkSync(elsewhere, join(home, '.codex/sessions/linked'));
  put(join(folder, 'notes.jsonl'), head(8) + said('notes'));
  say(pathOf(home, 1), 'mine');
  await texts(['mine']);
  expect((await store.list()).items).toHaveLength(1);
});

test('a home whose folder leads out of it is not followed, and that is told', async () => {
  const home = mkdtempSync(join(tmpdir(), 'glassbox-home-'));
  const elsewhere = mkdtempSync(join(tmpdir(), 'glassbox-elsewhere-'));
  say(begin(elsewhere, 1), 'secret');
  symlinkSync(join(elsewhere, '.codex'), join(home, '.codex'));
  const told: string[] = [];
  const { store, watching } = await watched({ onTrouble: ({ message }) => told.push(message) }, home);
  await watching.ready;
  expect(told).toContain('It is a link that leads out of the home directory.');
  expect((await store.list()).items).toEqual([]);
});

test('what is to be ignored is not kept: by the file, by the project', async () => {
  const { home, store, texts } = await watched({ isIgnored: (path) => path === '/secret' || path.includes(id(2)) });
  say(begin(home, 1, '/secret'), 'project');
  say(begin(home, 2), 'file');
  say(begin(home, 3), 'seen');
  await texts(['seen']);
  expect((await store.list()).items).toHaveLength(1);
});

test('what changed long ago is left to the import, and seen when it goes on', async () => {
  const home = mkdtempSync(join(tmpdir(), 'glassbox-home-'));
  const file = begin(home, 1);
  say(file, 'one');
  const { store, texts, watching } = await watched({ pace: { recentMs: -60_000 } }, home);
  await watching.ready;
  expect((await store.list()).items).toEqual([]);
  say(file, 'two');
  await texts(['one', 'two']);
});

test('a run of glassbox is not doubled by its transcript, and what its agent goes on with alone is added', async () => {
  const { home, store, texts } = await watched({ pace: { settleMs: 20 } });
  const at = Date.now();
  const event = (seq: number, rest: object) => ({
    seq,
    at,
    runId: 'own',
    agent: 'codex',
    sessionId: id(1),
    turn: 1,
    ...rest,
  });
  await store.startRun({ runId: 'own', agent: 'codex', startedAt: at - 1000 });
  await store.append([event(1, { type: 'turn-start' })] as AgentEvent[]);
  const file = begin(home, 1);
  say(file, 'one');
  appendFileSync(file, line('event_msg', { type: 'task_complete' }));
  await store.append([
    event(2, { type: 'text-end', messageId: 'm', block: 0, text: 'one' }),
    event(3, { type: 'turn-end', outcome: 'success' }),
  ] as AgentEvent[]);
  await store.endRun('own');
  say(begin(home, 2), 'other');
  await texts(['one', 'other']);
  const later = new Date(at + 60_000);
  appendFileSync(file, line('event_msg', { type: 'task_started' }, later) + said('two', later));
  await texts(['one', 'other', 'two']);
  expect((await store.list()).items).toHaveLength(2);
});

test.each([false, true])(
  'a run that says which conversation it is while that is read is not doubled, ended %s',
  async (isOver) => {
    const inner = await openStore(':memory:');
    const place = { at: Date.now(), runId: 'own', agent: 'codex', turn: 1 };
    await inner.startRun({ runId: 'own', agent: 'codex', startedAt: place.at - 1000 });
    await inner.append([{ ...place, seq: 1, type: 'turn-start' }] as AgentEvent[]);
    const told: string[] = [];
    let isNamed = false;
    const store: Store = {
      ...inner,
      append(events) {
        told.push(...events.map(({ runId }) => runId));
        return inner.append(events);
      },
      async list(query) {
        if (!isNamed)
          await inner.append([
            { ...place, seq: 2, type: 'turn-end', outcome: 'success', sessionId: id(1) },
          ] as AgentEvent[]);
        if (!isNamed && isOver) await inner.endRun('own');
        isNamed = true;
        return inner.list(query);
      },
    };
    const { home, watching } = await watched({}, undefined, store);
    say(begin(home, 1), 'one');
    await watching.catchUp();
    expect([isNamed, told]).toEqual([true, []]);
  },
);

test('two who watch share the work, and what one left the import finds done', async () => {
  const first = await watched();
  const { home, store, texts } = first;
  const second = await watched({}, home, store);
  const file = begin(home, 1);
  for (const word of ['one', 'two', 'three']) say(file, word);
  await texts(['one', 'three', 'two']);
  await first.stop();
  await second.stop();
  const conversations = await findConversations(codex[0] as never, join(home, '.codex/sessions'));
  expect(await importConversations({ store, conversations })).toMatchObject({ imported: 0, unchanged: 1 });
});

test('what others know of a conversation comes into its run', async () => {
  const { home, store, texts, watching } = await watched();
  say(begin(home, 1), 'one');
  await texts(['one']);
  const events = await watching.emit('codex', id(1), [
    { type: 'warning', code: 'other', message: 'seen', turn: 1 } as never,
  ]);
  expect(events).toMatchObject([{ type: 'warning', runId: `codex-transcript-${id(1)}` }]);
  expect(await watching.emit('codex', id(9), [])).toEqual([]);
  expect((await store.session(id(1)))?.runs[0]?.lastSeq).toBe(events[0]?.seq);
});

test('what others told of it stays at its place when it is read anew, by whoever', async () => {
  const first = await watched();
  const { home, store } = first;
  const file = begin(home, 1);
  say(file, 'one');
  await first.texts(['one']);
  const [asked] = (await first.watching.emit('codex', id(1), QUESTION as never)).slice(-1);
  // Later, also by a clock that counts in milliseconds.
  say(file, 'two', new Date((asked?.at ?? 0) + 1));
  await first.texts(['one', 'two']);
  await first.stop();
  say(file, 'three');
  const second = await watched({}, home, store);
  await second.texts(['one', 'three', 'two']);
  expect(await outlineOf(store)).toEqual(['one', 'approval-request', 'approval-resolve', 'two', 'three']);
  // In the same file, shorter.
  writeFileSync(file, `${readFileSync(file, 'utf8').split('\n').slice(0, 3).join('\n')}\n`);
  await second.texts(['one']);
  expect(await outlineOf(store)).toEqual(['one', 'approval-request', 'approval-resolve']);
  await second.stop();
  say(file, 'four');
  const conversations = await findConversations(codex[0] as never, join(home, '.codex/sessions'));
  await importConversations({ store, conversations });
  expect(await outlineOf(store)).toEqual(['one', 'approval-request', 'approval-resolve', 'four']);
});

test('a question of a glassbox that is gone waits for nobody any more when the conversation is read anew', async () => {
  const first = await watched();
  const { home, store } = first;
  await first.stop();
  const file = begin(home, 1);
  say(file, 'one');
  const bring = async () =>
    importConversations({
      store,
      conversations: await findConversations(codex[0] as never, join(home, '.codex/sessions')),
    });
  await bring();
  const runId = `codex-transcript-${id(1)}`;
  const [run] = (await store.session(id(1)))?.runs ?? [];
  const stamp = { seq: (run?.lastSeq ?? 0) + 1, at: Date.now(), runId, agent: 'codex', sessionId: id(1) };
  await store.append([{ ...QUESTION[0], ...stamp } as never]);
  expect(await store.approvals()).toHaveLength(1);
  say(file, 'two', new Date(stamp.at + 1));
  const second = await watched({}, home, store);
  await second.texts(['one', 'two']);
  expect(await outlineOf(store)).toEqual(['one', 'approval-request', 'approval-withdraw', 'two']);
  expect(await store.approvals()).toEqual([]);
  await second.stop();
  say(file, 'three', new Date(stamp.at + 2));
  await bring();
  expect(await outlineOf(store)).toEqual(['one', 'approval-request', 'approval-withdraw', 'two', 'three']);
});

const QUESTION = [
  { type: 'approval-request', id: 'q', kind: 'command', title: 'ls', input: {}, options: [], turn: 1, source: 'hook' },
  { type: 'approval-resolve', id: 'q', decision: 'allow', by: 'user', turn: 1, source: 'hook' },
];

async function outlineOf(store: Store): Promise<string[]> {
  const told: string[] = [];
  for await (const event of store.read(`codex-transcript-${id(1)}`)) {
    if (event.type === 'text-end') told.push(event.text);
    else if (event.type.startsWith('approval-')) told.push(event.type);
  }
  return told;
}

interface Watched {
  home: string;
  store: Store;
  watching: Watching;
  /** Waits until exactly these texts are kept, in this order of letters. */
  texts(wanted: readonly string[]): Promise<void>;
  stop(): Promise<void>;
}

async function watched(options: Partial<WatchOptions> = {}, at?: string, kept?: Store): Promise<Watched> {
  const home = at ?? mkdtempSync(join(tmpdir(), 'glassbox-home-'));
  const store = kept ?? (await openStore(join(mkdtempSync(join(tmpdir(), 'glassbox-store-')), 'store.db')));
  const stop = new AbortController();
  const changes = store.watch();
  const watching = watchTranscripts({
    agents: codex,
    env: {},
    home,
    store,
    openDatabase: openForeign,
    signal: stop.signal,
    ...options,
  });
  const end = async () => {
    stop.abort();
    await watching.done;
  };
  onTestFinished(async () => {
    await end();
    await store.close();
  });
  await watching.ready;
  return {
    home,
    store,
    watching,
    stop: end,
    async texts(wanted) {
      for (;;) {
        const now = await textsIn(store);
        if (JSON.stringify(now) === JSON.stringify(wanted)) return;
        await changes[Symbol.asyncIterator]().next();
      }
    },
  };
}

async function textsIn(store: Store): Promise<string[]> {
  const found: string[] = [];
  for (const { runs } of (await store.list({ limit: 100 })).items) {
    for (const { runId } of runs)
      for await (const event of store.read(runId)) if (event.type === 'text-end') found.push(event.text);
  }
  return found.sort();
}

const pathOf = (home: string, number: number) =>
  join(home, `.codex/sessions/2026/11/17/rollout-2026-${id(number)}.jsonl`);

const line = (type: string, payload: object, at = new Date()) =>
  `${JSON.stringify({ timestamp: at.toISOString(), type, payload })}\n`;

const head = (number: number, cwd = '/repo') =>
  line('session_meta', { id: id(number), cwd, source: 'exec' }) + line('event_msg', { type: 'task_started' });

const said = (message: string, at?: Date) => line('event_msg', { type: 'agent_message', message }, at);

function begin(home: string, number: number, cwd?: string): string {
  return put(pathOf(home, number), head(number, cwd));
}

function say(file: string, message: string, at?: Date): void {
  appendFileSync(file, said(message, at));
}

function put(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}
