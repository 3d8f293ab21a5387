/** Amounts by name, the largest first, as bars that can be read as a list too. */
import type { Total } from '../../../client/index.js';
import { counted } from '../../../word/index.js';
import { money } from '../text/format.js';
import { visible } from '../text/visible.js';

interface Props {
  title: string;
  totals: readonly Total[];
  nameOf: (key: string) => string;
}

const MOST = 12;

export function BarList({ title, totals, nameOf }: Props) {
  const most = Math.max(...totals.map(({ spent }) => spent?.usd ?? 0), Number.MIN_VALUE);
  return (
    <section class="bar-list">
      <h2>{title}</h2>
      <ul>
        {totals.slice(0, MOST).map(({ key, spent, sessions }) => (
          <li key={key} title={visible(key)}>
            <span class="cut">{visible(nameOf(key))}</span>
            <svg class="amount-bar" height="8" width="100%" aria-hidden="true">
              <rect class="bar-value" width={`${(100 * (spent?.usd ?? 0)) / most}%`} height="8" rx="4" />
            </svg>
            <span class="amount">{money(spent) || 'unknown'}</span>
            <span class="bar-sessions faint">{counted(sessions, 'session')}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
