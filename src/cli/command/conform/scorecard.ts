/** The scorecard as lines: one row for each hostile line and each folder of recordings, one column for each reader, then why. */
import type { Result, Verdict } from '../../../conform/index.js';
import type { Paint, Style } from '../../../view/text/palette.js';
import { safeLine } from '../../../view/text/safe.js';
import { type Cell, table } from '../../print/table.js';

export interface ScorecardOptions {
  paint: Paint;
  /** Every reason; otherwise the first of each cell. */
  verbose: boolean;
}

export function scorecard(results: readonly Result[], readers: readonly string[], options: ScorecardOptions): string[] {
  const scored = readers.filter((name) => results.some(({ reader }) => reader === name));
  const rows = [...new Set(results.map(({ row }) => row))];
  const cells = rows.map((row) => [{ text: row }, ...scored.map((name) => cellOf(of(results, name, row)))]);
  const totals = scored.map((name) => shareOf(results.filter(({ reader }) => reader === name)));
  const head: Cell[] = [`Node ${process.versions.node}`, ...scored].map((text) => ({ text, style: 'quiet' }));
  const whole = table([head, ...cells, [{ text: 'passed' }, ...totals]], options.paint);
  const reasons = scored.flatMap((name) => rows.flatMap((row) => reasonsOf(of(results, name, row), options)));
  return [...whole, ...(reasons.length > 0 ? ['', ...reasons] : [])];
}

const STYLES: Record<Verdict, Style> = {
  passed: 'result',
  lost: 'error',
  wrong: 'error',
  died: 'error',
  hung: 'error',
};

function of(results: readonly Result[], name: string, wanted: string): Result[] {
  return results.filter(({ reader, row }) => reader === name && row === wanted);
}

function cellOf(results: readonly Result[]): Cell {
  const [first] = results;
  if (!first) return { text: '–', style: 'quiet' };
  return results.length > 1 ? shareOf(results) : { text: first.verdict, style: STYLES[first.verdict] };
}

function shareOf(results: readonly Result[]): Cell {
  const passed = results.filter(({ verdict }) => verdict === 'passed').length;
  return { text: `${passed}/${results.length}`, style: passed === results.length ? 'result' : 'error' };
}

function reasonsOf(results: readonly Result[], { paint, verbose }: ScorecardOptions): string[] {
  const failed = results.filter(({ verdict }) => verdict !== 'passed');
  const shown = verbose ? failed : failed.slice(0, 1);
  const more = failed.length - shown.length;
  return [
    ...shown.map(({ reader, case: name, verdict, reason = '' }) => {
      const text = safeLine(reason, 160);
      return `${reader}, ${name}: ${paint('error', verdict)}: ${text}`;
    }),
    ...(more > 0 ? [paint('quiet', `  and ${more} more like it; see --verbose`)] : []),
  ];
}
