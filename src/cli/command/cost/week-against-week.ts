/** This week against last: until now, until the same moment then, and all of it. Weeks begin on Monday, at midnight here. */

import { tellMoney } from '../../../ledger/index.js';
import type { Filter, StoreReader } from '../../../store/index.js';
import type { Cell } from '../../print/table.js';
import { type Sums, sumOf } from './cost-table.js';

export interface WeekAgainstWeek {
  thisWeek: Sums & { since: number };
  /** Until the same moment a week ago. */
  lastWeekByNow: Sums & { since: number; until: number };
  lastWeek: Sums & { since: number; until: number };
}

export async function weekAgainstWeek(
  store: Pick<StoreReader, 'totals'>,
  filter: Filter,
  now = Date.now(),
): Promise<WeekAgainstWeek> {
  const begins = mondayBefore(now, 0);
  const before = mondayBefore(now, 7);
  const then = sameTimeAWeekAgo(now);
  const sums = async <Time extends Pick<Filter, 'since' | 'until'>>(time: Time) => ({
    ...time,
    ...sumOf(await store.totals({ ...filter, by: 'agent', ...time })),
  });
  return {
    thisWeek: await sums({ since: begins }),
    lastWeekByNow: await sums({ since: before, until: then }),
    lastWeek: await sums({ since: before, until: begins }),
  };
}

/** Nothing in both weeks says nothing. */
export function weekRows({ thisWeek, lastWeekByNow, lastWeek }: WeekAgainstWeek): Cell[][] {
  if (!thisWeek.spent && !lastWeek.spent) return [];
  const row = (name: string, { spent, usage }: Sums, change = ''): Cell[] => [
    { text: name, style: 'quiet' },
    { text: spent ? tellMoney(spent) : Object.keys(usage).length > 0 ? 'unknown' : 'nothing', right: true },
    { text: change, style: 'quiet' },
  ];
  return [
    row('this week', thisWeek, changeOf(thisWeek, lastWeekByNow)),
    row('last week by now', lastWeekByNow),
    row('last week', lastWeek),
  ];
}

/** What is known only in part cannot be compared. */
function changeOf({ spent: now }: Sums, { spent: then }: Sums): string {
  if (!now || !then?.usd || now.origin === 'lower-bound' || then.origin === 'lower-bound') return '';
  const percent = Math.round((100 * (now.usd - then.usd)) / then.usd);
  return `${percent > 0 ? '+' : ''}${percent} %`;
}

/** By the calendar: a week in which the clocks change is an hour longer or shorter. */
function mondayBefore(now: number, days: number): number {
  const day = new Date(now);
  day.setHours(0, 0, 0, 0);
  return day.setDate(day.getDate() - ((day.getDay() + 6) % 7) - days);
}

function sameTimeAWeekAgo(now: number): number {
  const day = new Date(now);
  return day.setDate(day.getDate() - 7);
}
