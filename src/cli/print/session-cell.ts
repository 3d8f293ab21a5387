/** A session as the cells of a row: what people need to tell it from others. */
import { isTelling, tellMoney } from '../../ledger/index.js';
import { type Presence, type ShownState, shownState } from '../../presence/index.js';
import type { SessionRecord } from '../../store/index.js';
import { safeLine } from '../../view/text/safe.js';
import { formatAgo } from '../flag/moment.js';
import { presenceCell } from './presence-text.js';
import type { Cell } from './table.js';

export interface Place {
  home: string;
  now?: number;
  /** What it does now; without it, what is kept of it. */
  presence?: Presence | undefined;
}

export function sessionCells(session: SessionRecord, { home, now, presence }: Place): Cell[] {
  const { id, agent, updatedAt, spent, usage, cwd, title } = session;
  return [
    { text: id, style: 'prefix' },
    { text: formatAgo(updatedAt, now), style: 'quiet' },
    { text: safeLine(agent, 16) },
    stateCell(shownState(session, presence)),
    { text: spent ? tellMoney(spent) : isTelling(usage) ? 'unknown' : '', right: true },
    { text: projectName(cwd, home), style: 'quiet' },
    { text: safeLine(title, 200) || '(no prompt)' },
  ];
}

/** One that glassbox did not start and does not keep, in the same columns. */
export function seenCells(seen: SeenSession, { home, now }: Place): Cell[] {
  const { agent, sessionId = '', cwd, title = '', presence } = seen;
  return [
    { text: safeLine(sessionId.slice(0, 8), 8), style: 'prefix' },
    { text: presence.since === undefined ? '' : formatAgo(presence.since, now), style: 'quiet' },
    { text: safeLine(agent, 16) },
    presenceCell(presence),
    { text: '', right: true },
    { text: projectName(cwd, home), style: 'quiet' },
    { text: safeLine(title, 200) || '(not kept)' },
  ];
}

export interface SeenSession {
  agent: string;
  sessionId?: string;
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

/** `~/src/app`; a long one keeps its end, which says more. */
export function projectName(cwd: string | undefined, home: string): string {
  const path = safeLine(cwd?.startsWith(home) ? `~${cwd.slice(home.length)}` : (cwd ?? ''), 200);
  return path.length > 30 ? `…${path.slice(-29)}` : path;
}
