/** A copy of a conversation begins with the past of another one: that is told and counted there, and not a second time here. */
import { cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { AGENTS, type Agent } from '../../src/agent/index.js';
import { findConversations, importConversations, importFigures } from '../../src/archive/index.js';
import { readConversation } from '../../src/archive/read.js';
import { openForeign } from '../../src/store/foreign.js';
import { openStore } from '../../src/store/index.js';
import { loadDriver } from '../../src/store/sqlite/driver.js';

const uuid = '01a1e67b-7e5a-7e63-ba9b-cbd1cf9135c8';
const at = (second: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
const total = (input_tokens: number) => ({
  total_token_usage: { input_tokens },
  last_token_usage: { input_tokens: 10 },
});
const event = (second: number, payload: object) => ({ timestamp: at(second), type: 'event_msg', payload });
const said = (role: string, text: string) => ({ role, content: [{ type: 'text', text }], stopReason: 'stop' });
const message = (id: string, second: number, role: string, text: string) => ({
  type: 'message',
  id,
  timestamp: at(second),
  message: said(role, text),
});
const chat = (second: number, type: string, text: string) => ({
  type,
  uuid: `m${second}`,
  sessionId: 'x',
  timestamp: at(second),
  message: { parts: [{ text }] },
  usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 1 },
});
const part = (text: string) => ({
  type: 'context.append_loop_event',
  event: { type: 'content.part', part: { type: 'text', text } },
});

const copies: Record<string, { values: [value: object, part?: string][]; origin: string }> = {
  codex: {
    origin: uuid,
    values: [
      [{ timestamp: at(9), type: 'session_meta', payload: { id: 'x', source: 'exec', forked_from_id: uuid } }],
      [event(10, { type: 'task_started' })],
      [event(10, { type: 'agent_message', message: 'own' })],
      [event(11, { type: 'token_count', info: total(110) })],
      [event(12, { type: 'task_complete' })],
    ],
  },
  droid: {
    origin: uuid,
    values: [
      [{ type: 'session_start', id: 'x', parent: uuid, forkedAtMessageId: 'm2' }],
      [message('m1', 1, 'user', 'before')],
      [message('m2', 2, 'assistant', 'copied')],
      [{ type: 'agent_turn_outcome', reason: 'completed' }],
      [message('m3', 10, 'user', 'now')],
      [message('m4', 11, 'assistant', 'own')],
      [{ type: 'agent_turn_outcome', reason: 'completed' }],
    ],
  },
  pi: {
    origin: uuid,
    values: [
      [{ type: 'session', id: 'x', timestamp: at(9), parentSession: `/s/2026_${uuid}.jsonl` }],
      [message('m1', 1, 'user', 'before')],
      [message('m2', 2, 'assistant', 'copied')],
      [message('m3', 10, 'user', 'now')],
      [message('m4', 11, 'assistant', 'own')],
    ],
  },
  qwen: {
    origin: uuid,
    values: [
      [{ ...chat(1, 'user', 'before'), forkedFrom: { sessionId: uuid, messageUuid: 'm1' } }],
      [{ ...chat(2, 'assistant', 'copied'), forkedFrom: { sessionId: uuid, messageUuid: 'm2' } }],
      [chat(10, 'user', 'now')],
      [chat(11, 'assistant', 'own')],
    ],
  },
  kimi: {
    origin: 'session_1',
    values: [
      [{ id: 'x', forkedFrom: 'session_1', createdAt: 9 }, 'state'],
      [{ type: 'turn.prompt', time: 1, input: [{ text: 'before' }] }],
      [{ ...part('copied'), time: 2 }],
      [{ type: 'turn.ended', reason: 'completed', time: 3 }],
      [{ type: 'turn.prompt', time: 10, input: [{ text: 'now' }] }],
      [{ ...part('own'), time: 11 }],
      [{ type: 'turn.ended', reason: 'completed', time: 12 }],
    ],
  },
};

test.each(Object.entries(copies))('%s', (name, { values, origin }) => {
  const reader = agent(name).transcripts?.createReader();
  const begun = values.flatMap(([value, of]) => reader?.receive(value, of) ?? []);
  const { moments = [], forkOf } = reader?.end() ?? {};
  const drafts = [...begun, ...moments].map(({ draft }) => draft);
  expect(drafts.flatMap((draft) => (draft.type === 'text-end' ? [draft.text] : []))).toEqual(['own']);
  expect(drafts.filter(({ type }) => type === 'turn-start')).toHaveLength(1);
  expect(forkOf).toBe(origin);
  const end = drafts.find((draft) => draft.type === 'turn-end');
  if (name === 'codex' || name === 'qwen') expect(end).toMatchObject({ usage: { inputTokens: 10 } });
});

test('of a database, and it is linked to what it was copied from, which comes first', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'glassbox-fork-'));
  const path = join(folder, 'opencode.db');
  cpSync('test/archive/recordings/homes/opencode/fail-after-work-401/home/.local/share/opencode/opencode.db', path);
  const { DatabaseSync } = await loadDriver();
  const database = new DatabaseSync(path);
  const [origin] = database.prepare('select session_id as id from message order by time_created').all();
  const id = String(origin?.id);
  database.exec('pragma foreign_keys = off');
  database
    .prepare(
      "insert into session select 'ses_fork', project_id, workspace_id, null, slug, directory, path, title, version, share_url, summary_additions, summary_deletions, summary_files, summary_diffs, metadata, cost, tokens_input, tokens_output, tokens_reasoning, tokens_cache_read, tokens_cache_write, revert, permission, agent, model, 2000000000000, 2000000000000, null, null from session where id = ?",
    )
    .run(id);
  database
    .prepare(
      "insert into message select 'msg_copy' || rowid, 'ses_fork', time_created, time_updated, data from message where session_id = ?",
    )
    .run(id);
  database.exec(`insert into message values ('msg_own', 'ses_fork', 2000000000001, 2000000000001, '{"role":"user"}')`);
  database.exec(
    `insert into part values ('prt_own', 'msg_own', 'ses_fork', 2000000000001, 2000000000001, '{"type":"text","text":"now"}')`,
  );
  database.close();
  const store = await openStore(':memory:');
  const conversations = await findConversations(agent('opencode'), folder, openForeign);
  const fork = conversations.filter(({ sessionId }) => sessionId === 'ses_fork');
  await importConversations({
    store,
    conversations: [...fork, ...conversations.filter((one) => !fork.includes(one))],
    openDatabase: openForeign,
  });
  const before = await store.session(id);
  expect(await store.session('opencode-transcript-ses_fork')).toMatchObject({
    forkedFrom: before?.id,
    runs: [{ prompt: 'now' }],
  });
  await store.close();
});

test('of a real copy and what it was copied from, everything is told once', async () => {
  const folder = 'test/archive/recordings/several/qwen/forked/home/.qwen/projects';
  const read = (await findConversations(agent('qwen'), folder)).map((one) => readConversation(one));
  const [first, copy] = (await Promise.all(read)).toSorted(
    (a, b) => Number(a.forkOf !== undefined) - Number(b.forkOf !== undefined),
  );
  const said = [first, copy].map((one) =>
    one?.events.flatMap((event) => (event.type === 'text-end' ? [event.text] : [])),
  );
  expect(said).toEqual([
    ['Looking.', 'Of the first.'],
    ['Again.', 'Of the copy.'],
  ]);
  expect(copy?.forkOf).toBe(first?.events[0]?.sessionId);
});

test.each([
  ['plain', ['A second conversation.'], ['Of its copy.'], 0.0026],
  [
    'summed-up',
    ['I make it.', 'The first is done.', 'I look.', 'It says one.', 'Resumed and well.'],
    ['A fork says this.'],
    0.0091,
  ],
])('of a conversation in a terminal (%s) and its copy, everything is told and paid for once', async (name, ...told) => {
  const [ofFirst, ofCopy, usd] = told;
  const folder = `test/archive/recordings/forked/claude/${name}/home/.claude/projects`;
  const conversations = await findConversations(agent('claude'), folder);
  const [first, copy] = (await Promise.all(conversations.map((one) => readConversation(one)))).toSorted(
    (a, b) => Number(a.forkOf !== undefined) - Number(b.forkOf !== undefined),
  );
  const said = [first, copy].map((one) =>
    one?.events.flatMap((event) => (event.type === 'text-end' ? [event.text] : [])),
  );
  expect(said).toEqual([ofFirst, ofCopy]);
  expect(copy?.events.filter(({ type }) => type === 'turn-start')).toHaveLength(1);
  expect(copy?.forkOf).toBe(first?.events[0]?.sessionId);
  for (const bring of [importConversations, importFigures]) {
    const store = await openStore(':memory:');
    await bring({ store, conversations });
    // As the program itself noted at the end of the copy, which counts on from what it was copied from.
    const [all] = await store.totals({ by: 'agent' });
    expect(all?.spent?.usd).toBeCloseTo(usd, 9);
    await store.close();
  }
});

function agent(name: string): Agent {
  const found = AGENTS.find((one) => one.name === name);
  if (!found) throw new Error(`There is no agent ${name}.`);
  return found;
}
