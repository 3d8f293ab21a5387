/** A session as the cells of a row: what people need to tell it from others. */

import { formatAgo } from '../../client/moment.js';
import { isTelling, tellMoney } from '../../ledger/index.js';
import { type Presence, type ShownState, shownState } from '../../presence/index.js';
import type { SessionRecord } from '../../store/index.js';
import { safeLine } from '../../view/text/safe.js';
import { duration } from '../../word/index.js';
import { presenceCell } from './presence-text.js';
import type { Cell, Column } from './table.js';

/** Their heads, and in which order they leave where there is no room for all: what has no number stays. */
export const SESSION_COLUMNS: readonly Column[] = [
  { head: 'ID' },
  { head: 'ACTIVE', leaves: 5 },
  { head: 'AGENT', leaves: 4, isSharedOften: true },
  { head: 'STATE', leaves: 7 },
  { head: 'TOOK', leaves: 2, right: true },
  { head: 'COST', leaves: 6, right: true },
  { head: 'MODEL', leaves: 1, isSharedOften: true },
  { head: 'FOLDER', leaves: 3, isSharedOften: true },
  { head: 'ABOUT' },
];

export interface Place {
  home: string;
  /** The directory that folders are told from. */
  here?: string;
  now?: number;
  /** What it does now; without it, what is kept of it. */
  presence?: Presence | undefined;
}

export function sessionCells(session: SessionRecord, { now, presence, ...place }: Place): Cell[] {
  const { id, agent, updatedAt, spent, usage, cwd, title, model, pinned } = session;
  const tookMs = timeOf(session, now);
  return [
    { text: id, style: 'prefix' },
    { text: formatAgo(updatedAt, now), style: 'quiet' },
    { text: safeLine(agent, 16) },
    stateCell(shownState(session, presence)),
    { text: tookMs === undefined ? '' : duration(tookMs), style: 'quiet', right: true },
    { text: spent ? tellMoney(spent) : isTelling(usage) ? 'unknown' : '', right: true },
    { text: safeLine(model, 20), style: 'quiet' },
    { text: folderName(cwd, place), style: 'quiet' },
    { text: `${pinned ? '★ ' : ''}${safeLine(title, 200) || '(no prompt)'}` },
  ];
}

/** What its runs took together; of one that lives so far. */
function timeOf({ runs }: SessionRecord, now = Date.now()): number | undefined {
  const times = runs
    .filter(({ onlyFigures }) => !onlyFigures)
    .map(({ state, startedAt, endedAt, updatedAt }) => (state === 'ended' ? (endedAt ?? updatedAt) : now) - startedAt);
  return times.length === 0 ? undefined : times.reduce((sum, ms) => sum + Math.max(0, ms), 0);
}

/** One that glassbox did not start and does not keep, in the same columns. */
export function seenCells(seen: SeenSession, { now, ...place }: Place): Cell[] {
  const { agent, cwd, title = '', presence } = seen;
  return [
    { text: seenName(seen), style: 'prefix' },
    { text: presence.since === undefined ? '' : formatAgo(presence.since, now), style: 'quiet' },
    { text: safeLine(agent, 16) },
    presenceCell(presence),
    ...['', '', ''].map((text) => ({ text })),
    { text: folderName(cwd, place), style: 'quiet' },
    { text: safeLine(title, 200) || (seen.isUnnamed ? '(nothing written yet)' : '(not kept)') },
  ];
}

/** Enough of its id to name it by. */
export function seenName({ sessionId = '', isUnnamed }: Pick<SeenSession, 'sessionId' | 'isUnnamed'>): string {
  return isUnnamed ? sessionId : safeLine(sessionId.slice(0, 8), 8);
}

export interface SeenSession {
  agent: string;
  sessionId?: string;
  isUnnamed?: true;
  cwd?: string;
  title?: string;
  presence: Presence;
}

/** How it ended says more than that it did. */
function stateCell({ word, tone }: ShownState): Cell {
  if (tone === 'finished') return { text: `✔ ${word}` };
  if (tone === 'failed' || tone === 'stopped') return { text: `✖ ${word}`, style: 'error' };
  return presenceCell({ state: tone });
}

/** From here where that is shorter: `.`, `./app`. */
function folderName(cwd: string | undefined, { home, here }: Pick<Place, 'home' | 'here'>): string {
  if (cwd === undefined || here === undefined || here === '/' || (cwd !== here && !cwd.startsWith(`${here}/`)))
    return projectName(cwd, home);
  return projectName(`.${cwd.slice(here.length)}`, home);
}

/** `~/src/app`; a long one keeps its end, which says more. */
export function projectName(cwd: string | undefined, home: string, longest = 30): string {
  const rest = cwd?.startsWith(home) ? cwd.slice(home.length) : undefined;
  // Not a folder beside it whose name begins alike.
  const isBelow = rest !== undefined && (rest === '' || /^[\\/]/.test(rest));
  const path = safeLine(isBelow ? `~${rest}` : (cwd ?? ''), 200);
  return path.length > longest ? `…${path.slice(1 - longest)}` : path;
}
