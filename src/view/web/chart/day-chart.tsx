/** What was spent on each of the last days. */
import type { Total } from '../../../client/index.js';
import { money } from '../text/format.js';
import { daysBefore, daysBetween, dayText } from './day.js';

const FEWEST_DAYS = 14;
const MOST_DAYS = 60;
const HEIGHT = 160;
const TOP = 18;
const FOOT = 22;

export function DayChart({ days }: { days: readonly Total[] }) {
  const last = days.at(-1)?.key ?? '';
  const bounds = [days[0]?.key ?? '', daysBefore(last, FEWEST_DAYS - 1)].sort();
  const first = [bounds[0] ?? '', daysBefore(last, MOST_DAYS - 1)].sort().at(-1) ?? '';
  const byDay = new Map(days.map((day) => [day.key, day]));
  const shown = daysBetween(first, last);
  const most = Math.max(...shown.map((day) => byDay.get(day)?.spent?.usd ?? 0), Number.MIN_VALUE);
  const step = 100 / shown.length;
  return (
    <section class="day-chart">
      <h2>By day</h2>
      <svg width="100%" height={HEIGHT + FOOT} role="img" aria-label={`Spent by day, from ${first} to ${last}`}>
        {[1, 0.5].map((share) => {
          const y = HEIGHT - share * (HEIGHT - TOP);
          return (
            <g key={share}>
              <line class="tick" x1="0" x2="100%" y1={y} y2={y} />
              <text class="tick-text" x={0} y={y - 5}>
                {money({ usd: most * share, origin: 'reported' })}
              </text>
            </g>
          );
        })}
        <line class="tick" x1="0" x2="100%" y1={HEIGHT} y2={HEIGHT} />
        {shown.map((day, index) => {
          const spent = byDay.get(day)?.spent;
          const height = ((spent?.usd ?? 0) / most) * (HEIGHT - TOP);
          return (
            <g key={day} class="day">
              <rect class="day-space" x={`${index * step}%`} width={`${step}%`} y={0} height={HEIGHT} />
              <rect
                class="bar-value"
                x={`${index * step + step * 0.15}%`}
                width={`${step * 0.7}%`}
                y={HEIGHT - height}
                height={height}
                rx="2"
              />
              <title>{`${dayText(day, last)}: ${byDay.has(day) ? money(spent) || 'unknown' : 'nothing'}`}</title>
            </g>
          );
        })}
        <text class="tick-text" x={0} y={HEIGHT + 16}>
          {dayText(first, last)}
        </text>
        <text class="tick-text" x="100%" y={HEIGHT + 16} text-anchor="end">
          {dayText(last, last)}
        </text>
      </svg>
    </section>
  );
}
