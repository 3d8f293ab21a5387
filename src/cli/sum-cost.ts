/** `glassbox cost`: a table of sums with a bar for each, and the sum of all. */
import { homedir } from 'node:os';
import type { Usage } from '../event/index.js';
import { sumSpent, type Total, type TotalKey } from '../store/index.js';
import { count, money } from '../view/text/measure.js';
import { createPaint } from '../view/text/palette.js';
import { safeJson, safeLine } from '../view/text/safe.js';
import { wantsColor } from './color.js';
import type { CostFlags } from './command/cost.js';
import type { Context } from './context.js';
import { filterOf } from './filter-flag.js';
import { emptyText } from './list-sessions.js';
import { note } from './note.js';
import { projectName } from './session-cell.js';
import { print } from './sink.js';
import { type Cell, table } from './table.js';
import { withStore } from './with-store.js';

const LONGEST_BAR = 24;

export async function sumCost(this: Context, flags: CostFlags): Promise<void> {
  const { stdout, stderr, env } = this.process;
  await withStore(flags, async (store) => {
    const totals = await store.totals({ ...filterOf(flags, this.process), by: flags.by });
    if (flags.json) {
      await print(
        stdout,
        totals.map((total) => safeJson({ schema: 1, by: flags.by, ...total })),
      );
    } else if (totals.length === 0) {
      note(stderr, await emptyText(store));
    } else {
      const paint = createPaint(wantsColor(flags.color, stdout, env));
      await print(stdout, table(rowsOf(totals, flags.by), paint, stdout.columns));
    }
  });
}

function rowsOf(totals: readonly Total[], by: TotalKey): Cell[][] {
  const most = Math.max(...totals.map(({ spent }) => spent?.usd ?? 0));
  const head = [by, 'cost', 'input', 'output', ...(by === 'tool' ? ['calls', 'failed'] : ['sessions']), ''];
  return [
    head.map((text, column) => ({ text, style: 'quiet', right: column > 0 && text !== '' })),
    ...totals.map((total) => rowOf(nameOf(total, by), total, barOf(total, most))),
    ...(totals.length > 1 ? [rowOf('all', sumOf(totals), '')] : []),
  ];
}

type Sums = Pick<Total, 'spent' | 'usage' | 'calls' | 'failed'> & { sessions?: number };

function rowOf(name: string, { spent, usage, sessions, calls, failed }: Sums, bar: string): Cell[] {
  const counts = calls === undefined ? [sessions] : [calls, failed];
  return [
    { text: name },
    number(spent ? money(spent.usd, spent.origin) : 'unknown'),
    number(count(inputOf(usage))),
    number(count(Math.round(usage.outputTokens ?? 0))),
    ...counts.map((value) => number(String(value ?? ''))),
    { text: bar, style: 'result' },
  ];
}

function nameOf({ key }: Total, by: TotalKey): string {
  if (key === '') return by === 'tool' ? '(answers)' : '(unknown)';
  return by === 'project' ? projectName(key, homedir()) : safeLine(key, 40);
}

function barOf({ spent }: Total, most: number): string {
  return spent && most > 0 ? '█'.repeat(Math.round((LONGEST_BAR * spent.usd) / most)) || '▏' : '';
}

/** A session may stand in several rows, so sessions are not added up. */
function sumOf(totals: readonly Total[]): Sums {
  const sum = (pick: (total: Total) => number | undefined) =>
    totals.reduce((all, total) => all + (pick(total) ?? 0), 0);
  const isTool = totals.some(({ calls }) => calls !== undefined);
  return {
    spent: sumSpent(totals.map(({ spent }) => spent ?? {})),
    usage: { inputTokens: sum(({ usage }) => inputOf(usage)), outputTokens: sum(({ usage }) => usage.outputTokens) },
    ...(isTool && { calls: sum(({ calls }) => calls), failed: sum(({ failed }) => failed) }),
  };
}

/** With what came from the cache, as people expect. */
function inputOf({ inputTokens = 0, cacheReadTokens = 0, cacheWriteTokens = 0 }: Usage): number {
  return Math.round(inputTokens + cacheReadTokens + cacheWriteTokens);
}

function number(text: string): Cell {
  return { text, right: true };
}
