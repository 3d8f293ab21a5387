/** A session as the cells of a row: what people need to tell it from others. */
import type { SessionRecord } from '../store/index.js';
import { money } from '../view/text/measure.js';
import { safeLine } from '../view/text/safe.js';
import { formatAgo } from './moment.js';
import type { Cell } from './table.js';

export interface Place {
  home: string;
  now?: number;
}

export function sessionCells(session: SessionRecord, { home, now }: Place): Cell[] {
  const { id, agent, updatedAt, spent, cwd, title } = session;
  return [
    { text: id, style: 'prefix' },
    { text: formatAgo(updatedAt, now), style: 'quiet' },
    { text: safeLine(agent, 16) },
    stateCell(session),
    { text: spent ? money(spent.usd, spent.origin) : '', right: true },
    { text: projectName(cwd, home), style: 'quiet' },
    { text: safeLine(title, 200) || '(no prompt)' },
  ];
}

function stateCell({ state, outcome }: Pick<SessionRecord, 'state' | 'outcome'>): Cell {
  if (state === 'waiting') return { text: '◆ waiting', style: 'notice' };
  if (state === 'running') return { text: '● running', style: 'result' };
  if (outcome === undefined) return { text: '· ended', style: 'quiet' };
  return outcome === 'finished' ? { text: '✔ finished' } : { text: `✖ ${outcome}`, style: 'error' };
}

/** `~/src/app`; a long one keeps its end, which says more. */
export function projectName(cwd: string | undefined, home: string): string {
  const path = safeLine(cwd?.startsWith(home) ? `~${cwd.slice(home.length)}` : (cwd ?? ''), 200);
  return path.length > 30 ? `…${path.slice(-29)}` : path;
}
