/** What was spent on each of the last days. */
import type { Total } from '../../../client/index.js';
import { money } from '../text/format.js';

const MOST_DAYS = 60;
const HEIGHT = 160;
const FOOT = 22;

export function DayChart({ days }: { days: readonly Total[] }) {
  const shown = days.slice(-MOST_DAYS);
  const most = Math.max(...shown.map(({ spent }) => spent?.usd ?? 0), Number.MIN_VALUE);
  const step = 100 / Math.max(shown.length, 14);
  const first = shown[0]?.key ?? '';
  const last = shown.at(-1)?.key ?? '';
  return (
    <section class="day-chart">
      <h2>By day</h2>
      <svg width="100%" height={HEIGHT + FOOT} role="img" aria-label={`Spent by day, from ${first} to ${last}`}>
        <text class="tick-text" x={0} y={10}>
          {money({ usd: most, origin: 'reported' })}
        </text>
        <line class="tick" x1="0" x2="100%" y1={HEIGHT} y2={HEIGHT} />
        {shown.map(({ key, spent }, index) => {
          const height = ((spent?.usd ?? 0) / most) * (HEIGHT - 20);
          return (
            <rect
              key={key}
              class="bar-value"
              x={`${index * step + step * 0.15}%`}
              width={`${step * 0.7}%`}
              y={HEIGHT - height}
              height={height}
              rx="2"
            >
              <title>{`${key}: ${money(spent) || 'unknown'}`}</title>
            </rect>
          );
        })}
        <text class="tick-text" x={0} y={HEIGHT + 16}>
          {first}
        </text>
        {last !== first && (
          <text class="tick-text" x={`${shown.length * step}%`} y={HEIGHT + 16} text-anchor="end">
            {last}
          </text>
        )}
      </svg>
    </section>
  );
}
