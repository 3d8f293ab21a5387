/** A comparison as tables: each attempt, and what the attempts of each agent came to. */
import {
  askedText,
  changedText,
  checkText,
  endedText,
  passedText,
  remarkOn,
  shareText,
  type Told,
} from '../../../client/comparison-words.js';
import type { Attempt, ComparisonReport, Judgement, Standing } from '../../../compare/index.js';
import { tellMoney } from '../../../ledger/index.js';
import type { Paint } from '../../../view/text/palette.js';
import { safeLine } from '../../../view/text/safe.js';
import { duration } from '../../../word/index.js';
import { type Cell, type Column, fittedTable } from '../../print/table.js';

const ATTEMPT_COLUMNS: readonly Column[] = [
  { head: '#', right: true },
  { head: 'AGENT' },
  { head: 'ENDED' },
  { head: 'CHECK' },
  { head: 'COST', right: true, leaves: 6 },
  { head: 'TOOK', right: true, leaves: 5 },
  { head: 'TURNS', right: true, leaves: 2 },
  { head: 'ASKED', right: true, leaves: 1 },
  { head: 'CHANGED', leaves: 4 },
  { head: 'SESSION', leaves: 3 },
  { head: 'SAID' },
];

const STANDING_COLUMNS = (k: number): readonly Column[] => [
  { head: 'AGENT' },
  { head: 'PASSED' },
  { head: 'PASS@1', right: true, leaves: 3 },
  ...(k > 1
    ? [
        { head: `PASS@${k}`, right: true, leaves: 2 },
        { head: `PASS^${k}`, right: true, leaves: 1 },
      ]
    : []),
  { head: 'COST', right: true, leaves: 5 },
  { head: 'TOOK (MEDIAN)' },
];

export function comparisonRows(report: ComparisonReport, paint: Paint, width: number | undefined): string[] {
  const { attempts, standings, check } = report;
  const k = standings[0]?.k ?? 1;
  return [
    ...fittedTable(ATTEMPT_COLUMNS, attempts.map(attemptCells), paint, width),
    '',
    ...fittedTable(
      STANDING_COLUMNS(k),
      standings.map((standing) => standingCells(standing, k, check !== undefined)),
      paint,
      width,
    ),
  ];
}

function attemptCells(attempt: Attempt): Cell[] {
  const { number, label, end, session } = attempt;
  return [
    { text: String(number), style: 'prefix', right: true },
    { text: safeLine(label, 40) },
    cellOf(endedText(attempt)),
    cellOf(checkText(attempt)),
    { text: end ? (end.cost ? tellMoney(end.cost) : 'unknown') : '', right: true },
    { text: end ? duration(end.durationMs) : '', style: 'quiet', right: true },
    { text: end ? String(end.turns) : '', right: true },
    { text: askedText(attempt), right: true },
    { text: changedText(attempt) },
    { text: session ?? '', style: 'prefix' },
    { text: safeLine(remarkOn(attempt), 200), style: 'quiet' },
  ];
}

function standingCells(standing: Standing, k: number, isChecked: boolean): Cell[] {
  const { label, passAt1, passAtK, passAllK, cost, durationMs } = standing;
  const share = (value: number | undefined): Cell => ({ text: isChecked ? shareText(value) : '–', right: true });
  return [
    { text: safeLine(label, 40) },
    { text: isChecked ? passedText(standing) : 'no check' },
    share(passAt1),
    ...(k > 1 ? [share(passAtK), share(passAllK)] : []),
    { text: cost ? tellMoney(cost) : 'unknown', right: true },
    { text: durationMs === undefined ? '' : duration(durationMs) },
  ];
}

const STYLES = { good: 'result', bad: 'error', quiet: 'quiet', plain: 'plain' } as const;

const cellOf = ({ text, tone }: Told): Cell => ({ text, style: STYLES[tone] });

export function judgementRows(judgements: readonly Judgement[], paint: Paint): string[] {
  return judgements.map((judgement) => {
    const { label, before, now, what, likely = 1 } = judgement;
    const name = safeLine(label, 40);
    if (!before) return `${name}: not in the baseline.`;
    const counts = `${now.passed} of ${now.known} passed, before it was ${before.passed} of ${before.known}`;
    if (what === 'too-few') return `${name}: ${counts}. With so few attempts nothing can be told from chance.`;
    const chance = `by chance in ${(100 * likely).toFixed(1)} of 100 cases`;
    return what === 'worse'
      ? paint('error', `${name}: worse. ${counts}; so few would pass ${chance}.`)
      : `${name}: not worse than chance explains. ${counts} (${chance}).`;
  });
}
