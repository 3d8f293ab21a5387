/** `glassbox cost`: a table of sums with a bar for each, and the sum of all; once, or again whenever the store changes. */
import { GlassboxError } from '../../../event/index.js';
import type { Store, Total, TotalsQuery } from '../../../store/index.js';
import { createPaint } from '../../../view/text/palette.js';
import { safeJson, safeLine } from '../../../view/text/safe.js';
import type { Context } from '../../context.js';
import { filterOf } from '../../flag/filter-flag.js';
import { withStore } from '../../kept/with-store.js';
import { wantsColor } from '../../print/color.js';
import { note } from '../../print/note.js';
import { print } from '../../print/sink.js';
import { table } from '../../print/table.js';
import { emptyText } from '../sessions/list-sessions.js';
import type { CostFlags } from './command.js';
import { costRows, type Sums, sumOf } from './cost-table.js';
import { limitRows, openLimits } from './limit-rows.js';
import { readUnread } from './read-figures.js';
import { watchCost } from './watch-cost.js';
import { weekAgainstWeek, weekRows } from './week-against-week.js';

export async function sumCost(this: Context, flags: CostFlags): Promise<void> {
  const { process } = this;
  const { stdout, stderr } = process;
  await withStore(flags, async (store) => {
    const withWords = flags.by === 'tool' || flags.by === 'cause';
    if (!flags.kept) await readUnread(store, process, withWords).catch(tellFailure(stderr));
    const query = { ...filterOf(flags, process), by: flags.by };
    if (flags.json) return print(stdout, await jsonLines(store, query));
    const draw = (limit: number) => drawCost(store, query, { flags, process, limit });
    if (flags.watch && stdout.isTTY) return watchCost(store, process, flags.limit, draw);
    const rows = await draw(flags.limit);
    await print(stdout, rows);
    if (rows.length === 0) note(stderr, await emptyText(store));
    if (flags.watch) note(stderr, 'the output is no terminal, so that was once; --watch redraws on a terminal.');
  });
}

/** A store that can only be read still tells what it has. */
function tellFailure(stderr: NodeJS.WriteStream): (error: unknown) => void {
  return (error) => {
    if (!(error instanceof GlassboxError) || error.code !== 'store') throw error;
    note(stderr, `what agents left on this machine cannot be added. ${error.message}`);
  };
}

interface Drawing {
  flags: CostFlags;
  process: NodeJS.Process;
  limit: number;
}

/** Empty when nothing was spent. */
async function drawCost(store: Store, query: TotalsQuery, { flags, process, limit }: Drawing): Promise<string[]> {
  const { stdout, env } = process;
  const totals = await store.totals(query);
  if (totals.length === 0) return [];
  const paint = createPaint(wantsColor(flags.color, stdout, env));
  const width = stdout.columns || undefined;
  const titles = query.by === 'session' ? await titlesOf(store, totals.slice(0, limit)) : new Map<string, string>();
  const all = await sumOfAll(totals, query, store);
  const rows = table(costRows({ by: query.by, totals, all, titles, limit, width }), paint, width);
  const extras = tellsOfNow(query)
    ? [weekRows(await weekAgainstWeek(store, query)), limitRows(await store.limits())]
    : [];
  return [
    ...rows,
    ...extras.filter((extra) => extra.length > 0).flatMap((extra) => ['', ...table(extra, paint, width)]),
  ];
}

/** Beside days and weeks people want to know where they stand; whoever asks about another time does not. */
function tellsOfNow({ by, since, until }: TotalsQuery): boolean {
  return (by === 'day' || by === 'week') && since === undefined && until === undefined;
}

async function jsonLines(store: Store, query: TotalsQuery): Promise<string[]> {
  const { by } = query;
  const totals = await store.totals(query);
  const titles = by === 'session' ? await titlesOf(store, totals) : undefined;
  const sums = totals.map((total) => ({ by, ...total, ...(titles && { title: titles.get(total.key) }) }));
  const comparison = by === 'week' && tellsOfNow(query) ? [{ comparison: await weekAgainstWeek(store, query) }] : [];
  const limits = comparison.length > 0 ? openLimits(await store.limits()).map((limit) => ({ limit })) : [];
  return [...sums, ...comparison, ...limits].map((line) => safeJson({ schema: 1, ...line }));
}

async function titlesOf(store: Store, totals: readonly Total[]): Promise<Map<string, string>> {
  const sessions = await Promise.all(totals.map(({ key }) => store.session(key)));
  return new Map(sessions.flatMap((session) => (session ? [[session.id, safeLine(session.title, 200)]] : [])));
}

/** What tools cost and what it was for is shared out, but not how much it is in all. */
async function sumOfAll(totals: readonly Total[], query: TotalsQuery, store: Store): Promise<Sums> {
  if (query.by !== 'tool' && query.by !== 'cause') return sumOf(totals);
  const { calls, failed } = sumOf(totals);
  const all = sumOf(await store.totals({ ...query, by: 'agent' }));
  return query.by === 'tool' ? { ...all, calls: calls ?? 0, failed: failed ?? 0 } : all;
}
