/**
 * What real programs left on disk tells the same conversation as the stream of the very same session: texts in order, calls with inputs, outputs
 * and ends, answers, tokens, cost. Some homes lie in this repository, the others are read when a folder `../shared` lies beside it.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { violations } from '../../src/agent/conformance/invariants.js';
import { AGENTS, type Agent } from '../../src/agent/index.js';
import { findConversations, transcriptFolders } from '../../src/archive/index.js';
import { readConversation } from '../../src/archive/read.js';
import { createDecoder } from '../../src/decode/index.js';
import type { AgentEvent } from '../../src/event/index.js';
import { openForeign } from '../../src/store/foreign.js';
import { conciseLines } from '../support/concise.js';
import { agentOfFolder } from '../support/recordings.js';
import { accountOf, differences, withoutSubAgents } from './account.js';
import { EXCEPTIONS, unexplained } from './exceptions.js';

const own = 'test/archive/recordings/homes';
/** Homes of sessions with two processes, with sub-agents that have files of their own, or of two sessions. */
const several = 'test/archive/recordings/several';
const shared = '../shared/homes';

const homes = new Map<string, string>();
for (const root of [own, several, shared]) for (const [name, folder] of homesIn(root)) homes.set(name, folder);

describe.each([...homes])('%s', (name, folder) => {
  test('tells on disk what its stream told', async () => {
    const agent = agentOf(name);
    const told = streamOf(agent, folder);
    const stream = accountOf(told);
    const { events } = await readHome(agent, folder, stream.session);
    const disk = accountOf(withoutSubAgents(told, events));
    expect(unexplained(name, stream, disk)).toEqual([]);
  });

  test('gives sound events, with the times of then', async () => {
    const agent = agentOf(name);
    const { events } = await readHome(agent, folder, accountOf(streamOf(agent, folder)).session);
    expect(violations(events)).toEqual([]);
    expect(new Date(Math.min(...events.map(({ at }) => at))).getUTCFullYear()).toBe(2026);
    expect(events.map(({ at }) => at)).toEqual(events.map(({ at }) => at).toSorted((a, b) => a - b));
    expect(events.every(({ source }) => source === 'transcript' || source === 'synthetic')).toBe(true);
    expect(events.filter(({ type }) => type === 'unknown' || type === 'decode-error')).toEqual([]);
    expect(events[0]?.type).toBe('session-start');
  });
});

/** Set only by `npm run recordings:update`, which names what may be written. */
const updating = new RegExp(process.env.GLASSBOX_UPDATE_RECORDINGS ?? '^$');

test.each([...homesIn(own), ...homesIn(several)])('%s on disk gives events.jsonl', async (name, folder) => {
  const agent = agentOf(name);
  const { events } = await readHome(agent, folder, accountOf(streamOf(agent, folder)).session);
  const actual = conciseLines(events);
  const path = join(folder, 'events.jsonl');
  if (updating.test(name)) writeFileSync(path, actual);
  expect(existsSync(path), `run: npm run recordings:update -- ${name}`).toBe(true);
  expect(actual).toBe(readFileSync(path, 'utf8'));
});

test('every agent with a history has a home in this repository', () => {
  const kept = new Set([...homesIn(own)].map(([name]) => agentOf(name).name));
  expect(AGENTS.filter(({ transcripts }) => transcripts).map(({ name }) => name)).toEqual(
    AGENTS.filter(({ name }) => kept.has(name)).map(({ name }) => name),
  );
});

test('a difference is seen: of what was said, done, answered and spent', async () => {
  const [name = '', folder = ''] = [...homesIn(own)].find(([each]) => each.startsWith('qwen/')) ?? [];
  const agent = agentOf(name);
  const stream = accountOf(streamOf(agent, folder));
  const { events } = await readHome(agent, folder, stream.session);
  const seen = (damage: (event: AgentEvent) => AgentEvent[]) => [
    ...differences(stream, accountOf(events.flatMap(damage))).keys(),
  ];
  expect(seen((event) => [event])).toEqual([]);
  expect(seen((event) => (event.type === 'text-end' ? [{ ...event, text: 'other' }] : [event]))).toContain('said');
  expect(seen((event) => (event.type === 'tool-input-end' ? [{ ...event, input: {} }] : [event]))).toContain('said');
  expect(seen((event) => (event.type === 'tool-end' ? [{ ...event, output: 'other' }] : [event]))).toContain('outputs');
  expect(seen((event) => (event.type === 'tool-end' ? [{ ...event, status: 'denied' }] : [event]))).toContain('ends');
  expect(seen((event) => (event.type === 'turn-end' ? [{ ...event, usage: { inputTokens: 1 } }] : [event]))).toContain(
    'tokens',
  );
});

test('every exception is needed', { skip: !existsSync(shared) }, async () => {
  const used = new Set<(typeof EXCEPTIONS)[number]>();
  for (const [name, folder] of homes) {
    const agent = agentOf(name);
    const told = streamOf(agent, folder);
    const stream = accountOf(told);
    const { events } = await readHome(agent, folder, stream.session);
    const different = differences(stream, accountOf(withoutSubAgents(told, events)));
    for (const one of EXCEPTIONS) if (one.of.test(name) && different.has(one.aspect)) used.add(one);
  }
  expect(EXCEPTIONS.filter((one) => !one.isRare && !used.has(one))).toEqual([]);
});

function agentOf(name: string): Agent {
  const agent = AGENTS.find((one) => one.name === agentOfFolder(name.split('/')[0] ?? ''));
  if (!agent) throw new Error(`No agent is called as the folder of ${name}.`);
  return agent;
}

/** Of all processes that the session had. */
function streamOf(agent: Agent, folder: string): AgentEvent[] {
  return ['stream.jsonl', 'stream-2.jsonl'].flatMap((name) => {
    const path = join(folder, name);
    if (!existsSync(path)) return [];
    const decoder = createDecoder(agent, { runId: name });
    return [...decoder.push(readFileSync(path)), ...decoder.end()];
  });
}

/** The conversation of the stream; a home may hold others, and one may be known by another id. */
async function readHome(agent: Agent, folder: string, session: string | undefined) {
  const places = transcriptFolders(agent, { env: {}, home: join(folder, 'home') });
  const found = (await Promise.all(places.map((place) => findConversations(agent, place, openForeign)))).flat();
  const [conversation] = [...found.filter(({ sessionId }) => sessionId === session), ...found];
  if (!conversation) throw new Error(`Nothing was found in ${folder}.`);
  return readConversation(conversation, openForeign);
}

/** Of agents that leave a history. */
function* homesIn(root: string): Generator<[name: string, folder: string]> {
  if (!existsSync(root)) return;
  for (const kind of readdirSync(root)) {
    const agent = AGENTS.find(({ name }) => name === agentOfFolder(kind));
    if (!agent?.transcripts) continue;
    for (const name of readdirSync(join(root, kind))) yield [`${kind}/${name}`, join(root, kind, name)];
  }
}
