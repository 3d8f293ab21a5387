/** What a followed conversation cost is what the import tells of it, also when its turns are taken for ended while their last lines are still to come. */
import { appendFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { AGENTS, type Agent } from '../../../src/agent/index.js';
import type { Moment } from '../../../src/agent/transcript.js';
import { type Conversation, findConversations, transcriptFolders } from '../../../src/archive/index.js';
import { eventsIn, readConversation } from '../../../src/archive/read.js';
import { createSource, type Source } from '../../../src/archive/watch/source.js';
import { openForeign } from '../../../src/store/foreign.js';
import { agentOfFolder } from '../../support/recordings.js';
import { accountOf } from '../account.js';

const RECORDINGS = 'test/archive/recordings';
const own = homesIn(`${RECORDINGS}/homes`).map((home) => ({ ...home, cuts: [1, 7, 40] }));
const shared = homesIn('../shared/homes').map((home) => ({ ...home, cuts: [7] }));
const withSubAgents = homesIn(`${RECORDINGS}/several`);

test.each([...own, ...shared])('$name costs the same, followed and imported', async ({ agent, home, cuts }) => {
  const whole = await imported(agent, home);
  for (const pieces of cuts) expect(await followed(agent, home, pieces), `in ${pieces} pieces`).toEqual(whole);
});

// What is in several files does not grow at the same pace in all of them.
test.each(withSubAgents)('$name, with sub-agents, costs the same', async ({ agent, home }) => {
  expect(await followed(agent, home, 1)).toEqual(await imported(agent, home));
});

test('Claude Code costs the same also where it asks models for itself, which no call shows', async () => {
  const home = mkdtempSync(join(tmpdir(), 'glassbox-spent-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  cpSync(`${RECORDINGS}/projects`, join(home, '.claude/projects'), { recursive: true });
  const agent = agentOf('claude');
  expect(await followed(agent, home, 1)).toEqual(await imported(agent, home));
});

async function imported(agent: Agent, home: string): Promise<Map<string, unknown>> {
  const whole = new Map<string, unknown>();
  for (const one of await find(agent, home))
    whole.set(one.sessionId, spent((await readConversation(one, openForeign)).events));
  return whole;
}

function spent(events: Parameters<typeof accountOf>[0]) {
  const { tokens, usd } = accountOf(events);
  return { tokens, usd: usd?.toFixed(8) };
}

/** After each piece nothing comes for a while; nobody says that it is over. */
async function followed(agent: Agent, from: string, pieces: number): Promise<Map<string, unknown>> {
  const home = mkdtempSync(join(tmpdir(), 'glassbox-spent-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const sources = new Map<string, Known>();
  for (let piece = 1; piece <= pieces; piece += 1) {
    for (const path of filesIn(from)) grow(path, join(home, relative(from, path)), piece / pieces);
    for (const conversation of await find(agent, home)) {
      const { sessionId } = conversation;
      const known = (await readOn(sources.get(sessionId), conversation)) ?? (await readOn(undefined, conversation));
      if (!known) throw new Error(`${sessionId} cannot be read.`);
      known.moments.push(...known.source.settle());
      sources.set(sessionId, known);
    }
  }
  return new Map([...sources].map(([id, known]) => [id, spent(eventsIn(known.conversation, allOf(known)))] as const));
}

interface Known {
  source: Source;
  conversation: Conversation;
  moments: Moment[];
}

/** Nothing when it has to be told anew. */
async function readOn(before: Known | undefined, conversation: Conversation): Promise<Known | undefined> {
  const source = before?.source ?? createSource(conversation, openForeign);
  if (!source) return undefined;
  const moments = before?.moments ?? [];
  const growth = source.read(conversation);
  for (;;) {
    const next = await growth.next();
    if (next.done) return next.value === 'again' ? undefined : { source, conversation, moments };
    moments.push(...next.value);
  }
}

/** A turn that nobody ended is ended when the follower goes. */
function allOf({ source, moments }: Known): Moment[] {
  const count = (type: string) =>
    moments.filter(({ draft }) => draft.type === type && draft.parent === undefined).length;
  return count('turn-start') > count('turn-end') ? [...moments, ...source.end()] : moments;
}

function grow(source: string, path: string, share: number): void {
  mkdirSync(dirname(path), { recursive: true });
  if (!path.endsWith('.jsonl')) return void (share > 0.2 && cpSync(source, path));
  const before = existsSync(path) ? readFileSync(path).length : 0;
  const bytes = readFileSync(source);
  appendFileSync(path, bytes.subarray(before, Math.max(before, Math.round(bytes.length * share))));
}

async function find(agent: Agent, home: string): Promise<Conversation[]> {
  const places =
    home.includes('projects') || existsSync(join(home, '-v2-0-77-subagent'))
      ? [home]
      : transcriptFolders(agent, { env: {}, home });
  return (await Promise.all(places.map((place) => findConversations(agent, place, openForeign)))).flat();
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

function agentOf(kind: string): Agent {
  const agent = AGENTS.find(({ name }) => name === agentOfFolder(kind));
  if (!agent) throw new Error(`No agent is called ${kind}.`);
  return agent;
}

function homesIn(root: string) {
  if (!existsSync(root)) return [];
  return readdirSync(root).flatMap((kind) => {
    const agent = AGENTS.find(({ name }) => name === agentOfFolder(kind));
    if (!agent?.transcripts) return [];
    return readdirSync(join(root, kind)).map((name) => ({
      name: `${kind}/${name}`,
      agent,
      home: join(root, kind, name, 'home'),
    }));
  });
}
