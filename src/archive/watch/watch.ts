/**
 * Follows the conversations of all agents of this machine into a store, while they happen: what was not started by glassbox is seen like what
 * was. It only reads what belongs to the agents. What is old and does not change is left to the import, but for words that were left for later.
 */
import type { Agent } from '../../agent/agent.js';
import type { Origin } from '../../agent/transcript.js';
import type { AgentEvent, Draft } from '../../event/index.js';
import type { RunRecord } from '../../store/record.js';
import type { Store } from '../../store/store.js';
import type { OpenDatabase } from '../database.js';
import { type Conversation, findConversations, transcriptFolders, type Unreadable } from '../find.js';
import { importConversations } from '../import.js';
import { findOrigin } from '../origin.js';
import { isTranscript } from '../read.js';
import { settleRun } from '../settle.js';
import { createCatalog, keyOf } from './catalog.js';
import { createFollower, type Follower } from './follower.js';
import { createQueue } from './queue.js';
import { watchDatabase } from './watch-database.js';
import { watchFolders } from './watch-folders.js';
import { readWords, type WordsProgress } from './words.js';

export interface WatchOptions {
  agents: readonly Agent[];
  env: Readonly<Record<string, string | undefined>>;
  home: string;
  /** A local one. */
  store: Store;
  /** For agents that keep their conversations in one. */
  openDatabase?: OpenDatabase;
  /** Instead of where the agents keep their conversations. */
  folders?: readonly string[];
  /** Files and projects that are not to be seen, by their paths. */
  isIgnored?: (path: string) => boolean;
  onNews?: (news: WatchNews) => void;
  /** The words of sessions of which only the figures are kept are wanted too, when the rest was read; tells how far that came. */
  onWords?: (progress: WordsProgress) => void;
  /** Something could not be read, or not be kept; told once for each path. */
  onTrouble?: (trouble: Unreadable) => void;
  /** Whether something has the session of this run, which is in a turn and says nothing. Without it nobody can tell. */
  lifeOf?: (runId: string) => Promise<Life>;
  signal: AbortSignal;
  pace?: Partial<WatchPace>;
}

export type Life = 'live' | 'ended' | 'unknown';

/** What was read of a conversation, after the store had it. */
export interface WatchNews {
  agent: string;
  /** The agent's own id. */
  sessionId: string;
  runId: string;
  /** The main file first. */
  files: readonly string[];
  /** When it was seen. */
  seenAt: number;
  /** A turn is open, as far as the conversation tells. */
  inTurn: boolean;
  events: readonly AgentEvent[];
}

export interface WatchPace {
  /** Conversations that changed so long ago or less are read at the beginning. */
  recentMs: number;
  /** After so much silence a turn that was answered is over. */
  settleMs: number;
  /** … nobody owns the run of a conversation that is between turns. */
  releaseMs: number;
  /** … it is forgotten, and read from its beginning when it goes on. */
  forgetMs: number;
  /** How often everything is walked through, for what the system did not tell. */
  walkMs: number;
}

export interface Watching {
  /** What was there at the beginning is known, and what is recent of it is being read. */
  readonly ready: Promise<void>;
  /** Resolves when what is on disk by now has been read. */
  catchUp(): Promise<void>;
  /** After the signal: everything is written and let go. */
  readonly done: Promise<void>;
  /** Somebody knows that this file of the agent grew. */
  nudge(path: string): void;
  /** Puts events into the run of a conversation that is followed; nothing when it is not. */
  emit(agent: string, sessionId: string, drafts: readonly Draft[]): Promise<AgentEvent[]>;
}

const PACE: WatchPace = {
  recentMs: 24 * 3600_000,
  settleMs: 1500,
  releaseMs: 5000,
  forgetMs: 30 * 60_000,
  walkMs: 120_000,
};
/** So many conversations are kept in memory; those that were quiet for longest are forgotten first. */
const MOST_FOLLOWED = 64;
const TICK_MS = 500;
/** Whether a quiet turn still has somebody is asked at least so often. */
const LIFE_MS = 30_000;
/** What a run of glassbox works at is looked at so often, in case nobody says that it is over. */
const BUSY_MS = 10_000;

interface Followed {
  follower: Follower;
  agent: Agent;
  sessionId: string;
  conversation: Conversation;
  grownAt: number;
  isSettled: boolean;
  isReleased: boolean;
  /** Then it is asked again whether somebody has it. */
  lifeAt?: number;
  life?: Life;
  /** Somebody else works at it now. */
  isBusy?: boolean;
  /** Then it is looked at again. */
  again?: NodeJS.Timeout;
}

export function watchTranscripts(options: WatchOptions): Watching {
  const { agents, store, openDatabase, signal, onNews, isIgnored = () => false } = options;
  const pace = { ...PACE, ...options.pace };
  const catalog = createCatalog(openDatabase);
  const followed = new Map<string, Followed>();
  const troubled = new Set<string>();
  const beingHeard = new Set<Promise<void>>();
  let finish = () => {};
  const done = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const queue = createQueue();
  const places = agents.flatMap((agent) =>
    (options.folders ?? transcriptFolders(agent, options)).map((folder) => ({ agent, folder })),
  );
  const databases = watchDatabase({
    openDatabase,
    since: Date.now() - pace.recentMs,
    onConversation,
    onTrouble,
    signal,
  });
  const folders = watchFolders({
    folders: [...new Set(places.map(({ folder }) => folder))],
    home: options.home,
    isWanted: (folder, place) => readersOf(folder).some((agent) => isFileOf(agent, place)),
    onFile(folder, path) {
      const one = hear(folder, path);
      beingHeard.add(one);
      void one.finally(() => beingHeard.delete(one));
    },
    onGone: (path) => catalog.forget(path),
    onTrouble,
    since: Date.now() - pace.recentMs,
    signal,
    walkMs: pace.walkMs,
  });
  /** Runs of glassbox, with what was last heard of each. */
  const heard = new Map<string, string>();
  // Listened from the beginning, so that no run falls in between.
  const changes = store.watch({ signal });
  const hearing = hearRuns().catch(({ message }: Error) => onTrouble(store.location, message));
  const words = bringWords().catch(({ message }: Error) => onTrouble(store.location, message));
  const tick = setInterval(() => void settle(), TICK_MS);
  signal.addEventListener('abort', () => void stop(), { once: true });
  if (signal.aborted) void stop();

  return {
    ready: folders.ready,
    async catchUp() {
      await folders.walk();
      await Promise.all(beingHeard);
      await databases.idle();
      await queue.idle();
    },
    done,
    nudge: (path) => folders.look(path),
    async emit(agent, sessionId, drafts) {
      const key = keyOf({ name: agent }, sessionId);
      const known = followed.get(key);
      return known ? queue.add(key, () => known.follower.emit(drafts)) : [];
    },
  };

  function readersOf(folder: string): Agent[] {
    return places.filter((place) => place.folder === folder).map(({ agent }) => agent);
  }

  function onTrouble(path: string, message: string): void {
    if (troubled.has(path)) return;
    troubled.add(path);
    options.onTrouble?.({ path, message });
  }

  async function hear(folder: string, path: string): Promise<void> {
    if (isIgnored(path)) return;
    const place = path.slice(folder.length + 1).replaceAll('\\', '/');
    for (const agent of readersOf(folder)) {
      const { database } = agent.transcripts ?? {};
      if (database && isFileOf(agent, place)) databases.look(agent, path.replace(/-wal$/, ''));
      else if (isFileOf(agent, place)) {
        const sessionId = await catalog.identify(agent, folder, path);
        if (sessionId !== undefined) onConversation(agent, sessionId);
      }
    }
  }

  /** Something of it may be new. Looks at the same conversation wait for each other, and one that waits is enough. */
  function onConversation(agent: Agent, sessionId: string, database?: string): void {
    if (database !== undefined) catalog.note(agent, sessionId, database);
    const key = keyOf(agent, sessionId);
    queue.once(key, () => look(agent, sessionId, key));
  }

  async function look(agent: Agent, sessionId: string, key: string): Promise<void> {
    if (signal.aborted) return;
    const conversation = await catalog.find(agent, sessionId);
    if (!conversation) return;
    const known = followed.get(key) ?? (await begin(conversation));
    if (!known) return;
    // The last one in the map is the last one that grew.
    followed.delete(key);
    followed.set(key, known);
    try {
      Object.assign(known, { conversation, grownAt: Date.now(), isSettled: false, isReleased: false, lifeAt: 0 });
      const what = await known.follower.look(conversation);
      known.isBusy = what === 'busy';
      clearTimeout(known.again);
      // Whoever works at it says so when it is done; one that was killed may not.
      if (known.isBusy) known.again = setTimeout(() => onConversation(agent, sessionId), BUSY_MS).unref();
      if (what === 'shared') await bring(conversation);
      if (what === 'shared' || what === 'elsewhere') followed.delete(key);
      await makeRoom();
    } catch (error) {
      followed.delete(key);
      onTrouble(conversation.files[0]?.path ?? '', (error as Error).message);
    }
  }

  /** What is in the store as it is on disk needs nobody. Whether another process follows it shows when it is begun: that one may be gone. */
  async function begin(conversation: Conversation): Promise<Followed | undefined> {
    const { agent, sessionId, files, state } = conversation;
    const follower = createFollower(conversation, {
      store,
      openDatabase,
      isIgnored,
      bringOrigin,
      onEvents: (events) =>
        onNews?.({
          agent: agent.name,
          sessionId,
          runId: follower.runId,
          files: files.map(({ path }) => path),
          seenAt: Date.now(),
          inTurn: follower.inTurn,
          events,
        }),
    });
    const session = await store.session(follower.runId);
    const run = session?.runs.find(({ runId }) => runId === follower.runId);
    if (run && run.sourceState === state) return undefined;
    return { follower, agent, sessionId, conversation, grownAt: 0, isSettled: false, isReleased: false };
  }

  /** Runs of glassbox come, say which conversation they are, and end: then it is seen otherwise than before. */
  async function hearRuns(): Promise<void> {
    for await (const sessions of changes) {
      for (const session of sessions) {
        const runs = session.runs.filter(({ runId }) => !isTranscript(runId));
        for (const run of runs) await hearRun(run);
      }
    }
  }

  async function hearRun({ runId, agent: name, agentSessionId, state }: RunRecord): Promise<void> {
    const isOver = state === 'ended';
    const now = isOver ? 'ended' : `called ${agentSessionId}`;
    if (heard.get(runId) === now) return;
    heard.set(runId, now);
    for (const { agent, sessionId, isBusy } of followed.values())
      if (agent.name === name && (isBusy || sessionId === agentSessionId)) onConversation(agent, sessionId);
    const agent = agents.find((one) => one.name === name);
    if (!isOver || !agent) return;
    const { hasOtherIds } = agent.transcripts ?? {};
    await queue
      .add(keyOf(agent, agentSessionId ?? ''), () => settleRun(store, runId, { hasOtherIds }))
      .catch(({ message }: Error) => onTrouble(store.location, message));
  }

  async function bring(conversation: Conversation): Promise<void> {
    await importConversations({ store, conversations: [conversation], ...(openDatabase && { openDatabase }), signal });
  }

  async function bringWords(): Promise<void> {
    const { onWords } = options;
    if (!onWords) return;
    await folders.ready;
    await queue.idle();
    const inTurn = ({ agent, sessionId }: Conversation, work: () => Promise<void>) =>
      queue.add(keyOf(agent, sessionId), work);
    await readWords({ store, places, openDatabase, isIgnored, inTurn, onProgress: onWords, onTrouble, signal });
  }

  async function bringOrigin(copy: Conversation, { forkOf, copiedFrom }: Origin): Promise<string | undefined> {
    if (copiedFrom === undefined && (forkOf === undefined || forkOf === copy.sessionId)) return undefined;
    const own = places.filter(({ agent }) => agent === copy.agent);
    const found = await Promise.all(own.map(({ agent, folder }) => findConversations(agent, folder, openDatabase)));
    const others = found.flat();
    const origin =
      copiedFrom === undefined
        ? others.find(({ sessionId }) => sessionId === forkOf)
        : findOrigin(
            copiedFrom,
            copy,
            others.filter(({ sessionId }) => sessionId !== copy.sessionId),
          );
    if (origin && !followed.has(keyOf(origin.agent, origin.sessionId))) await bring(origin);
    return origin?.sessionId;
  }

  async function settle(): Promise<void> {
    for (const [key, one] of followed) {
      const quietMs = Date.now() - one.grownAt;
      const { follower, conversation } = one;
      if (!one.isSettled && quietMs >= pace.settleMs) {
        one.isSettled = true;
        await attempt(key, () => follower.settle());
      }
      if (!one.isReleased && quietMs >= pace.releaseMs && !follower.inTurn) {
        one.isReleased = true;
        await attempt(key, () => follower.release(conversation));
      }
      const isOpen = follower.inTurn && quietMs >= pace.releaseMs && (await lifeOf(one, quietMs));
      if (isOpen === 'ended' || (quietMs >= pace.forgetMs && isOpen !== 'live')) await leave(key, one);
    }
  }

  /** A turn may take hours, as one that waits for a person, and a program that was killed says nothing. The longer it is quiet, the less often it is asked. */
  async function lifeOf(one: Followed, quietMs: number): Promise<Life> {
    const { lifeAt = 0, life = 'unknown', follower } = one;
    const now = Date.now();
    if (now < lifeAt) return life;
    one.lifeAt = now + Math.min(LIFE_MS, quietMs / 2);
    one.life = (await options.lifeOf?.(follower.runId).catch(() => undefined)) ?? 'unknown';
    return one.life;
  }

  /** Asked within a turn of the queue: of those that nobody works at. */
  async function makeRoom(): Promise<void> {
    if (followed.size <= MOST_FOLLOWED) return;
    for (const [key, { follower, conversation, again }] of followed) {
      const leaving = follower.inTurn ? undefined : queue.within(key, () => follower.close(conversation));
      if (!leaving) continue;
      clearTimeout(again);
      followed.delete(key);
      await leaving.catch(({ message }: Error) => onTrouble(conversation.files[0]?.path ?? '', message));
      return;
    }
  }

  async function leave(key: string, { follower, conversation, again }: Followed): Promise<void> {
    clearTimeout(again);
    followed.delete(key);
    await attempt(key, () => follower.close(conversation));
  }

  async function attempt(key: string, work: () => Promise<void>): Promise<void> {
    const one = followed.get(key);
    await queue.add(key, work).catch((error: Error) => {
      followed.delete(key);
      if (one) onTrouble(one.conversation.files[0]?.path ?? '', error.message);
    });
  }

  async function stop(): Promise<void> {
    clearInterval(tick);
    await Promise.all([folders.ready, hearing, words]);
    await queue.idle();
    for (const [key, one] of [...followed]) await leave(key, one);
    finish();
  }
}

function isFileOf({ transcripts }: Agent, place: string): boolean {
  const database = transcripts?.database?.file;
  if (database !== undefined && (place === database || place === `${database}-wal`)) return true;
  return transcripts?.files.test(place) ?? false;
}
