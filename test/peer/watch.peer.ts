/**
 * What real agents do without glassbox is seen while they do it: their messages are in the store as soon as they are on disk. What glassbox runs
 * itself beside that is one session, in which everything is once.
 */
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import {
  findConversations,
  importConversations,
  transcriptFolders,
  watchTranscripts,
} from '../../src/archive/index.js';
import { requireAgent } from '../../src/decode/index.js';
import { type RunRequest, run } from '../../src/run/index.js';
import { openForeign } from '../../src/store/foreign.js';
import { keepRun, openStore, readListed, type SessionRecord, type Store } from '../../src/store/index.js';
import { PEERS } from './agents.js';
import { startHeadless } from './headless.js';
import { gate, type ModelTurn } from './model/turn.js';
import type { Peer } from './peer.js';
import { processesWith } from './sandbox.js';
import { createStage, type Stage } from './stage.js';
import { nameOf } from './table.js';

const WATCHED = new Set(['claude', 'codex', 'opencode', 'qwen', 'copilot', 'droid']);
const PATIENCE_MS = 140_000;

describe.each(PEERS.filter(({ agent }) => WATCHED.has(agent)).map((peer) => [nameOf(peer), peer] as const))(
  '%s',
  (_, peer) => {
    test.concurrent('is seen at work, and is one session when glassbox runs it', async () => {
      const { agent } = peer;
      const seen = gate();
      const turns: ModelTurn[] = [
        { ...peer.shell('echo one'), text: 'Looking around.' },
        { text: 'All is well.', hold: seen.promise },
        { ...peer.shell('echo two'), text: 'Looking again.' },
        { text: 'Still well.' },
      ];
      await using stage = await createStage(
        peer,
        () =>
          ({ n }) =>
            turns[n] ?? { text: 'Nothing more.' },
      );
      await using watched = await watch(peer, stage);
      const alone = startHeadless(peer, stage, 'please go on');
      const ended = once(alone, 'exit');
      // Its model says the rest only when this was seen.
      await watched.until('what it says first', ({ said }) => said.includes('Looking around.'));
      expect(alone.exitCode).toBe(null);
      seen.open();
      await ended;
      await watched.until('what it says last', ({ said }) => said.includes('All is well.'));
      const request: RunRequest = {
        agent,
        prompt: 'and again',
        program: stage.program,
        cwd: stage.sandbox.cwd,
        env: stage.env,
        permission: 'bypass',
        ...peer.request,
      };
      const { done } = keepRun(run(request), { store: watched.store });
      await done;
      await watched.stop();
      const before = await watched.look();
      await bringAll(peer, stage, watched.store);
      const after = await watched.look();
      expect(after.said).toEqual(['All is well.', 'Looking again.', 'Looking around.', 'Still well.']);
      expect(after.sessions.map(figures)).toEqual(before.sessions.map(figures));
      expect(after.sessions.map(({ turns }) => turns)).toEqual([1, 1]);
      expect(watched.doubled()).toEqual([]);
    });
  },
);

interface Look {
  sessions: SessionRecord[];
  /** Sorted. */
  said: string[];
}

async function watch(peer: Peer, stage: Stage) {
  const store = await openStore(':memory:');
  const stop = new AbortController();
  const doubled = new Set<string>();
  const changes = store.watch({ signal: stop.signal });
  const agent = requireAgent(peer.agent);
  const watching = watchTranscripts({
    agents: [agent],
    env: {},
    home: stage.sandbox.home,
    store,
    openDatabase: openForeign,
    signal: stop.signal,
  });
  const look = async (): Promise<Look> => {
    const sessions = (await store.list()).items;
    const said = await saidIn(store, sessions);
    for (const text of said) if (said.indexOf(text) !== said.lastIndexOf(text)) doubled.add(text);
    return { sessions, said };
  };
  const waiting = new Set<(seen: Look) => void>();
  const looking = (async () => {
    for await (const _ of changes) {
      const seen = await look();
      for (const wake of waiting) wake(seen);
    }
  })();
  const end = async (): Promise<void> => {
    stop.abort();
    await Promise.all([watching.done, looking]);
  };
  await watching.ready;
  return {
    store,
    look,
    /** What was there twice at any moment. */
    doubled: () => [...doubled],
    until: (what: string, holds: (seen: Look) => boolean) =>
      new Promise<void>((resolve, reject) => {
        const late = setTimeout(() => reject(new Error(`Not seen: ${what}`)), PATIENCE_MS);
        const check = (seen: Look): void => {
          if (!holds(seen)) return;
          clearTimeout(late);
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        void look().then(check, reject);
        looking.catch(reject);
      }),
    stop: end,
    async [Symbol.asyncDispose]() {
      for (const pid of processesWith(stage.sandbox.folder)) process.kill(pid, 'SIGKILL');
      await end();
      await store.close();
    },
  };
}

async function saidIn(store: Store, sessions: readonly SessionRecord[]): Promise<string[]> {
  const said: string[] = [];
  for (const { runId } of sessions.flatMap(({ runs }) => runs))
    for await (const event of readListed(store, runId)) if (event.type === 'text-end') said.push(event.text.trim());
  return said.sort();
}

const figures = ({ id, turns, toolCalls, usage, spent }: SessionRecord) => ({ id, turns, toolCalls, usage, spent });

async function bringAll(peer: Peer, stage: Stage, store: Store): Promise<void> {
  const agent = requireAgent(peer.agent);
  const places = transcriptFolders(agent, { env: {}, home: stage.sandbox.home });
  const found = await Promise.all(places.map((place) => findConversations(agent, place, openForeign)));
  await importConversations({ store, conversations: found.flat(), openDatabase: openForeign });
}
