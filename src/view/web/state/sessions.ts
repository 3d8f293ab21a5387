/** All sessions as they change, and whether the server can be reached. */
import { atom, computed, map } from 'nanostores';
import type { AgentInfo, ApprovalRecord, Health, SessionRecord } from '../../../client/index.js';
import { tellWaiting } from './attention.js';
import { client, isLoggedOut } from './server.js';

export type Connection = 'opening' | 'open' | 'lost' | 'logged-out';

export const $connection = atom<Connection>('opening');
export const $health = atom<Health | undefined>();
export const $agents = atom<AgentInfo[]>([]);
/** By short id. */
export const $sessions = map<Record<string, SessionRecord>>({});
/** Present while older sessions can be asked for. */
export const $olderCursor = atom<string | undefined>();

/** The last active first; those that wait for somebody before all others. */
export const $sessionList = computed($sessions, (sessions) =>
  Object.values(sessions).sort(
    (left, right) => Number(right.waiting > 0) - Number(left.waiting > 0) || right.updatedAt - left.updatedAt,
  ),
);

/** Never ends while the page is open. */
export async function watchSessions(): Promise<void> {
  try {
    void loadSurroundings();
    const changes = client.watchSessions({
      onConnection: (state) => {
        if (state === 'open' && $connection.get() === 'lost') void loadSurroundings();
        $connection.set(state);
      },
    });
    for await (const message of changes) {
      if (message.type === 'snapshot') {
        $sessions.set(byId(message.sessions));
        $olderCursor.set(message.cursor);
      } else $sessions.set({ ...$sessions.get(), ...byId(message.sessions) });
      announce(message.approvals);
    }
  } catch (error) {
    $connection.set(isLoggedOut(error) ? 'logged-out' : 'lost');
  }
}

/** Puts what another request learned into the list. */
export function rememberSession(session: SessionRecord): void {
  $sessions.setKey(session.id, session);
}

export async function loadOlder(): Promise<void> {
  const cursor = $olderCursor.get();
  if (cursor === undefined) return;
  const page = await client.sessions({ cursor, limit: 100 });
  $sessions.set({ ...byId(page.items), ...$sessions.get() });
  $olderCursor.set(page.cursor);
}

async function loadSurroundings(): Promise<void> {
  const note = (error: unknown) => {
    if (isLoggedOut(error)) $connection.set('logged-out');
  };
  await Promise.all([
    client.health().then((health) => $health.set(health), note),
    client.agents().then((agents) => $agents.set(agents), note),
  ]);
}

function announce(approvals: readonly ApprovalRecord[]): void {
  const sessions = Object.values($sessions.get());
  tellWaiting(sessions.filter(({ waiting }) => waiting > 0).length, approvals);
}

function byId(sessions: readonly SessionRecord[]): Record<string, SessionRecord> {
  return Object.fromEntries(sessions.map((session) => [session.id, session]));
}
