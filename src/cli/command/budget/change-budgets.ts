/** `glassbox budget`: sets, lists and removes budgets in the store that the hubs use. */
import { type BudgetState, periodStart, stateOf } from '../../../budget/index.js';
import { GlassboxError } from '../../../event/index.js';
import { fleetOf } from '../../../server/token-routes.js';
import type { FleetStore } from '../../../store/index.js';
import { createPaint } from '../../../view/text/palette.js';
import { safe } from '../../../view/text/safe.js';
import type { Context } from '../../context.js';
import { hubIn, orRefusal } from '../../hub.js';
import { refuseInsideRun } from '../../kept/refuse-inside-run.js';
import { whoIsHere } from '../../kept/who-is-here.js';
import { withStore } from '../../kept/with-store.js';
import { wantsColor } from '../../print/color.js';
import { counted } from '../../print/counted.js';
import { note } from '../../print/note.js';
import { print } from '../../print/sink.js';
import { fittedTable } from '../../print/table.js';
import type { BudgetFlags, BudgetVerb } from './command.js';

export async function changeBudgets(this: Context, flags: BudgetFlags, verb: BudgetVerb, name?: string): Promise<void> {
  const { process } = this;
  if (verb !== 'list') await refuseInsideRun('change what may be spent', flags);
  const hub = await hubIn(flags, process);
  if (hub && verb !== 'list')
    throw new GlassboxError(
      'invalid-request',
      'Budgets are set in the store that the hub uses: --store with its file, or postgres://….',
    );
  if (hub) return list(await orRefusal(hub.client.budgets()), flags, process);
  await withStore(flags, async (store) => {
    const fleet = fleetOf(store);
    if (verb === 'list') return list(await statesOf(fleet), flags, process);
    if (name === undefined) throw new GlassboxError('invalid-request', `Say which one: glassbox budget ${verb} NAME`);
    if (verb === 'remove') {
      if (!(await fleet.budgets.remove(name)))
        throw new GlassboxError('not-found', `There is no budget ${name}. glassbox budget list has them.`);
      await fleet.audit.add({ principal: whoIsHere(), deed: 'budget remove', subject: name });
      return note(process.stderr, `the budget ${name} is gone; work that waited for it begins.`);
    }
    return set(fleet, flags, name, process);
  });
}

async function set(fleet: FleetStore, flags: BudgetFlags, id: string, { stderr }: NodeJS.Process): Promise<void> {
  const { usd, per = 'day', project, principal, running = 'finish', unknown = 'count' } = flags;
  if (usd === undefined)
    throw new GlassboxError('invalid-request', `Say how much: glassbox budget set ${id} --usd 50 --per day`);
  await fleet.budgets.put({ id, period: per, usd, project, principal, running, unknown });
  const [state] = (await statesOf(fleet)).filter((budget) => budget.id === id);
  if (!state) return;
  await fleet.audit.add({ principal: whoIsHere(), deed: 'budget set', subject: id, detail: describe(state) });
  note(stderr, `${describe(state)}; ${spentText(state)} so far.`);
}

async function list(
  states: readonly BudgetState[],
  { json }: BudgetFlags,
  { stdout, stderr, env }: NodeJS.Process,
): Promise<void> {
  if (json) return print(stdout, [JSON.stringify(states)]);
  if (states.length === 0) return note(stderr, 'there is no budget yet: glassbox budget set team --usd 50 --per day');
  const rows = states.map((budget) => [
    { text: safe(budget.id) },
    { text: safe(budget.project ?? 'all') },
    { text: safe(budget.principal ?? 'all') },
    { text: `$${budget.usd.toFixed(2)} a ${budget.period}`, right: true },
    { text: budget.state, style: STYLES[budget.state] },
    { text: spentText(budget) },
  ]);
  const columns = [
    { head: 'Name' },
    { head: 'Project', leaves: 2 },
    { head: 'Who', leaves: 1 },
    { head: 'Budget', right: true },
    { head: 'State' },
    { head: 'Spent' },
  ];
  return print(stdout, fittedTable(columns, rows, createPaint(wantsColor('auto', stdout, env)), stdout.columns));
}

const STYLES = { open: 'plain', warned: 'notice', spent: 'error' } as const;

async function statesOf({ budgets }: FleetStore): Promise<BudgetState[]> {
  const now = await budgets.now();
  const all = await budgets.list();
  return Promise.all(
    all.map(async (budget) => stateOf(budget, await budgets.spent(budget, periodStart(budget.period, now)), now)),
  );
}

function describe({ id, usd, period, project, principal }: BudgetState): string {
  const about =
    [project && `for ${project}`, principal && `by ${principal}`].filter(Boolean).join(' ') || 'for everything';
  return `${id}: $${usd.toFixed(2)} a ${period} ${about}`;
}

function spentText({ spent: { usd, unknownRuns }, usd: most }: BudgetState): string {
  // Binary fractions would make 119 % of 1.8 of 1.5.
  const share = `$${usd.toFixed(2)}, ${Math.floor((100 * usd) / most + 1e-9)} %`;
  return unknownRuns === 0 ? share : `${share}, and ${counted(unknownRuns, 'run')} of unknown cost`;
}
