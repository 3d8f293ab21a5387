/** Sessions in the order in which they need somebody: what waits first, the longest first; then what works, and so on to what has ended. */
import { lineFor } from '../../consent/index.js';
import { type ShownState, shownState } from '../../presence/index.js';
import type { Listed } from './state.js';

export const GROUPS = ['waiting', 'working', 'idle', 'parked', 'unknown', 'ended'] as const;

export type Group = (typeof GROUPS)[number];

const states = new WeakMap<Listed, ShownState>();

export function stateOf(listed: Listed): ShownState {
  const known = states.get(listed) ?? shownState(listed.session, listed.presence);
  states.set(listed, known);
  return known;
}

export function groupOf(listed: Listed): Group {
  const { tone } = stateOf(listed);
  return tone === 'finished' || tone === 'stopped' || tone === 'failed' ? 'ended' : tone;
}

/** Within what works nothing moves while it works: the last started stands first. */
export function inOrder(sessions: readonly Listed[]): Listed[] {
  return sessions
    .map((listed) => ({ listed, rank: GROUPS.indexOf(groupOf(listed)) }))
    .sort((a, b) => a.rank - b.rank || orderIn(a.rank, a.listed, b.listed))
    .map(({ listed }) => listed);
}

function orderIn(rank: number, a: Listed, b: Listed): number {
  const byTime =
    rank === 0
      ? waitsSince(a) - waitsSince(b)
      : GROUPS[rank] === 'ended'
        ? b.session.updatedAt - a.session.updatedAt
        : b.session.startedAt - a.session.startedAt;
  return byTime || (a.session.id < b.session.id ? -1 : 1);
}

function waitsSince({ session, presence, questions }: Listed): number {
  return questions[0]?.request.at ?? presence?.since ?? session.updatedAt;
}

/** Since when it is as it is, where that is known. */
export function since(listed: Listed): number | undefined {
  return groupOf(listed) === 'waiting' ? waitsSince(listed) : listed.presence?.since;
}

/** What it waits for, in one line; undefined where it waits for nothing that is known. */
export function awaited({ presence, questions }: Listed): string | undefined {
  const [first] = questions;
  if (first) return lineFor(first.request);
  return presence?.state === 'waiting' ? presence.for?.text : undefined;
}
