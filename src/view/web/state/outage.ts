/** What became of the agents while the server was out of reach: told when it is back, and what may become of them meanwhile. */
import { atom } from 'nanostores';
import type { ServerHealth, SessionRecord } from '../../../client/index.js';
import { counted } from '../../../word/index.js';
import { waitedText } from '../text/waited.js';

/** The last one; absent when nothing was lost, or somebody has read it. */
export interface Outage {
  from: number;
  /** Absent while it lasts. */
  to?: number;
  /** At work when the connection was lost: whether the server runs it itself. */
  before: { id: string; isOwn: boolean }[];
  /** Those that have ended meanwhile, and those that go on. */
  ended: string[];
  goingOn: string[];
}

export const $outage = atom<Outage | undefined>();

type Sessions = Readonly<Record<string, SessionRecord>>;

export function beginOutage(sessions: Sessions, health: ServerHealth | undefined, now: number): void {
  if ($outage.get() && $outage.get()?.to === undefined) return;
  const live = Object.values(sessions).filter(({ state }) => state !== 'ended');
  const before = live.map(({ id, runs }) => ({ id, isOwn: runs.some(({ owner }) => owner?.pid === health?.pid) }));
  $outage.set({ from: now, before, ended: [], goingOn: [] });
}

/** `sessions`: as they are now. One that is not among them is too old to be told about. */
export function endOutage(sessions: Sessions, now: number): void {
  const outage = $outage.get();
  if (!outage || outage.to !== undefined) return;
  const ids = outage.before.map(({ id }) => id).filter((id) => sessions[id] !== undefined);
  const ended = ids.filter((id) => sessions[id]?.state === 'ended');
  $outage.set({ ...outage, to: now, ended, goingOn: ids.filter((id) => !ended.includes(id)) });
}

export function outageText(outage: Outage, now: number): string {
  const { from, to, before, ended, goingOn } = outage;
  if (to !== undefined) return `Back after ${waitedText(to - from)}. ${becameText(ended, goingOn)}`;
  const own = before.filter(({ isOwn }) => isOwn).length;
  const others = before.length - own;
  const parts = [
    `The server has not answered for ${waitedText(now - from)}. Trying again; what you see and what you wrote stays.`,
    own > 0 &&
      `${counted(own, 'agent')} that it runs: ended if the server was stopped, still at work if only the connection is gone.`,
    others > 0 && `${counted(others, 'agent')} of other programs: not touched by it.`,
  ];
  return parts.filter(Boolean).join(' ');
}

function becameText(ended: readonly string[], goingOn: readonly string[]): string {
  if (ended.length + goingOn.length === 0) return 'No agent was at work.';
  const parts = [
    goingOn.length > 0 && `${named(goingOn)} ${goingOn.length === 1 ? 'goes' : 'go'} on`,
    ended.length > 0 && `${named(ended)} ${ended.length === 1 ? 'has' : 'have'} ended`,
  ].filter(Boolean);
  return `${parts.join(', ')}.`;
}

const MOST_NAMED = 3;

function named(ids: readonly string[]): string {
  return ids.length > MOST_NAMED ? counted(ids.length, 'agent') : ids.join(', ');
}
