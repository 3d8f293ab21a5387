/** A session that glassbox read from a pipe, or ran itself, and found on disk later is one session, and nothing in it is told or counted twice. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AGENTS, type Agent } from '../../src/agent/index.js';
import { findConversations, importConversations, transcriptFolders } from '../../src/archive/index.js';
import { readConversation } from '../../src/archive/read.js';
import { createDecoder } from '../../src/decode/index.js';
import type { AgentEvent } from '../../src/event/index.js';
import { openForeign } from '../../src/store/foreign.js';
import { openStore, type SessionRecord, type Store } from '../../src/store/index.js';
import { agentOfFolder } from '../support/recordings.js';

const root = 'test/archive/recordings/homes';
const homes = readdirSync(root).flatMap((kind) => readdirSync(join(root, kind)).map((name) => `${kind}/${name}`));

let store: Store;
beforeEach(async () => {
  store = await openStore(':memory:');
});
afterEach(() => store.close());

describe.each(homes)('%s', (home) => {
  const agent = agentOf(home);

  test('first through a pipe', async () => {
    const events = streamOf(home);
    await store.startRun({ runId: 'first', agent: agent.name, startedAt: events[0]?.at ?? 0, piped: true });
    await store.append(events);
    await store.endRun('first', 'state');
    await expectOnlyPrompts();
  });

  test('first run by glassbox', async () => {
    const [conversation] = await find();
    if (!conversation) throw new Error('It was not found.');
    const times = (await readConversation(conversation, openForeign)).events.map(({ at }) => at);
    const [from, to] = [Math.min(...times), Math.max(...times)];
    const events = streamOf(home).map((event) => ({ ...event, at: from }));
    const last = events.at(-1);
    if (last) last.at = to;
    await store.startRun({ runId: 'first', agent: agent.name, startedAt: from, cwd: '/repo' });
    await store.append(events);
    await store.endRun('first');
    await expectNothingNew();
  });

  async function expectNothingNew(): Promise<void> {
    const before = (await store.list()).items;
    const result = await importConversations({ store, conversations: await find(), openDatabase: openForeign });
    expect(result).toMatchObject({ imported: 0, skipped: 1, failed: [] });
    expect((await store.list()).items).toEqual(before);
  }

  /** No stream carries what was said to the agent, but for those that repeat it. */
  async function expectOnlyPrompts(): Promise<void> {
    const [before] = (await store.list()).items;
    const conversations = await find();
    const { imported, skipped, failed } = await importConversations({
      store,
      conversations,
      openDatabase: openForeign,
    });
    expect([imported + skipped, failed]).toEqual([1, []]);
    const { items } = await store.list();
    const [after] = items;
    expect(items.map(withoutPrompt)).toEqual([before].map(withoutPrompt));
    expect(after?.title).toMatch(/\S/);
    const brought = after?.runs.filter(({ runId }) => runId !== 'first') ?? [];
    const types: string[] = [];
    for (const { runId } of brought) for await (const { type } of store.read(runId)) types.push(type);
    expect(types).toEqual(types.map(() => 'user-message'));
  }

  async function find() {
    const places = transcriptFolders(agent, { env: {}, home: join(root, home, 'home') });
    const found = (await Promise.all(places.map((place) => findConversations(agent, place, openForeign)))).flat();
    const session = streamOf(home).findLast(({ sessionId }) => sessionId !== undefined)?.sessionId;
    // A home may hold another one too.
    return found.length > 1 ? found.filter(({ sessionId }) => sessionId === session) : found;
  }
});

test('what was imported is not imported again, and what goes on is put in its place', async () => {
  const places = homes.map((home) => ({ agent: agentOf(home), home: join(root, home, 'home') }));
  const found = await Promise.all(
    places.map(async ({ agent, home }) => {
      const [place = ''] = transcriptFolders(agent, { env: {}, home });
      return findConversations(agent, place, openForeign);
    }),
  );
  const conversations = found.flat();
  const bring = () => importConversations({ store, conversations, openDatabase: openForeign });
  expect(await bring()).toMatchObject({ imported: conversations.length, skipped: 0, failed: [] });
  expect(await bring()).toMatchObject({ imported: 0, unchanged: conversations.length });
  expect((await store.list()).items).toHaveLength(conversations.length);
});

function withoutPrompt(session: SessionRecord | undefined): unknown {
  const { id, agentSessionId, turns, usage, spent, outcome, state, toolCalls } = session ?? {};
  return { id, agentSessionId, turns, usage, spent, outcome, state, toolCalls };
}

function agentOf(home: string): Agent {
  const agent = AGENTS.find(({ name }) => name === agentOfFolder(home.split('/')[0] ?? ''));
  if (!agent) throw new Error(`No agent is called as the folder of ${home}.`);
  return agent;
}

function streamOf(home: string): AgentEvent[] {
  const decoder = createDecoder(agentOf(home), { runId: 'first' });
  return [...decoder.push(readFileSync(join(root, home, 'stream.jsonl'))), ...decoder.end()];
}
