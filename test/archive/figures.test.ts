/** What is told of money before the words were read is what is told afterwards: amounts, tokens and how sure they are. */
import { appendFileSync, cpSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { claude } from '../../src/agent/claude/index.js';
import { AGENTS } from '../../src/agent/index.js';
import { readFigures } from '../../src/archive/figures.js';
import {
  findConversations,
  importConversations,
  importFigures,
  readMoments,
  transcriptFolders,
} from '../../src/archive/index.js';
import { openForeign } from '../../src/store/foreign.js';
import { openStore, type Store, TOTAL_KEYS } from '../../src/store/index.js';

const recorded = 'test/archive/recordings/projects';
const homes = ['test/archive/recordings/homes/claude', '../shared/homes/claude']
  .filter((root) => existsSync(root))
  .flatMap((root) => readdirSync(root).map((name) => join(root, name, 'home/.claude/projects')));

let store: Store;
let folder: string;
beforeEach(async () => {
  store = await openStore(':memory:');
  folder = mkdtempSync(join(tmpdir(), 'glassbox-figures-'));
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

describe('the quick figures are those of the whole', () => {
  test('of three generations, with sub-agents, a fork, a compaction and sums of the program', async () => {
    await expectSame(await findConversations(claude, recorded));
  });

  test('of every home', async () => {
    for (const home of homes) await expectSame(await findConversations(claude, home));
  });

  test('of a session that went on for long, began to count anew and has lines that are written otherwise', async () => {
    const id = 'aaaaaaaa-bbbb-4ccc-8ddd-000000000001';
    const file = join(folder, `${id}.jsonl`);
    cpSync(join(recorded, '-session-resume-compact', `${id}.jsonl`), file);
    const at = (minute: number) => new Date(Date.UTC(2026, 10, 16, 12, minute)).toISOString();
    const say = (entry: object) =>
      appendFileSync(file, `${JSON.stringify({ sessionId: id, cwd: '/repo', ...entry })}\n`);
    for (const [index, usd] of [0.02, undefined, 0.03, 0.001, 0.5, undefined].entries()) {
      say({ type: 'user', uuid: `p${index}`, timestamp: at(index * 7), message: { role: 'user', content: 'wörter' } });
      say({
        uuid: `a${index}`,
        timestamp: at(index * 7 + 1),
        type: 'assistant',
        message: {
          usage: { input_tokens: 1000 + index, output_tokens: 10, cache_read_input_tokens: 250_000 },
          id: `msg_${index}`,
          model: 'claude-sonnet-4-5',
          stop_reason: 'end_turn',
          content: [{ type: 'text', text: '"usage":{ "type":"assistant","uuid":"' }],
        },
        version: '2.1.20',
      });
      if (usd !== undefined) say({ type: 'cost-state', totalCostUSD: usd, hasUnknownModelCost: index === 4 });
    }
    appendFileSync(file, '{"type":"assistant","broken');
    await expectSame(await findConversations(claude, folder));
  });
});

test('a day is that of the last words, also of a turn that ends with a tool, and lines that are torn or written otherwise count once or not at all', async () => {
  const id = 'aaaaaaaa-bbbb-4ccc-8ddd-000000000002';
  const file = join(folder, `${id}.jsonl`);
  const link = { parentUuid: null, isSidechain: false };
  const tail = { cwd: '/repo', sessionId: id, version: '2.1.325', gitBranch: 'main' };
  const prompt = (uuid: string, timestamp: string, content: unknown = 'go') =>
    JSON.stringify({ ...link, type: 'user', message: { role: 'user', content }, uuid, timestamp, ...tail });
  const call = (uuid: string, timestamp: string, block: object, more: object = {}) => {
    const usage = {
      input_tokens: 7,
      cache_creation_input_tokens: 5,
      cache_read_input_tokens: 3,
      output_tokens: 1,
      ...more,
    };
    const said = { id: `msg_${uuid}`, type: 'message', role: 'assistant', model: 'claude-opus-5', content: [block] };
    const message = { ...said, stop_reason: 'end_turn', stop_sequence: null, usage };
    return JSON.stringify({ ...link, message, requestId: 'r', type: 'assistant', uuid, timestamp, ...tail });
  };
  const text = (words: string) => ({ type: 'text', text: words });
  const result = [{ tool_use_id: 't', type: 'tool_result', content: '"uuid":"x","timestamp":"2020' }];
  const torn = call('torn', '2026-11-14T11:00:00.000Z', text('half of it'));
  const lines = [
    prompt('p1', '2026-11-13T23:59:00.000Z'),
    call('a1', '2026-11-13T23:59:59.000Z', { type: 'tool_use', id: 't', name: 'Bash', input: { usage: { a: 1 } } }),
    prompt('u1', '2026-11-15T00:00:01.000Z', result),
    '{"type":"custom-title","customTitle":"named"}',
    prompt('p2', '2026-11-16T10:00:00.000Z', '\n <command-name>/clear</command-name>'),
    prompt('p3', '2026-11-16T10:00:00.000Z', 'grün "quoted" \\'),
    call('a2', '2026-11-16T10:01:00.000Z', text('"usage":{"output_tokens":9}'), { speed: 'fast', inference_geo: 'us' }),
    call('a2', '2026-11-16T10:01:00.000Z', text('told twice')),
    call('a3', '2026-11-16T10:02:00.000Z', text('ü'), {
      output_tokens: 1.5e3,
      cache_creation: { ephemeral_1h_input_tokens: 4 },
    }),
    torn.slice(0, torn.indexOf('half')) + call('a4', '2026-11-16T10:03:00.000Z', text('whole')),
    call('a5', '2026-11-16T10:04:00.000Z', text('searched'), { server_tool_use: { web_search_requests: 2 } }),
    JSON.stringify({
      type: 'system',
      subtype: 'informational',
      content: 'later',
      timestamp: '2026-11-17T09:00:00.000Z',
      ...tail,
    }),
  ];
  writeFileSync(file, `${lines.join('\n')}\n`);
  await expectSame(await findConversations(claude, folder));
});

test('a line that is nearly like the one before says what it says, not what that one said', async () => {
  const id = 'aaaaaaaa-bbbb-4ccc-8ddd-000000000003';
  const at = (second: number) => new Date(Date.UTC(2026, 10, 16, 12, 0, second)).toISOString();
  const end = { cwd: '/repo', sessionId: id, version: '2.1.325' };
  let count = 0;
  const call = () => {
    count += 1;
    const usage = {
      input_tokens: 100 + count,
      cache_creation_input_tokens: 5,
      cache_read_input_tokens: 3,
      output_tokens: count,
      cache_creation: { ephemeral_1h_input_tokens: 2 },
      speed: 'standard',
    };
    const said = { id: `msg_${count}`, type: 'message', role: 'assistant', model: 'claude-opus-5' };
    const message = { ...said, content: [{ type: 'text', text: 'so' }], stop_reason: 'end_turn', usage };
    const facts = { requestId: `req_${count}`, type: 'assistant', uuid: `a${count}`, timestamp: at(count) };
    return JSON.stringify({ parentUuid: `p${count}`, isSidechain: false, message, ...facts, ...end });
  };
  const prompt = () => {
    count += 1;
    const facts = {
      type: 'user',
      message: { role: 'user', content: 'go on' },
      uuid: `u${count}`,
      timestamp: at(count),
    };
    return JSON.stringify({ parentUuid: null, isSidechain: false, ...facts, ...end });
  };
  /** Behind two that are as they should be, so that what is like them is known. */
  const changed = (make: () => string, ...changes: [string | RegExp, string][]) =>
    changes.flatMap(([from, to]) => [make(), make(), make().replace(from, to)]);
  const lines = [
    prompt(),
    ...changed(
      call,
      [/"input_tokens":(\d+)/, '"input_tokens":"$1"'],
      [/"input_tokens":(\d+)/, '"input_tokens":-$1'],
      [/"input_tokens":(\d+)/, '"input_tokens":0$1'],
      [/"input_tokens":(\d+)/, '"input_tokens":$1.5'],
      [/"input_tokens":(\d+)/, '"input_tokens":2e3'],
      ['"speed":"standard"', '"speed":"fast"'],
      ['"speed":"standard"', '"speed":"f\\u0061st"'],
      ['"cache_creation":{', '"cache_creation":null,"other":{'],
      ['"model":"claude-opus-5"', '"model":"claude-opus-5\\u002d5"'],
      ['"model":"claude-opus-5"', '"model":"<synthetic>"'],
      [',"requestId"', ',"usage":{"input_tokens":1,"output_tokens":1},"requestId"'],
      ['},"requestId"', ',"usage":{"input_tokens":1,"output_tokens":1}},"requestId"'],
      [',"requestId"', ',"isSidechain":true,"requestId"'],
      ['"type":"assistant","uuid"', '"type":"assistent","uuid"'],
      ['"type":"assistant","uuid"', '"type":"assistant","type":"other","uuid"'],
      ['2026-11-16T12:', '2026-13-16T12:'],
      ['2026-11-16T12:', '2026-02-31T12:'],
      ['2026-11-16T12:', '2026-11-16T25:'],
      [/"uuid":"a\d+"/, '"uuid":"a1"'],
      [/\}$/, ''],
      [/\}$/, '}}'],
      ['"content":[', '"content":['.repeat(2)],
      ['"type":"text"', '"type":"tool_use"'],
      ['"role":"assistant"', '"role": "assistant"'],
    ),
    ...changed(
      prompt,
      ['"version"', '"isMeta":true,"version"'],
      ['"version"', '"isCompactSummary":true,"version"'],
      ['"content":"go on"', '"content":"<command-name>/x</command-name>"'],
      ['"content":"go on"', '"content":"[Request interrupted by user]"'],
      ['"content":"go on"', '"content":[{"type":"tool_result","tool_use_id":"t","content":"x"}]'],
      [',"uuid"', ',"isSidechain":true,"uuid"'],
      ['"isSidechain":false', '"isSidechain":true'],
    ).flatMap((line) => [line, call()]),
  ];
  writeFileSync(join(folder, `${id}.jsonl`), `${lines.join('\n')}\n`);
  await expectSame(await findConversations(claude, folder));
});

test('a conversation is told alike whatever was read before it, and names its first prompt, folder and version', async () => {
  const conversations = (
    await Promise.all([recorded, ...homes].map((place) => findConversations(claude, place)))
  ).flat();
  const told = () => conversations.map((conversation) => JSON.stringify(readFigures(conversation).events));
  const first = told();
  expect(told()).toEqual(first);
  for (const [index, conversation] of conversations.entries()) {
    const { moments } = await readMoments(conversation);
    const words = moments.find(({ draft }) => draft.type === 'user-message')?.draft;
    const quick = JSON.parse(first[index] ?? '[]').find(({ type }: { type: string }) => type === 'user-message');
    expect(quick?.text).toBe(words && 'text' in words ? words.text : undefined);
  }
});

test.each<[who: string, before: object, part?: string]>([
  ['a sub-agent whose file was read before', {}, 'agent-1'],
  ['a sub-agent in the same file', { isSidechain: true }],
  ['a command', { message: { role: 'user', content: 'so <command-name>/review</command-name>' } }],
  ['who began the conversation that this one is a copy of', { timestamp: '2026-11-16T11:00:00.000Z' }],
])('a session is named by its own first words, after those of %s', (_, other, part) => {
  const tail = { cwd: '/repo', sessionId: 's', version: '2.1.325' };
  let count = 0;
  const prompt = (content: string, more: object = {}) => {
    count += 1;
    const facts = { uuid: `u${count}`, timestamp: `2026-11-16T12:00:0${count}.000Z` };
    const message = { role: 'user', content };
    return { parentUuid: null, isSidechain: false, type: 'user', message, ...facts, ...tail, ...more };
  };
  const begin = { type: 'custom-title', customTitle: '', timestamp: '2026-11-16T12:00:00.000Z' };
  const lines = [
    ...(part ? [] : [{ value: begin }]),
    { value: prompt('of another', other), part },
    { value: prompt('so do it', other), part },
    { value: prompt('go') },
    { value: prompt('go on') },
  ];
  const told = () => {
    const reader = claude.transcripts?.figures?.createReader();
    for (const { value, part } of lines) {
      const bytes = Buffer.from(JSON.stringify(value));
      const text = (from: number, to: number) => bytes.toString('latin1', from, to);
      reader?.receive({ bytes, from: 0, to: bytes.length, text, whole: () => value }, part);
    }
    return reader?.end().moments.flatMap(({ draft }) => (draft.type === 'turn-end' ? [] : [draft])) ?? [];
  };
  const first = told();
  expect(first).toContainEqual(expect.objectContaining({ type: 'user-message', text: 'go', sessionId: 's' }));
  // Now it is known what such lines are like.
  expect(told()).toEqual(first);
});

test('sessions have their names before their words, and the words come later', async () => {
  const conversations = await findConversations(claude, recorded);
  const result = await importFigures({ store, conversations });
  expect(result).toMatchObject({ read: 6, of: 6, wordless: 4, failed: [] });
  const named = async () => (await store.list()).items.map(({ id, title, cwd }) => `${id} ${title} ${cwd}`).toSorted();
  const before = await named();
  expect((await store.search({ text: 'banana' })).items).toHaveLength(1);
  expect(await importFigures({ store, conversations })).toMatchObject({ read: 6, wordless: 4 });
  expect(await importConversations({ store, conversations })).toMatchObject({ imported: 4, unchanged: 2 });
  expect(await named()).toEqual(before);
  expect((await store.list()).items.flatMap(({ runs }) => runs).some(({ onlyFigures }) => onlyFigures)).toBe(false);
  expect(await importFigures({ store, conversations })).toMatchObject({ read: 6, wordless: 0 });
});

test('whoever stops it is told how far it came, and the next time it goes on there', async () => {
  const conversations = await findConversations(claude, recorded);
  const stop = new AbortController();
  const onProgress = ({ conversations: done }: { conversations: number }) => done === 2 && stop.abort();
  expect(await importFigures({ store, conversations, onProgress, signal: stop.signal })).toMatchObject({ of: 6 });
  const { items } = await store.list();
  expect(items.length).toBeLessThanOrEqual(2);
  expect(await importFigures({ store, conversations })).toMatchObject({ read: 6, of: 6 });
});

test('what has its words already keeps them when it goes on', async () => {
  cpSync(recorded, folder, { recursive: true });
  await importConversations({ store, conversations: await findConversations(claude, folder) });
  const file = join(folder, '-v1-0-128-multi-block/f2b2be6e-505b-49a1-81ba-2def5a56eee4.jsonl');
  appendFileSync(file, '{"type":"user","timestamp":"2026-11-16T01:00:00Z","message":{"content":"and then?"}}\n');
  await importFigures({ store, conversations: await findConversations(claude, folder) });
  const { items } = await store.search({ text: 'and then' });
  expect(items).toHaveLength(1);
});

test('an agent that has no such way is read whole', async () => {
  const codex = AGENTS.find(({ name }) => name === 'codex');
  if (!codex) throw new Error('There is no such agent.');
  const home = 'test/archive/recordings/homes/codex/mcp-image-error-link/home';
  const [place = ''] = transcriptFolders(codex, { env: {}, home });
  const conversations = await findConversations(codex, place, openForeign);
  expect(await importFigures({ store, conversations, openDatabase: openForeign })).toMatchObject({
    read: 1,
    wordless: 0,
  });
});

test('a file that is gone is named, and a line longer than the buffer is read', async () => {
  cpSync(recorded, folder, { recursive: true });
  const conversations = await findConversations(claude, folder);
  const gone = conversations[0]?.files[0]?.path ?? '';
  rmSync(gone);
  const { failed } = await importFigures({ store, conversations });
  expect(failed).toMatchObject([{ path: gone }]);
  const long = join(folder, '11111111-2222-4333-8444-555555555555.jsonl');
  const prompt = {
    type: 'user',
    sessionId: 'x',
    timestamp: '2026-11-16T01:00:00Z',
    message: { content: 'a'.repeat(9e6) },
  };
  writeFileSync(long, `${JSON.stringify(prompt)}\n`);
  const [conversation] = (await findConversations(claude, folder)).filter(({ files }) => files[0]?.path === long);
  if (!conversation) throw new Error('It was not found.');
  expect(readFigures(conversation).events.map(({ type }) => type)).toContain('turn-end');
});

async function expectSame(conversations: Awaited<ReturnType<typeof findConversations>>): Promise<void> {
  const { failed } = await importFigures({ store, conversations });
  expect(failed).toEqual([]);
  const quick = await sums();
  await importConversations({ store, conversations });
  expect(await sums()).toEqual(quick);
  for (const { id } of (await store.list({ limit: 500 })).items) await store.delete(id);
}

/** Amounts without the dust of adding them up in another order. */
async function sums() {
  const told = [];
  for (const by of TOTAL_KEYS.filter((key) => key !== 'tool' && key !== 'cause')) {
    for (const { key, spent, usage, sessions } of await store.totals({ by }))
      told.push({ by, key, usd: spent?.usd.toFixed(9), origin: spent?.origin, usage, sessions });
  }
  const { items } = await store.list({ limit: 500 });
  for (const { agentSessionId, spent, usage } of items.toSorted((a, b) => (a.id < b.id ? -1 : 1)))
    told.push({ agentSessionId, usd: spent?.usd.toFixed(9), origin: spent?.origin, usage });
  return told;
}
