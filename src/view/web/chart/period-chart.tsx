/** What was spent in each of the last days, weeks or months, as a picture and in figures, which lead to the sessions of their time. */
import type { Total } from '../../../client/index.js';
import type { Filter } from '../state/filter.js';
import { money } from '../text/format.js';
import { axisTop, tickText } from './axis.js';
import { FilterLink } from './filter-link.js';
import { boundsOf, periodsUntil, periodText, type Unit } from './period.js';

const SHOWN: Record<Unit, { fewest: number; most: number }> = {
  day: { fewest: 14, most: 60 },
  week: { fewest: 8, most: 52 },
  month: { fewest: 6, most: 36 },
};
const HEIGHT = 160;
const TOP = 18;
const FOOT = 22;

interface Props {
  unit: Unit;
  totals: readonly Total[];
  /** Beside the time. */
  filter: Filter;
}

export function PeriodChart({ unit, totals, filter }: Props) {
  const last = totals.at(-1)?.key ?? '';
  const shown = periodsUntil(
    totals.map(({ key }) => key),
    unit,
    SHOWN[unit],
  );
  const known = new Map(totals.map((total) => [total.key, total]));
  const most = axisTop(Math.max(...shown.map((key) => known.get(key)?.spent?.usd ?? 0)));
  const step = 100 / shown.length;
  const hidden = totals.filter(({ key }) => key < (shown[0] ?? '')).length;
  return (
    <section class="period-chart">
      <svg width="100%" height={HEIGHT + FOOT} aria-hidden="true">
        {[1, 0.5].map((share) => {
          const y = HEIGHT - share * (HEIGHT - TOP);
          return (
            <g key={share}>
              <line class="tick" x1="0" x2="100%" y1={y} y2={y} />
              <text class="tick-text" x={0} y={y - 5}>
                {tickText(most * share)}
              </text>
            </g>
          );
        })}
        <line class="tick" x1="0" x2="100%" y1={HEIGHT} y2={HEIGHT} />
        {shown.map((key, index) => {
          const spent = known.get(key)?.spent;
          const height = ((spent?.usd ?? 0) / most) * (HEIGHT - TOP);
          const text = `${periodText(key, unit, last)}: ${amountOf(known.get(key))}`;
          return (
            <g key={key} class="period">
              <rect class="period-space" x={`${index * step}%`} width={`${step}%`} y={0} height={HEIGHT} />
              <rect
                class="bar-value"
                x={`${index * step + step * 0.15}%`}
                width={`${step * 0.7}%`}
                y={HEIGHT - height}
                height={height}
                rx="2"
              />
              <title>{text}</title>
            </g>
          );
        })}
        <text class="tick-text" x={0} y={HEIGHT + 16}>
          {periodText(shown[0] ?? '', unit, last)}
        </text>
        <text class="tick-text" x="100%" y={HEIGHT + 16} text-anchor="end">
          {periodText(last, unit, last)}
        </text>
      </svg>
      <details>
        <summary>{`Each ${unit} in figures`}</summary>
        <ul class="period-list">
          {[...totals].reverse().map((total) => (
            <li key={total.key}>
              <FilterLink filter={{ ...filter, ...boundsOf(total.key, unit) }}>
                {periodText(total.key, unit, last)}
              </FilterLink>
              <span class="amount">{amountOf(total)}</span>
            </li>
          ))}
        </ul>
      </details>
      {hidden > 0 && <p class="faint">The picture leaves out {hidden} earlier ones; the figures have them.</p>}
    </section>
  );
}

function amountOf(total: Total | undefined): string {
  return total ? money(total.spent) || 'unknown' : 'nothing';
}
