/**
 * One session, whoever saw it first: kept by glassbox or read from a pipe, followed while it grew and found on disk, in any order and as often as
 * one likes, it is one session with everything in it once. Some homes lie in this repository, the others are read when `../shared` is there.
 */
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AGENTS, type Agent } from '../../src/agent/index.js';
import {
  findConversations,
  importConversations,
  importFigures,
  settleRun,
  transcriptFolders,
  watchTranscripts,
} from '../../src/archive/index.js';
import { readConversation } from '../../src/archive/read.js';
import { createDecoder } from '../../src/decode/index.js';
import type { AgentEvent } from '../../src/event/index.js';
import { openForeign } from '../../src/store/foreign.js';
import { openStore, type SessionRecord, type Store } from '../../src/store/index.js';
import { agentOfFolder } from '../support/recordings.js';

/**
 * `part`: what is on disk while the agent still works. `live`: the run itself, or its stream through a pipe. `watch`: somebody
 * follows what is on disk, and stops when all of it was read. `cost`: somebody asks what it cost, and its words are left for later. `pipe`: what a run printed comes through a pipe too.
 */
type Step = 'part' | 'import' | 'live' | 'pipe' | 'watch' | 'cost';

const own = homesIn('test/archive/recordings/homes');
const shared = homesIn('../shared/homes').filter(({ name }) => !own.some((home) => home.name === name));

/** Each is one more way through the same code. */
const OTHERS = 16;

let store: Store;
let folder: string;
beforeAll(async () => {
  store = await openStore(':memory:');
  folder = mkdtempSync(join(tmpdir(), 'glassbox-arrival-'));
});
afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

describe.each([
  ['through a pipe', true],
  ['run by glassbox', false],
] as const)('%s', (_, piped) => {
  test.each(own)('$name, in any order', async (home) => {
    await hold(home, piped, 3);
  });

  test.runIf(shared.length > 0)('and so are the others, of which some are drawn', async () => {
    const count = Math.min(OTHERS, shared.length);
    const [drawn = []] = fc.sample(fc.shuffledSubarray(shared, { minLength: count, maxLength: count }), 1);
    for (const home of drawn) await hold(home, piped, 1);
  });
});

/** A copy of what a run prints comes behind the run, which was there before it printed anything. */
test.each(own)('$name, run by glassbox and piped too, in any order', async (home) => {
  const wanted = await arrive(home, ['live', 'import'], false);
  const others = fc.array(fc.constantFrom<Step>('part', 'import', 'watch', 'cost'), { maxLength: 2 });
  await fc.assert(
    fc.asyncProperty(others, others, others, async (before, between, after) => {
      const steps: Step[] = [...before, 'live', ...between, 'pipe', ...after, 'import'];
      expect(await arrive(home, steps, false), `${home.name}: ${steps.join(', ')}`).toEqual(wanted);
    }),
    { numRuns: 3, examples: [[[], [], []]] },
  );
});

test('a turn that was piped and only says what a run said is another one', async () => {
  const [home] = own;
  if (!home) throw new Error('There is no home.');
  const decoder = createDecoder(home.agent);
  const events = [...decoder.push(readFileSync(join(home.path, 'stream.jsonl'))), ...decoder.end()];
  await live(home, events, false, 0);
  const later = events.map((event) => (event.type === 'turn-end' ? { ...event, durationMs: 1 } : event));
  await live(home, later, true, 1);
  const { items } = await store.list();
  for (const { id } of items) await store.delete(id);
  expect(items.map(({ runs }) => runs.length)).toEqual([2]);
});

test('what a stream does not carry is there afterwards, and once', async () => {
  const home = own.find(({ agent }) => agent.name === 'claude');
  if (!home) throw new Error('There is no home of Claude Code.');
  for (const steps of [
    ['live', 'import', 'import'],
    ['import', 'live', 'import'],
  ] as const) {
    const { session, told } = await arrive(home, steps, true);
    expect(session.title).not.toBe('');
    expect(told.filter((line) => line.startsWith('user-message'))).toHaveLength(1);
  }
});

interface Home {
  name: string;
  agent: Agent;
  path: string;
}

async function hold(home: Home, piped: boolean, numRuns: number): Promise<void> {
  const wanted = await arrive(home, ['live', 'import'], piped);
  const steps = fc.array(fc.constantFrom<Step>('part', 'import', 'live', 'watch', 'cost'), { maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(steps, fc.boolean(), async (some, isLast) => {
      const rest: Step[] = isLast ? ['live', 'import'] : ['import', 'live'];
      const all = [...some, ...rest.filter((step) => step === 'import' || !some.includes('live'))];
      expect(await arrive(home, all, piped), `${home.name}: ${all.join(', ')}`).toEqual(wanted);
    }),
    {
      numRuns,
      ...(numRuns > 1 && {
        examples: [
          [['import'], true],
          [['watch'], true],
        ],
      }),
    },
  );
}

/** What there is of a session when it was seen in these ways, one after the other. */
async function arrive(home: Home, steps: readonly Step[], piped: boolean) {
  const conversation = await find(home, join(home.path, 'home'));
  const events = await liveEvents(home, conversation, piped);
  for (const [index, step] of steps.entries()) {
    if (step === 'live') await live(home, events, piped, index);
    else if (step === 'pipe') await live(home, events, true, index);
    else if (step === 'watch') await follow(home);
    else if (step === 'cost') await importFigures({ store, conversations: [conversation], openDatabase: openForeign });
    else {
      const conversations = step === 'part' ? await findPart(home) : [conversation];
      await importConversations({ store, conversations, openDatabase: openForeign });
    }
  }
  const { items } = await store.list();
  const [session] = items;
  const told: string[] = [];
  for (const { runId } of session?.runs ?? [])
    for await (const event of store.read(runId)) told.push(...summary(event));
  for (const { id } of items) await store.delete(id);
  if (!session || items.length > 1) throw new Error(`${home.name} became ${items.length} sessions.`);
  const { title, turns, toolCalls, usage, spent, outcome, state } = session satisfies SessionRecord;
  return { session: { title, turns, toolCalls, usage, spent, outcome, state }, told: told.sort() };
}

/** Of a home with another conversation it would bring both. */
async function follow({ agent, path }: Home): Promise<void> {
  if ((await findAll(agent, join(path, 'home'))).length > 1) return;
  const end = new AbortController();
  const { catchUp, done } = watchTranscripts({
    agents: [agent],
    env: {},
    home: join(path, 'home'),
    store,
    openDatabase: openForeign,
    pace: { recentMs: Date.now() },
    signal: end.signal,
  });
  await catchUp();
  end.abort();
  await done;
}

/** A run happens once; a stream may come through a pipe again. */
async function live(home: Home, events: readonly AgentEvent[], piped: boolean, index: number): Promise<void> {
  const runId = piped ? `piped-${index}` : 'run';
  const own = events.map((event) => ({ ...event, runId }));
  const startedAt = own[0]?.at ?? 0;
  await store.startRun({ runId, agent: home.agent.name, startedAt, cwd: '/repo', ...(piped && { piped }) });
  await store.append(own);
  await store.endRun(runId, ...(piped ? ['the same stream'] : []));
  await settleRun(store, runId, { hasOtherIds: home.agent.transcripts?.hasOtherIds });
}

async function liveEvents(home: Home, conversation: Conversation, piped: boolean): Promise<AgentEvent[]> {
  const decoder = createDecoder(home.agent);
  const events = [...decoder.push(readFileSync(join(home.path, 'stream.jsonl'))), ...decoder.end()];
  if (piped) return events;
  const times = (await readConversation(conversation, openForeign)).events.map(({ at }) => at);
  const [from, to] = [Math.min(...times), Math.max(...times)];
  return events.map((event, index) => ({ ...event, at: index < events.length - 1 ? from : to }));
}

type Conversation = Awaited<ReturnType<typeof findConversations>>[number];

/** A home may hold another conversation too. */
async function find(home: Home, place: string): Promise<Conversation> {
  const found = await findAll(home.agent, place);
  const decoder = createDecoder(home.agent);
  const stream = [...decoder.push(readFileSync(join(home.path, 'stream.jsonl'))), ...decoder.end()];
  const id = stream.findLast(({ sessionId }) => sessionId !== undefined)?.sessionId;
  const [conversation] = [...found.filter(({ sessionId }) => sessionId === id), ...found];
  if (!conversation) throw new Error(`Nothing was found in ${home.name}.`);
  return conversation;
}

async function findAll(agent: Agent, home: string): Promise<Conversation[]> {
  const places = transcriptFolders(agent, { env: {}, home });
  return (await Promise.all(places.map((place) => findConversations(agent, place, openForeign)))).flat();
}

/** The first half of each of its files, if they are such as only grow. */
async function findPart(home: Home): Promise<Conversation[]> {
  const whole = await find(home, join(home.path, 'home'));
  if (whole.files.some(({ form }) => form !== undefined)) return [];
  const place = mkdtempSync(join(folder, 'part-'));
  cpSync(join(home.path, 'home'), place, { recursive: true });
  const found = (await findAll(home.agent, place)).filter(({ sessionId }) => sessionId === whole.sessionId);
  for (const { path } of found.flatMap(({ files }) => files)) {
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.subarray(0, Math.ceil(bytes.length / 2)));
  }
  return (await findAll(home.agent, place)).filter(({ sessionId }) => sessionId === whole.sessionId);
}

/** What would be told twice. */
function summary(event: AgentEvent): string[] {
  if (event.type === 'user-message') return event.synthetic ? [] : [`${event.type} ${event.text}`];
  if (event.type === 'text-end' || event.type === 'thinking-end') return [`${event.type} ${event.text}`];
  if (event.type === 'tool-end') return [`${event.type} ${event.status} ${event.output ?? ''}`];
  if (event.type === 'turn-end') return [`${event.type} ${event.outcome} ${event.text ?? ''}`];
  return [];
}

function homesIn(root: string): Home[] {
  if (!existsSync(root)) return [];
  return readdirSync(root).flatMap((kind) => {
    const agent = AGENTS.find(({ name }) => name === agentOfFolder(kind));
    if (!agent?.transcripts) return [];
    return readdirSync(join(root, kind)).map((name) => ({
      name: `${kind}/${name}`,
      agent,
      path: join(root, kind, name),
    }));
  });
}
