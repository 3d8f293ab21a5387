/** The history of three generations of Claude Code, as it lay on disk, in a real store. */
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { claude } from '../../src/agent/claude/index.js';
import { findConversations, importConversations, transcriptFolders } from '../../src/archive/index.js';
import { createDecoder } from '../../src/decode/index.js';
import type { AgentEvent, EventOf, EventType } from '../../src/event/index.js';
import { initialState, reduce, values } from '../../src/session/index.js';
import { openStore, type Store } from '../../src/store/index.js';

const recorded = fileURLToPath(new URL('recordings/projects', import.meta.url));
const ids = {
  v1: 'f2b2be6e-505b-49a1-81ba-2def5a56eee4',
  v20: 'dba48025-7526-4c4c-a7a5-fee1bc8b68e4',
  hooks: 'e490f00f-a480-4cc8-adfe-19457768cdd1',
  nested: '5929ada7-a9d3-40a5-8424-858ef0e02f31',
  resumed: 'aaaaaaaa-bbbb-4ccc-8ddd-000000000001',
  forked: '34a29a94-20af-46da-b73d-2a780f47fc8f',
};

let folder: string;
let store: Store;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'glassbox-archive-'));
  cpSync(recorded, join(folder, 'projects'), { recursive: true });
  store = await openStore(join(folder, 'store.db'));
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

describe('importing', () => {
  test('every session is there, with its cost and where the figure comes from', async () => {
    expect(await bringAll()).toMatchObject({ imported: 6, unchanged: 0, skipped: 0, failed: [] });
    const costs = (await store.list()).items.map(({ agentSessionId = '', spent, turns, toolCalls }) => {
      return [agentSessionId, spent?.origin, Number(spent?.usd.toFixed(6)), turns, toolCalls];
    });
    expect(Object.fromEntries(costs.map(([id, ...facts]) => [id, facts]))).toEqual({
      // What the program itself noted when it ended.
      [ids.hooks]: ['reported', 0.0092, 1, 6],
      [ids.nested]: ['reported', 0.00826, 1, 3],
      [ids.resumed]: ['reported', 0.0074, 5, 1],
      // Its own share: what it was copied from is not paid twice, but only computed.
      [ids.forked]: ['computed', 0.00114, 1, 0],
      // These programs made requests that they did not write down.
      [ids.v1]: ['lower-bound', 0.00285, 1, 1],
      [ids.v20]: ['lower-bound', 0.008845, 1, 2],
    });
  });

  test('events have the times of then and say where they come from', async () => {
    await bringAll();
    const events = await eventsOf(ids.v1);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    expect(new Set(events.map(({ source }) => source))).toEqual(new Set(['transcript']));
    expect(new Date(events[0]?.at ?? 0).toISOString()).toBe('2026-11-16T00:32:15.387Z');
    expect(events[0]).toMatchObject({ type: 'session-start', cwd: '/repo', agentVersion: '1.0.128' });
  });

  test('sub-agents speak under their tool call, in all generations; requests of the program itself are left out', async () => {
    await bringAll();
    const spoken = async (id: string) =>
      (await ofType(id, 'text-end')).map(({ parent, text }) => [parent ?? 'main', text]);
    expect(await spoken(ids.v20)).toEqual([
      ['main', 'Delegating.'],
      ['toolu_stub0001_1', 'sub looks'],
      ['toolu_stub0001_1', 'sub report'],
      ['main', 'The subagent reported.'],
    ]);
    expect(await spoken(ids.nested)).toEqual([
      ['toolu_stub0002_0', 'sub INNER looks'],
      ['toolu_stub0002_0', 'sub INNER report'],
      ['toolu_stub0001_0', 'outer report'],
      ['main', 'All reported.'],
    ]);
  });

  test('a fork is linked to its origin and has only what is its own', async () => {
    await bringAll();
    const origin = await store.session(ids.resumed);
    expect(await store.session(ids.forked)).toMatchObject({ forkedFrom: origin?.id, title: 'fork' });
    expect((await ofType(ids.forked, 'user-message')).map(({ text }) => text)).toEqual(['fork']);
  });

  test('turns of a session that was resumed have their own prices', async () => {
    await bringAll();
    const turns = [...values((await eventsOf(ids.resumed)).reduce(reduce, initialState).turns.rows)];
    expect(turns.map(({ end, cost }) => [end?.text, Number(cost?.usd.toFixed(6))])).toEqual([
      ['I will remember banana.', 0.00246],
      ['banana', 0.00114],
      ['banana again', 0.00116],
      [undefined, 0.00148],
      ['still banana', 0.00116],
    ]);
    expect(await ofType(ids.resumed, 'compaction-end')).toMatchObject([{ trigger: 'manual', tokensBefore: 3128 }]);
  });

  test('it can be found, and its tools are counted', async () => {
    await bringAll();
    const { items } = await store.search({ text: 'banana' });
    expect(items[0]?.session.agentSessionId).toBe(ids.resumed);
    expect((await store.totals({ by: 'tool' })).map(({ key, calls }) => [key, calls])).toEqual(
      expect.arrayContaining([
        ['Bash', 7],
        ['Agent', 3],
        ['Task', 1],
        ['Read', 1],
        ['WebFetch', 1],
      ]),
    );
  });

  test('a second time nothing is read again', async () => {
    await bringAll();
    const before = (await store.list()).items;
    expect(await bringAll()).toEqual({ imported: 0, unchanged: 6, skipped: 0, events: 0, failed: [] });
    expect((await store.list()).items).toEqual(before);
  });

  test('a session that went on replaces what was there, under the same id', async () => {
    await bringAll();
    const before = await store.session(ids.v1);
    append(ids.v1, {
      type: 'user',
      timestamp: '2026-11-16T01:00:00Z',
      message: { role: 'user', content: 'and then?' },
    });
    expect(await bringAll()).toMatchObject({ imported: 1, unchanged: 5 });
    expect(await store.session(ids.v1)).toMatchObject({ id: before?.id, turns: 2 });
    expect((await ofType(ids.v1, 'user-message')).map(({ text }) => text)).toEqual(['go', 'and then?']);
  });

  test('what glassbox kept itself is left out, what happened before and after is not', async () => {
    const second = Date.parse('2026-11-16T00:14:07.5Z');
    await store.startRun({ runId: 'live', agent: 'claude', startedAt: second, resumes: ids.resumed });
    const context = { runId: 'live', agent: 'claude', source: 'stream', turn: 1, sessionId: ids.resumed } as const;
    await store.append([{ type: 'status', code: 'x', seq: 1, at: second + 1000, ...context }]);
    await store.endRun('live');
    await bringAll();
    const session = await store.session(ids.resumed);
    expect(session?.runs.map(({ runId }) => runId)).toEqual([`claude-transcript-${ids.resumed}`, 'live']);
    expect((await ofType(ids.resumed, 'user-message')).filter((one) => !one.synthetic).map(({ text }) => text)).toEqual(
      ['remember the word banana', 'word?'],
    );
  });

  test('a file with broken lines gives what can be read; one that cannot be read is named', async () => {
    const file = fileOf(ids.v1);
    const lines = readFileSync(file, 'utf8').split('\n');
    writeFileSync(file, [...lines.slice(0, 2), '{"type":"assist', 'null', '[]', '{}', ...lines.slice(2)].join('\n'));
    const conversations = await find();
    rmSync(fileOf(ids.v20));
    const result = await importConversations({ store, conversations });
    expect(result).toMatchObject({ imported: 5, failed: [{ path: fileOf(ids.v20) }] });
    expect((await ofType(ids.v1, 'text-end')).map(({ text }) => text)).toEqual(['Let me look.', 'Done.']);
  });

  test('it tells how far it is, and stops when it is told to', async () => {
    const conversations = await find();
    const stop = new AbortController();
    const seen: number[] = [];
    const onProgress = (progress: { conversations: number }) => {
      seen.push(progress.conversations);
      if (seen.length === 2) stop.abort();
    };
    await importConversations({ store, conversations, onProgress, signal: stop.signal });
    // One that another goes on from comes first, so a third may be under way when it is told.
    expect(seen).toEqual(seen.map((_, index) => index + 1));
    expect(seen.length).toBeLessThan(conversations.length);
  });
});

describe('what came through a pipe', () => {
  test('is not brought a second time, whenever it was read, and its figures stay as sure as they were', async () => {
    await pipe(readFileSync('test/recordings/claude/session-2-resume/stdout.jsonl', 'utf8'));
    const before = await store.session(ids.resumed);
    expect(before).toMatchObject({ turns: 1, spent: { usd: 0.00114, origin: 'reported' } });
    await bringAll();
    const after = await store.session(ids.resumed);
    const { turns, usage, spent } = await onlyImported();
    expect(after).toMatchObject({ id: before?.id, turns, usage, spent: { ...spent, usd: expect.closeTo(0.0074, 9) } });
    expect(spent?.usd).toBeCloseTo(0.0074, 9);
    expect(turns).toBe(5);
  });

  test('and where that is all of a conversation only its prompt is brought, which the stream did not have', async () => {
    await pipe(readFileSync('test/recordings/claude/subagent-nested/stdout.jsonl', 'utf8'));
    const { id, turns, usage, spent, outcome, toolCalls, runs } = (await store.session(ids.nested)) ?? {};
    await bringAll();
    const after = await store.session(ids.nested);
    expect(after).toMatchObject({ id, turns, usage, spent, outcome, toolCalls, title: expect.stringMatching(/\w/) });
    const brought = after?.runs.find(({ runId }) => !runs?.some((run) => run.runId === runId));
    const types: string[] = [];
    for await (const { type } of store.read(brought?.runId ?? '')) types.push(type);
    expect(types).toEqual(['user-message']);
    expect(after?.runs.at(-1)?.runId).toBe('piped');
    expect(await bringAll()).toMatchObject({ imported: 0, skipped: 0 });
  });

  test('with the prompt in it nothing is brought', async () => {
    const prompt = { type: 'user', message: { role: 'user', content: 'the words' }, session_id: ids.nested };
    const stdout = readFileSync('test/recordings/claude/subagent-nested/stdout.jsonl', 'utf8');
    const [first = '', ...rest] = stdout.split('\n');
    await pipe([first, JSON.stringify(prompt), ...rest].join('\n'));
    const before = await store.session(ids.nested);
    expect(await bringAll()).toMatchObject({ imported: 5, skipped: 1 });
    expect(await store.session(ids.nested)).toEqual(before);
  });

  async function pipe(stdout: string): Promise<void> {
    const decoder = createDecoder('claude', { runId: 'piped' });
    const events = [...decoder.push(stdout), ...decoder.end()];
    await store.startRun({ runId: 'piped', agent: 'claude', startedAt: events[0]?.at ?? 0, piped: true });
    await store.append(events);
    await store.endRun('piped', 'state');
  }

  async function onlyImported() {
    const other = await openStore(join(folder, 'other.db'));
    await importConversations({ store: other, conversations: await find() });
    const session = await other.session(ids.resumed);
    await other.close();
    if (!session) throw new Error('It was not imported.');
    return session;
  }
});

describe('looking for conversations', () => {
  test('where the agent keeps them, unless a variable or a person says otherwise', () => {
    const home = { env: {}, home: '/home/ann' };
    const moved = { env: { CLAUDE_CONFIG_DIR: '/data/claude' }, home: '/home/ann' };
    expect(transcriptFolders(claude, home)).toEqual([join('/home/ann', '.claude/projects')]);
    expect(transcriptFolders(claude, moved)[0]).toBe(join('/data/claude', 'projects'));
    expect(transcriptFolders(claude, moved, '/tmp/x')).toEqual(['/tmp/x']);
  });

  test('a folder that is not there has none', async () => {
    expect(await findConversations(claude, join(folder, 'nowhere'))).toEqual([]);
  });
});

function find() {
  return findConversations(claude, join(folder, 'projects'));
}

async function bringAll() {
  return importConversations({ store, conversations: await find() });
}

async function eventsOf(sessionId: string): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of store.read(`claude-transcript-${sessionId}`)) events.push(event);
  return events;
}

async function ofType<Type extends EventType>(sessionId: string, type: Type): Promise<EventOf<Type>[]> {
  return (await eventsOf(sessionId)).filter((event): event is EventOf<Type> => event.type === type);
}

function fileOf(sessionId: string): string {
  const folders: Record<string, string> = { [ids.v1]: '-v1-0-128-multi-block', [ids.v20]: '-v2-0-77-subagent' };
  return join(folder, 'projects', folders[sessionId] ?? '', `${sessionId}.jsonl`);
}

function append(sessionId: string, entry: object): void {
  appendFileSync(fileOf(sessionId), `${JSON.stringify({ sessionId, cwd: '/repo', version: '1.0.128', ...entry })}\n`);
}
