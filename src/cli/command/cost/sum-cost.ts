/** `glassbox cost`: a table of sums with a bar for each, and the sum of all. */
import { homedir } from 'node:os';
import { defined, GlassboxError, type Usage } from '../../../event/index.js';
import { addUsage, inputTokens, sumFigures, tellMoney } from '../../../ledger/index.js';
import type { Store, Total, TotalKey, TotalsQuery } from '../../../store/index.js';
import { createPaint } from '../../../view/text/palette.js';
import { safeJson, safeLine } from '../../../view/text/safe.js';
import { count } from '../../../word/index.js';
import type { Context } from '../../context.js';
import { filterOf } from '../../flag/filter-flag.js';
import { withStore } from '../../kept/with-store.js';
import { wantsColor } from '../../print/color.js';
import { note } from '../../print/note.js';
import { projectName } from '../../print/session-cell.js';
import { print } from '../../print/sink.js';
import { type Cell, table } from '../../print/table.js';
import { emptyText } from '../sessions/list-sessions.js';
import type { CostFlags } from './command.js';
import { readUnread } from './read-figures.js';

const LONGEST_BAR = 24;

export async function sumCost(this: Context, flags: CostFlags): Promise<void> {
  const { stdout, stderr, env } = this.process;
  await withStore(flags, async (store) => {
    if (!flags.kept) await readUnread(store, this.process, flags.by === 'tool').catch(tellFailure(stderr));
    const query = { ...filterOf(flags, this.process), by: flags.by };
    const totals = await store.totals(query);
    if (flags.json) {
      await print(
        stdout,
        totals.map((total) => safeJson({ schema: 1, by: flags.by, ...total })),
      );
    } else if (totals.length === 0) {
      note(stderr, await emptyText(store));
    } else {
      const paint = createPaint(wantsColor(flags.color, stdout, env));
      await print(stdout, table(rowsOf(totals, flags.by, await sumOf(totals, query, store)), paint, stdout.columns));
    }
  });
}

/** A store that can only be read still tells what it has. */
function tellFailure(stderr: NodeJS.WriteStream): (error: unknown) => void {
  return (error) => {
    if (!(error instanceof GlassboxError) || error.code !== 'store') throw error;
    note(stderr, `what agents left on this machine cannot be added. ${error.message}`);
  };
}

function rowsOf(totals: readonly Total[], by: TotalKey, all: Sums): Cell[][] {
  const most = Math.max(...totals.map(({ spent }) => spent?.usd ?? 0));
  const head = [by, 'cost', 'input', 'output', ...(by === 'tool' ? ['calls', 'failed'] : ['sessions']), ''];
  return [
    head.map((text, column) => ({ text, style: 'quiet', right: column > 0 && text !== '' })),
    ...totals.map((total) => rowOf(nameOf(total, by), total, barOf(total, most), by === 'tool' ? '~' : '')),
    ...(totals.length > 1 ? [rowOf('all', all, '')] : []),
  ];
}

type Sums = Pick<Total, 'spent' | 'usage' | 'calls' | 'failed'> & { sessions?: number };

/** `about`: the sign of what is only a share. */
function rowOf(name: string, { spent, usage, sessions, calls, failed }: Sums, bar: string, about = ''): Cell[] {
  const counts = calls === undefined ? [sessions] : [calls, failed];
  return [
    { text: name },
    number(spent ? tellMoney(spent) : 'unknown'),
    number(`${about}${count(Math.round(inputTokens(usage)))}`),
    number(`${about}${count(Math.round(usage.outputTokens ?? 0))}`),
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

/** A session may stand in several rows, so sessions are not added up. What tools cost is shared out, but not how much it is in all. */
async function sumOf(totals: readonly Total[], query: TotalsQuery, store: Store): Promise<Sums> {
  const parts = query.by === 'tool' ? await store.totals({ ...query, by: 'agent' }) : totals;
  const sum = (pick: (total: Total) => number | undefined) =>
    totals.reduce((all, total) => all + (pick(total) ?? 0), 0);
  return defined({
    spent: sumFigures(parts.map(({ spent }) => spent)),
    usage: parts.reduce<Usage>((all, { usage }) => addUsage(all, usage) ?? all, {}),
    ...(query.by === 'tool' && { calls: sum(({ calls }) => calls), failed: sum(({ failed }) => failed) }),
  });
}

function number(text: string): Cell {
  return { text, right: true };
}
