/** All sessions as they change, and whether the server can be reached. */
import { atom, computed, map } from 'nanostores';
import type { AgentInfo, Presence, ServerHealth, SessionRecord } from '../../../client/index.js';
import { shownState } from '../../../presence/index.js';
import { callFor } from './attention.js';
import { $heard, $told, untilNeeded } from './listening.js';
import { beginOutage, endOutage } from './outage.js';
import { client, isLoggedOut } from './server.js';
import { takeSnapshot, takeUpdate } from './waiting.js';

export type Connection = 'opening' | 'open' | 'lost' | 'logged-out';

export const $connection = atom<Connection>('opening');
export const $health = atom<ServerHealth | undefined>();
/** Of the server's machine. */
export const $worktrees = computed($health, (health) => health?.worktrees ?? []);
export const $agents = atom<AgentInfo[]>([]);
/** By short id. */
export const $sessions = map<Record<string, SessionRecord>>({});
/** What those do that are not over, by short id. */
export const $presences = map<Record<string, Presence>>({});
/** Present while older sessions can be asked for. */
export const $olderCursor = atom<string | undefined>();

/** The last active first; those that wait for somebody before all others, and none that was put away. */
export const $sessionList = computed([$sessions, $presences], (sessions, presences) => {
  const listed = Object.values(sessions).filter(({ archived }) => !archived);
  const waiting = new Set(listed.filter((session) => isWaiting(session, presences)));
  return listed.sort(
    (left, right) => Number(waiting.has(right)) - Number(waiting.has(left)) || right.updatedAt - left.updatedAt,
  );
});

/** Never ends while the page is open. `onFirst`: when what is kept is known for the first time, and when what goes on is. */
export async function watchSessions(onFirst: () => void): Promise<void> {
  const known = new Set<string>();
  const firstOf = (type: string) => {
    if (known.has(type)) return;
    known.add(type);
    onFirst();
  };
  try {
    void loadSurroundings();
    for (;;) await hearSessions(await untilNeeded(), firstOf);
  } catch (error) {
    $connection.set(isLoggedOut(error) ? 'logged-out' : 'lost');
  }
}

/** Until this page no longer has to. */
async function hearSessions(signal: AbortSignal, firstOf: (type: string) => void): Promise<void> {
  const changes = client.watchSessions({
    signal,
    onConnection: (state) => {
      if (state === 'open' && $connection.get() === 'lost') void loadSurroundings();
      if (state === 'lost') beginOutage($sessions.get(), $health.get(), Date.now());
      $connection.set(state);
    },
  });
  for await (const message of changes) {
    $told.set(undefined);
    if (message.type === 'presence') {
      $presences.set(Object.fromEntries(message.presences.map(({ session, presence }) => [session, presence])));
      firstOf('presence');
      continue;
    }
    if (message.type === 'snapshot') {
      $sessions.set(byId(message.sessions));
      $olderCursor.set(message.cursor);
      takeSnapshot(message.approvals);
      endOutage($sessions.get(), Date.now());
      $heard.set($heard.get() + 1);
      firstOf('snapshot');
    } else {
      // It may work in a work tree that was made for it.
      if (message.sessions.some(({ id }) => !$sessions.get()[id])) void loadHealth();
      $sessions.set({ ...withoutMoved($sessions.get(), message.sessions), ...byId(message.sessions) });
      takeUpdate(message.sessions, message.approvals);
    }
    callFor(message.approvals);
  }
}

/** As it is after somebody changed something about it here. */
export function takeSession(session: SessionRecord): void {
  $sessions.setKey(session.id, session);
}

/** They were deleted here: what is removed is not announced. */
export function forgetSessions(ids: readonly string[]): void {
  $sessions.set(Object.fromEntries(Object.entries($sessions.get()).filter(([id]) => !ids.includes(id))));
}

/** Asks for a session and puts it into the list, unless the list heard of it meanwhile: that is newer, and nothing newer may follow. */
export async function loadSession(id: string): Promise<SessionRecord> {
  const before = $sessions.get()[id];
  const { presence: _, ...session } = await client.session(id);
  if (session.id === id && $sessions.get()[id] === before) $sessions.setKey(id, session);
  return session;
}

export async function loadOlder(): Promise<void> {
  const cursor = $olderCursor.get();
  if (cursor === undefined) return;
  const page = await client.sessions({ cursor, archived: false, limit: 100 });
  $sessions.set({ ...byId(page.items), ...$sessions.get() });
  $olderCursor.set(page.cursor);
}

async function loadSurroundings(): Promise<void> {
  await Promise.all([loadHealth(), client.agents().then((agents) => $agents.set(agents), noteLogout)]);
}

function loadHealth(): Promise<void> {
  return client.health().then((health) => $health.set(health), noteLogout);
}

function noteLogout(error: unknown): void {
  if (isLoggedOut(error)) $connection.set('logged-out');
}

function isWaiting(session: SessionRecord, presences: Readonly<Record<string, Presence>>): boolean {
  return shownState(session, presences[session.id]).tone === 'waiting';
}

/** A run that turns out to continue an older session moves there; what it leaves behind is not announced. */
function withoutMoved(known: Record<string, SessionRecord>, changed: readonly SessionRecord[]) {
  const places = new Map(changed.flatMap(({ id, runs }) => runs.map(({ runId }) => [runId, id])));
  const isHere = ({ id, runs }: SessionRecord) => runs.every(({ runId }) => (places.get(runId) ?? id) === id);
  return Object.fromEntries(Object.entries(known).filter(([, session]) => isHere(session)));
}

function byId(sessions: readonly SessionRecord[]): Record<string, SessionRecord> {
  return Object.fromEntries(sessions.map((session) => [session.id, session]));
}
