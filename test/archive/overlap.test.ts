/**
 * A run of glassbox, the file that its agent writes, and whoever follows that file or imports it, at the same time: whichever is ahead at any
 * moment, in the end it is one session with everything in it once.
 */
import { appendFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AGENTS, type Agent } from '../../src/agent/index.js';
import {
  findConversations,
  importConversations,
  settleRun,
  transcriptFolders,
  type Watching,
  watchTranscripts,
} from '../../src/archive/index.js';
import { readConversation } from '../../src/archive/read.js';
import { createDecoder } from '../../src/decode/index.js';
import type { AgentEvent } from '../../src/event/index.js';
import { openForeign } from '../../src/store/foreign.js';
import { openStore, type SessionRecord, type Store } from '../../src/store/index.js';
import { agentOfFolder } from '../support/recordings.js';

/** Somebody gets ahead: the file or the run by so much of the whole, the follower (which comes or goes), an import. */
type Step = { disk: number } | { run: number } | 'watch' | 'look' | 'import';

const own = homesIn('test/archive/recordings/homes');
const shared = homesIn('../shared/homes').filter(({ name }) => !own.some((home) => home.name === name));

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'glassbox-overlap-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** In twentieths of the whole. */
const share = fc.integer({ min: 1, max: 12 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { arbitrary: fc.record({ disk: share }), weight: 3 },
  { arbitrary: fc.record({ run: share }), weight: 3 },
  { arbitrary: fc.constant<Step>('watch'), weight: 2 },
  { arbitrary: fc.constant<Step>('look'), weight: 2 },
  { arbitrary: fc.constant<Step>('import'), weight: 1 },
);

const someSteps = fc.array(step, { maxLength: 10 });

/** What went wrong once. */
const FOUND: [Step[]][] = [
  // The file is ahead, and the run says only at its end which conversation it is.
  [['watch', { disk: 3 }, 'look', { run: 1 }, { disk: 6 }, 'look']],
  // What was read told no id yet.
  [[{ disk: 3 }, 'import']],
  // Its file has another id than its stream, and was followed before.
  [['watch', { disk: 10 }, 'look']],
];

test.each(own)('$name', async (home) => {
  const wanted = await play(home, [{ run: 20 }]);
  await fc.assert(
    fc.asyncProperty(someSteps, async (steps) => {
      expect(await play(home, steps)).toEqual(wanted);
    }),
    { numRuns: FOUND.length + 2, examples: FOUND },
  );
});

test.runIf(shared.length > 0)('and so are the others, of which some are drawn', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...shared), someSteps, async (home, steps) => {
      expect(await play(home, steps), home.name).toEqual(await play(home, [{ run: 20 }]));
    }),
    { numRuns: 6 },
  );
});

interface Home {
  name: string;
  agent: Agent;
  path: string;
}

async function play(home: Home, steps: readonly Step[]) {
  const place = mkdtempSync(join(folder, 'home-'));
  const store = await openStore(':memory:');
  const live = await createLive(home, store);
  const troubles: string[] = [];
  let onDisk = 0;
  let watched: { watching: Watching; stop(): Promise<void> } | undefined;
  const grow = (to: number): void => {
    onDisk = Math.min(1, to);
    for (const path of filesIn(join(home.path, 'home')))
      growFile(path, join(place, relative(join(home.path, 'home'), path)), onDisk);
  };
  try {
    for (const one of steps) {
      if (one === 'watch') {
        if (watched) await watched.stop();
        watched = watched ? undefined : follow(home, place, store, troubles);
      } else if (one === 'look') await watched?.watching.catchUp();
      else if (one === 'import') await bring(home, place, store);
      else if ('disk' in one) grow(onDisk + one.disk / 20);
      else await live.advance(one.run / 20);
    }
    await live.advance(1);
    grow(1);
    await watched?.watching.catchUp();
    await watched?.stop();
    const seen = watched && (await look(home, store));
    await bring(home, place, store);
    expect(troubles).toEqual([]);
    const all = await look(home, store);
    // Whoever followed it to its end left nothing to be brought.
    expect(seen ?? all).toEqual(all);
    return all;
  } finally {
    await watched?.stop();
    await store.close();
    rmSync(place, { recursive: true });
  }
}

/** What its stream told, as a run of glassbox, piece by piece. */
async function createLive(home: Home, store: Store) {
  const { agent } = home;
  const decoder = createDecoder(agent, { runId: 'run' });
  const stream = [...decoder.push(readFileSync(join(home.path, 'stream.jsonl'))), ...decoder.end()];
  const id = stream.findLast(({ sessionId }) => sessionId !== undefined)?.sessionId;
  const found = await findAll(agent, join(home.path, 'home'));
  const [conversation] = [...found.filter(({ sessionId }) => sessionId === id), ...found];
  if (!conversation) throw new Error(`Nothing was found in ${home.name}.`);
  const told = (await readConversation(conversation, openForeign)).events;
  const times = told.map(({ at }) => at);
  const [from, to] = [Math.min(...times), Math.max(...times)];
  const begun = told.find((event) => event.type === 'session-start');
  const cwd = begun?.type === 'session-start' ? begun.cwd : undefined;
  let sent = -1;
  return {
    async advance(by: number): Promise<void> {
      if (sent >= stream.length) return;
      if (sent < 0) {
        await store.startRun({ runId: 'run', agent: agent.name, startedAt: from, ...(cwd !== undefined && { cwd }) });
        sent = 0;
      }
      const next = Math.min(stream.length, sent + Math.ceil(by * stream.length));
      const events = stream.slice(sent, next).map((event, at) => {
        const isLast = sent + at === stream.length - 1;
        return { ...event, at: isLast ? to : from } satisfies AgentEvent;
      });
      sent = next;
      if (events.length > 0) await store.append(events);
      if (sent < stream.length) return;
      await store.endRun('run');
      await settleRun(store, 'run', { hasOtherIds: agent.transcripts?.hasOtherIds });
    },
  };
}

function follow({ agent }: Home, home: string, store: Store, troubles: string[]) {
  const end = new AbortController();
  const watching = watchTranscripts({
    agents: [agent],
    env: {},
    home,
    store,
    openDatabase: openForeign,
    pace: { recentMs: Date.now() },
    onTrouble: ({ path, message }) => troubles.push(`${path}: ${message}`),
    signal: end.signal,
  });
  return {
    watching,
    async stop() {
      end.abort();
      await watching.done;
    },
  };
}

async function bring({ agent }: Home, home: string, store: Store): Promise<void> {
  await importConversations({ store, conversations: await findAll(agent, home), openDatabase: openForeign });
}

async function look(home: Home, store: Store) {
  const { items } = await store.list();
  const all = await Promise.all(
    items.map(async (session) => {
      const told: string[] = [];
      for (const { runId } of session.runs) for await (const event of store.read(runId)) told.push(...summary(event));
      const { title, turns, toolCalls, usage, spent, outcome, state } = session satisfies SessionRecord;
      return { title, turns, toolCalls, usage, spent, outcome, state, told: told.sort() };
    }),
  );
  if (all.length === 0) throw new Error(`${home.name} has no session.`);
  return all.toSorted((a, b) => (a.title < b.title ? -1 : 1));
}

/** What would be told twice. */
function summary(event: AgentEvent): string[] {
  if (event.type === 'user-message') return event.synthetic ? [] : [`${event.type} ${event.text}`];
  if (event.type === 'text-end' || event.type === 'thinking-end') return [`${event.type} ${event.text}`];
  if (event.type === 'tool-end') return [`${event.type} ${event.status} ${event.output ?? ''}`];
  if (event.type === 'turn-end') return [`${event.type} ${event.outcome} ${event.text ?? ''}`];
  return [];
}

type Conversation = Awaited<ReturnType<typeof findConversations>>[number];

async function findAll(agent: Agent, home: string): Promise<Conversation[]> {
  const places = transcriptFolders(agent, { env: {}, home });
  return (await Promise.all(places.map((place) => findConversations(agent, place, openForeign)))).flat();
}

/** Lines are added, also in halves; a document or a database is there when half of the rest is. */
function growFile(source: string, path: string, to: number): void {
  mkdirSync(dirname(path), { recursive: true });
  if (!path.endsWith('.jsonl')) return void (to > 0.4 && !existsSync(path) && cpSync(source, path));
  const before = existsSync(path) ? readFileSync(path).length : 0;
  const bytes = readFileSync(source);
  appendFileSync(path, bytes.subarray(before, Math.max(before, Math.round(bytes.length * to))));
}

function filesIn(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
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
