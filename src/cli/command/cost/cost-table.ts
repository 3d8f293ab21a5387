/** Sums → rows: as many columns as the terminal has room for, the most telling first; what is beyond the limit is summed in one row. */
import { homedir } from 'node:os';
import stringWidth from 'fast-string-width';
import { defined, type Usage } from '../../../event/index.js';
import { addUsage, CAUSE_NAMES, inputTokens, sumFigures, tellMoney } from '../../../ledger/index.js';
import type { Total, TotalKey } from '../../../store/index.js';
import { cutToWidth } from '../../../view/text/cut-to-width.js';
import { safeLine } from '../../../view/text/safe.js';
import { count } from '../../../word/index.js';
import { projectName } from '../../print/session-cell.js';
import type { Cell } from '../../print/table.js';

export type Sums = Pick<Total, 'spent' | 'usage' | 'calls' | 'failed'> & { sessions?: number };

export interface CostTable {
  by: TotalKey;
  totals: readonly Total[];
  all: Sums;
  /** Of sessions, by their ids. */
  titles: ReadonlyMap<string, string>;
  /** Rows at most. */
  limit: number;
  width?: number | undefined;
}

interface Row {
  name: string;
  sums: Sums;
  title?: string;
  bar?: string;
}

const LONGEST_BAR = 24;
const GAP = 2;
const SHORTEST_NAME = 8;

export function costRows(costs: CostTable): Cell[][] {
  const { by, all, width = Number.POSITIVE_INFINITY } = costs;
  // Of a share that is nothing at all there is nothing to tell.
  const totals = costs.totals.filter((total) => !isShare(by) || isTold(total));
  const rows = [...rowsOf({ ...costs, totals }), ...(totals.length > 1 ? [{ name: 'all', sums: all }] : [])];
  const columns = columnsOf(by, all).map((column) => ({ ...column, texts: [column.head, ...rows.map(column.text)] }));
  const shown = fitting(columns, width);
  const others = shown.slice(1, 2).reduce((sum, { texts }) => sum + GAP + widest(texts), 0);
  const room = Math.max(SHORTEST_NAME, width - others);
  return ['', ...rows].map((_, index) =>
    shown.map(({ texts, left, style }, column) => ({
      text: column === 0 ? cutToWidth(texts[index] ?? '', room) : (texts[index] ?? ''),
      ...(index === 0 ? { style: 'quiet' as const } : style && { style }),
      right: !left,
    })),
  );
}

/** Its rows are parts of what turns cost. */
const isShare = (by: TotalKey): boolean => by === 'tool' || by === 'cause';

const isTold = ({ spent, usage, calls }: Sums): boolean =>
  Boolean(spent?.usd || calls) || Object.values(usage).some(Boolean);

/** Of times the latest are shown, of everything else what cost most. */
function rowsOf({ by, totals, titles, limit }: CostTable): Row[] {
  const most = Math.max(...totals.map(({ spent }) => spent?.usd ?? 0));
  const isTime = by === 'day' || by === 'week' || by === 'month';
  const left = isTime ? totals.slice(0, -limit) : totals.slice(limit);
  const shown = (isTime ? totals.slice(-limit) : totals.slice(0, limit)).map((total) => ({
    name: nameOf(total, by),
    sums: total,
    ...(by === 'session' ? { title: titles.get(total.key) ?? '' } : { bar: barOf(total, most) }),
  }));
  if (left.length === 0) return shown;
  const rest = { name: `${left.length} ${isTime ? 'earlier' : 'more'}`, sums: sumOf(left) };
  return isTime ? [rest, ...shown] : [...shown, rest];
}

/** A session may stand in several rows, so sessions are not added up. */
export function sumOf(totals: readonly Total[]): Sums {
  const sum = (pick: (total: Total) => number | undefined) =>
    totals.some((total) => pick(total) !== undefined)
      ? totals.reduce((all, total) => all + (pick(total) ?? 0), 0)
      : undefined;
  return defined<Sums>({
    spent: sumFigures(totals.map(({ spent }) => spent)),
    usage: totals.reduce<Usage>((all, { usage }) => addUsage(all, usage) ?? all, {}),
    calls: sum(({ calls }) => calls),
    failed: sum(({ failed }) => failed),
  });
}

interface Column {
  head: string;
  text: (row: Row) => string;
  /** What goes first where there is no room: the highest. */
  rank: number;
  left?: true;
  style?: Cell['style'];
}

function columnsOf(by: TotalKey, all: Sums): Column[] {
  /** `~`: only a share. The sum of all is none. */
  const tokens = (pick: (usage: Usage) => number | undefined) => (row: Row) => {
    const value = pick(row.sums.usage);
    return value === undefined ? '' : `${isShare(by) && row.sums !== all ? '~' : ''}${count(Math.round(value))}`;
  };
  const numbers: Column[] = [
    { head: 'cost', rank: 0, text: ({ sums: { spent } }) => (spent ? tellMoney(spent) : 'unknown') },
    ...(by === 'cause' ? [{ head: 'share', rank: 1, text: ({ sums }: Row) => shareOf(sums, all) }] : []),
    { head: 'input', rank: 2, text: tokens(knownInput) },
    { head: 'cache read', rank: 5, text: tokens(({ cacheReadTokens }) => cacheReadTokens) },
    { head: 'cache write', rank: 6, text: tokens(({ cacheWriteTokens }) => cacheWriteTokens) },
    { head: 'output', rank: 2, text: tokens(({ outputTokens }) => outputTokens) },
    ...countsOf(by),
  ];
  const name: Column = { head: by, rank: 0, left: true, text: (row) => row.name };
  if (by === 'session')
    return [name, ...numbers, { head: 'title', rank: 3, left: true, text: ({ title = '' }) => title }];
  return [name, ...numbers, { head: '', rank: 7, left: true, style: 'result', text: ({ bar = '' }) => bar }];
}

/** Nothing where no part of it was told. */
function knownInput(usage: Usage): number | undefined {
  const parts = [usage.inputTokens, usage.cacheReadTokens, usage.cacheWriteTokens];
  return parts.some((part) => part !== undefined) ? inputTokens(usage) : undefined;
}

function countsOf(by: TotalKey): Column[] {
  const column = (head: 'sessions' | 'calls' | 'failed'): Column => ({
    head,
    rank: 4,
    text: ({ sums }) => String(sums[head] ?? ''),
  });
  if (by === 'session') return [];
  if (by === 'tool') return [column('calls'), column('failed')];
  return [column(by === 'cause' ? 'calls' : 'sessions')];
}

function shareOf({ spent }: Sums, all: Sums): string {
  if (!spent || !all.spent?.usd) return '';
  const percent = (100 * spent.usd) / all.spent.usd;
  return `${percent > 0 && percent < 1 ? percent.toFixed(1) : Math.round(percent)} %`;
}

/** The columns that there is room for; the last one may be narrower than it would like to be. */
function fitting<Own extends Column & { texts: string[] }>(columns: readonly Own[], width: number): Own[] {
  const chosen = new Set<Own>();
  let used = -GAP;
  for (const column of [...columns].sort((one, other) => one.rank - other.rank)) {
    const wants = GAP + widest(column.texts);
    const least = column === columns.at(-1) ? Math.min(wants, GAP + LEAST_LAST) : wants;
    if (column.rank > 0 && used + least > width) continue;
    chosen.add(column);
    used += wants;
  }
  return columns.filter((column) => chosen.has(column));
}

const LEAST_LAST = 12;

function widest(texts: readonly string[]): number {
  return Math.max(0, ...texts.map((text) => stringWidth(text)));
}

function nameOf({ key }: Total, by: TotalKey): string {
  if (by === 'cause')
    return Object.hasOwn(CAUSE_NAMES, key) ? CAUSE_NAMES[key as keyof typeof CAUSE_NAMES] : safeLine(key, 40);
  if (key === '') return by === 'tool' ? '(answers)' : '(unknown)';
  return by === 'project' ? projectName(key, homedir()) : safeLine(key, 40);
}

function barOf({ spent }: Total, most: number): string {
  return spent && most > 0 ? '█'.repeat(Math.round((LONGEST_BAR * spent.usd) / most)) || '▏' : '';
}
