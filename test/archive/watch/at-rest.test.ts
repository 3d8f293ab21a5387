/** A conversation that was followed while it grew, in whatever order its files came, is in the store as the import tells it once it rests. */
import { appendFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { AGENTS, type Agent } from '../../../src/agent/index.js';
import { type Conversation, findConversations, transcriptFolders } from '../../../src/archive/index.js';
import { readConversation } from '../../../src/archive/read.js';
import { createFollower, type Follower } from '../../../src/archive/watch/follower.js';
import type { AgentEvent } from '../../../src/event/index.js';
import { openForeign } from '../../../src/store/foreign.js';
import { openStore, type Store } from '../../../src/store/index.js';
import { agentOfFolder } from '../../support/recordings.js';
import { accountOf } from '../account.js';

/** Which files come first: those of sub-agents are the ones whose names the conversation does not begin with. */
type Order = 'together' | 'main first' | 'sub-agents first';

const ORDERS: readonly Order[] = ['together', 'main first', 'sub-agents first'];
const several = homesIn('test/archive/recordings/several').filter(({ name }) => name.endsWith('/sub-agent'));
const inSeveralFiles = [...several, ...projects()];

test.each(inSeveralFiles.flatMap((one) => ORDERS.map((order) => ({ ...one, order }))))(
  '$name, $order',
  async ({ agent, home, order }) => {
    for (const pieces of [2, 7]) {
      const { told, whole } = await followed(agent, home, order, pieces);
      for (const [id, events] of whole)
        expect(accountOf(told.get(id) ?? []), `in ${pieces}`).toEqual(accountOf(events));
    }
  },
);

/** After each piece nothing comes for a while. */
async function followed(agent: Agent, from: string, order: Order, pieces: number) {
  const home = mkdtempSync(join(tmpdir(), 'glassbox-rest-'));
  const store = await openStore(join(home, 'store.db'));
  onTestFinished(async () => {
    await store.close();
    rmSync(home, { recursive: true, force: true });
  });
  const followers = new Map<string, Follower>();
  for (let piece = 1; piece <= pieces; piece += 1) {
    for (const path of filesIn(from))
      grow(path, join(home, relative(from, path)), shareOf(path, order, piece / pieces));
    for (const conversation of await find(agent, home)) {
      const { sessionId } = conversation;
      const follower = followers.get(sessionId) ?? followerOf(store, conversation);
      followers.set(sessionId, follower);
      await follower.look(conversation);
      await follower.settle();
    }
  }
  const [told, whole] = [new Map<string, AgentEvent[]>(), new Map<string, AgentEvent[]>()];
  for (const conversation of await find(agent, home)) {
    const { sessionId } = conversation;
    const follower = followers.get(sessionId);
    await (follower?.inTurn ? follower.close(conversation) : follower?.release(conversation));
    whole.set(sessionId, (await readConversation(conversation, openForeign)).events);
    told.set(sessionId, follower ? await kept(store, follower.runId) : []);
  }
  return { told, whole };
}

function followerOf(store: Store, conversation: Conversation): Follower {
  const rest = { isIgnored: () => false, bringOrigin: async () => undefined, onEvents() {} };
  return createFollower(conversation, { store, openDatabase: openForeign, ...rest });
}

async function kept(store: Store, runId: string): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  if (await store.session(runId)) for await (const event of store.read(runId)) events.push(event);
  return events;
}

function shareOf(path: string, order: Order, share: number): number {
  if (order === 'together') return share;
  const isSub = /^agent-/.test(basename(path)) || /subagents|chats\/[^/]+\//.test(path);
  return isSub === (order === 'sub-agents first') ? Math.min(1, share * 2) : Math.max(0, share * 2 - 1);
}

function grow(source: string, path: string, share: number): void {
  mkdirSync(dirname(path), { recursive: true });
  if (!isGrowing(path)) return void (share > 0.2 && cpSync(source, path));
  const before = existsSync(path) ? readFileSync(path).length : 0;
  const bytes = readFileSync(source);
  appendFileSync(path, bytes.subarray(before, Math.max(before, Math.round(bytes.length * share))));
}

function isGrowing(path: string): boolean {
  return path.endsWith('.jsonl');
}

async function find(agent: Agent, home: string): Promise<Conversation[]> {
  const env = { CLAUDE_CONFIG_DIR: home };
  const places = transcriptFolders(agent, { env, home });
  return (await Promise.all(places.map((place) => findConversations(agent, place, openForeign)))).flat();
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/recordings\/(homes|several)\b/.test(entry.parentPath))
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Of several generations of Claude Code. */
function projects() {
  const agent = AGENTS.find(({ name }) => name === 'claude');
  return agent ? [{ name: 'claude/projects', agent, home: 'test/archive/recordings' }] : [];
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
