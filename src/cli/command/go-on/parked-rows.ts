/** What is parked, as rows: which limit, when it ends, when the session goes on. */
import { homedir } from 'node:os';
import { type Parked, tellParked } from '../../../parking/index.js';
import { createPaint } from '../../../view/text/palette.js';
import { safeJson, safeLine } from '../../../view/text/safe.js';
import { duration, limitName } from '../../../word/index.js';
import { wantsColor } from '../../print/color.js';
import { projectName } from '../../print/session-cell.js';
import { fittedTable } from '../../print/table.js';
import type { GoOnFlags } from './command.js';

const COLUMNS = [
  { head: 'ID' },
  { head: 'AGENT', leaves: 2 },
  { head: 'LIMIT', leaves: 1 },
  { head: 'ENDS', right: true },
  { head: 'GOES ON' },
  { head: 'FOLDER', leaves: 0 },
  { head: 'ABOUT', leaves: 3 },
];

export function parkedLines(
  all: readonly Parked[],
  { json, color }: Pick<GoOnFlags, 'json' | 'color'>,
  { stdout, env }: NodeJS.Process,
  now: number = Date.now(),
): string[] {
  if (json) return all.map((one) => safeJson({ schema: 1, ...tellParked(one) }));
  if (all.length === 0) return [];
  const rows = all.map(({ record, session, isAwaited }) => {
    const { agent, window = '', until, goesOnAt, failed, cwd } = record;
    const when =
      goesOnAt === undefined
        ? (failed ?? 'when you say so')
        : `${inTime(goesOnAt, now)}${isAwaited ? '' : ', by serve'}`;
    return [
      session.id,
      agent,
      limitName(window),
      inTime(until, now),
      when,
      projectName(cwd, homedir()),
      session.title,
    ].map((text) => ({ text: safeLine(text, 200) }));
  });
  return fittedTable(COLUMNS, rows, createPaint(wantsColor(color, stdout, env)), stdout.columns);
}

const inTime = (at: number, now: number): string => (at > now ? `in ${duration(at - now)}` : 'now');
