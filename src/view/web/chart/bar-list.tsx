/** Amounts by name, the largest first, as bars that can be read as a list too; each may lead to its sessions. */
import { Fragment } from 'preact';
import type { Total } from '../../../client/index.js';
import { sumFigures } from '../../../ledger/index.js';
import { counted } from '../../../word/index.js';
import type { Filter } from '../state/filter.js';
import { money } from '../text/format.js';
import { visible } from '../text/visible.js';
import { FilterLink } from './filter-link.js';

interface Props {
  title: string;
  totals: readonly Total[];
  nameOf: (key: string) => string;
  /** What a name means, for who wants to know. */
  meaningOf?: (key: string) => string | undefined;
  /** Where it leads: to a session, or to these sessions alone. */
  pathOf?: (key: string) => string;
  filterOf?: (key: string) => Filter;
  /** What is counted beside the money; without it, sessions. */
  countOf?: (total: Total) => string;
  /** A sentence about all of them. */
  note?: string;
}

const MOST = 12;

export function BarList({ title, totals, nameOf, meaningOf, pathOf, filterOf, countOf = sessionsOf, note }: Props) {
  const most = Math.max(...totals.map(({ spent }) => spent?.usd ?? 0), Number.MIN_VALUE);
  const rest = totals.slice(MOST);
  return (
    <section class="bar-list">
      <h2>{title}</h2>
      {note !== undefined && <p class="faint">{note}</p>}
      <ul>
        {totals.slice(0, MOST).map((total) => {
          const { key, spent } = total;
          const filter = key === '' ? undefined : filterOf?.(key);
          const name = visible(nameOf(key));
          return (
            <li key={key} title={visible(key)}>
              <span class="bar-name">
                {filter ? (
                  <FilterLink filter={filter}>{name}</FilterLink>
                ) : pathOf ? (
                  <a href={pathOf(key)}>{name}</a>
                ) : (
                  name
                )}
              </span>
              <svg class="amount-bar" height="5" width="100%" aria-hidden="true">
                <rect class="bar-value" width={`${(100 * (spent?.usd ?? 0)) / most}%`} height="5" rx="2.5" />
              </svg>
              <span class="amount">{money(spent) || 'unknown'}</span>
              <span class="bar-sessions faint">{countOf(total)}</span>
            </li>
          );
        })}
        {rest.length > 0 && (
          <li>
            <span class="bar-name faint">{rest.length} more</span>
            <span class="amount">{money(sumFigures(rest.map(({ spent }) => spent))) || 'unknown'}</span>
            <span />
          </li>
        )}
      </ul>
      {meaningOf && (
        <details>
          <summary>What the names mean</summary>
          <dl class="bar-meanings">
            {totals.map(({ key }) => (
              <Fragment key={key}>
                <dt>{visible(nameOf(key))}</dt>
                <dd>{visible(meaningOf(key) ?? '')}</dd>
              </Fragment>
            ))}
          </dl>
        </details>
      )}
    </section>
  );
}

/** Of a share that is nothing at all there is nothing to tell. */
export function isTold({ spent, usage, calls }: Total): boolean {
  return Boolean(spent?.usd || calls) || Object.values(usage).some(Boolean);
}

export function callsOf({ calls = 0, failed = 0 }: Total): string {
  return [counted(calls, 'call'), failed > 0 && `${failed} failed`].filter(Boolean).join(', ');
}

function sessionsOf({ sessions }: Total): string {
  return counted(sessions, 'session');
}
