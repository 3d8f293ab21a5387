/** What a session does, as people read it. */
import type { Presence } from '../../presence/index.js';
import { safeLine } from '../../view/text/safe.js';
import { duration } from '../../word/index.js';
import type { Cell } from './table.js';

/** `waiting for 12s: permission prompt`. */
export function presenceText(presence: Presence, now: number): string {
  const { state, since, for: awaited } = presence;
  const age = since === undefined ? '' : ` for ${duration(Math.max(0, now - since))}`;
  return `${state}${state === 'unknown' ? '' : age}${awaited ? `: ${awaited.text}` : ''}`;
}

const MARKS = { working: '●', waiting: '◆', idle: '○', parked: '◌', ended: '·', unknown: '?' } as const;
const STYLES = {
  working: 'result',
  waiting: 'notice',
  idle: 'quiet',
  parked: 'quiet',
  ended: 'quiet',
  unknown: 'quiet',
} as const;

export function presenceCell({ state }: Pick<Presence, 'state'>): Cell {
  return { text: `${MARKS[state]} ${state}`, style: STYLES[state] };
}

/** What it waits for, under its row. `id` is that of a session that is kept. */
export function awaitedLine(presence: Presence, width: number, id?: string, now = Date.now()): string | undefined {
  const { state, for: awaited, until, because } = presence;
  const line = (text: string) => `  ${safeLine(text, Math.min(width - 2, 200))}`;
  if (awaited) return line(`waits for: ${awaited.text}`);
  if (state !== 'parked' || until === undefined || id === undefined) return undefined;
  const when = until > now ? `in ${duration(until - now)}` : 'now';
  const why = because.find(({ says }) => says === 'parked')?.text ?? '';
  return line(
    `${/by itself$/.test(why) && !/not go on/.test(why) ? 'goes' : 'can go'} on ${when}: glassbox go-on ${id} · ${why}`,
  );
}
