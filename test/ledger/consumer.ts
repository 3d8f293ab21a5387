/** Everybody who tells what a run spent, asked about the same events. */
import type { AgentEvent, Usage } from '../../src/event/index.js';
import { exportSession } from '../../src/export/index.js';
import { type Figure, inputTokens, sumFigures, tellMoney } from '../../src/ledger/index.js';
import { createRunSummary } from '../../src/run/run-summary.js';
import { initialState, reduce, selectCost, selectUsage } from '../../src/session/index.js';
import type { Store } from '../../src/store/index.js';
import { createProjection } from '../../src/view/text/project.js';
import { type Body, stamped } from '../session/play.js';

export interface Told {
  /** What the newest run spent. */
  run: Record<string, Figure | undefined>;
  /** What all runs spent together. */
  session: Record<string, Figure | undefined>;
  usage: Record<string, Usage | undefined>;
  /** Facts as people read them. */
  line: Record<string, string>;
}

/** `name` keeps a case apart from others in the same store. */
export async function askAll(store: Store, name: string, bodies: readonly Body[]): Promise<Told> {
  const events = stamped(bodies.map((body) => placed(name, body)));
  const last = events.at(-1)?.runId ?? '';
  const state = events.reduce(reduce, initialState);
  const summary = createRunSummary();
  for (const event of events) if (event.runId === last) summary.see(event);
  for (const part of byRun(events)) await store.append(part);
  const record = await store.session(last);
  const kept = record?.runs.find(({ runId }) => runId === last);
  const [total] = await store.totals({ by: 'agent', agent: name });
  const [all] = [await store.totals({ by: 'day', agent: name })].map(sum);
  const tools = sum(await store.totals({ by: 'tool', agent: name }));
  const causes = sum(await store.totals({ by: 'cause', agent: name }));
  const { run, session } = selectCost(state);
  const usage = selectUsage(state).total;
  const facts = summary.facts();
  return {
    run: { completion: facts.cost, page: run, store: kept?.spent, terminal: printed(events) },
    session: {
      page: session,
      store: record?.spent,
      agents: total?.spent,
      days: all?.spent,
      tools: tools.spent,
      causes: causes.spent,
    },
    usage: {
      page: usage,
      store: whole(record?.usage),
      agents: whole(total?.usage),
      days: whole(all?.usage),
      tools: whole(tools.usage),
      causes: whole(causes.usage),
    },
    line: {
      expected: line(session, usage),
      export: headOf(exportSession(events, { format: 'markdown', title: 'x' })),
    },
  };
}

/** As an agent of its own, so that sums over agents are those of the case. */
function placed(name: string, body: Body): Body {
  const own = (id: string | undefined) => (id === undefined ? undefined : `${name} ${id}`);
  return { ...body, agent: name, runId: own(body.runId ?? 'run'), sessionId: own(body.sessionId) } as Body;
}

function byRun(events: readonly AgentEvent[]): AgentEvent[][] {
  const runs = new Set(events.map(({ runId }) => runId));
  return [...runs].map((runId) => events.filter((event) => event.runId === runId));
}

/** What the last result said, if nothing came after it. */
function printed(events: readonly AgentEvent[]): Figure | undefined {
  const projection = createProjection();
  const results = events.flatMap((event) => projection.push(event)).filter((said) => said.kind === 'Result');
  const { cost: usd, costOrigin: origin } = results.at(-1) ?? {};
  return usd === undefined || origin === undefined ? undefined : { usd, scope: 'process', origin };
}

function sum(totals: Awaited<ReturnType<Store['totals']>>) {
  const usage: Usage = {};
  for (const total of totals) {
    for (const [field, count] of Object.entries(total.usage)) {
      if (typeof count === 'number') Object.assign(usage, { [field]: (usage[field as 'inputTokens'] ?? 0) + count });
    }
    if (total.usage.lacks) usage.lacks = total.usage.lacks;
  }
  // A tool or cause may have no share that anybody knows; its calls are counted all the same.
  const parts = totals.filter(({ spent, calls }) => spent || calls === undefined).map(({ spent }) => spent);
  return { spent: sumFigures(parts), usage };
}

/** Shares are fractions. */
function whole(usage: Usage | undefined): Usage | undefined {
  const entries = Object.entries(usage ?? {}).map(([name, value]) => [
    name,
    typeof value === 'number' ? Math.round(value) : value,
  ]);
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

function line(cost: Figure | undefined, usage: Usage | undefined): string {
  const money = cost ? [tellMoney(cost)] : usage ? ['cost unknown'] : [];
  const lacks = usage?.lacks ? ', without sub-agents' : '';
  const tokens = usage ? [`${inputTokens(usage).toLocaleString('en')} tokens in${outputText(usage)}${lacks}`] : [];
  return [...money, ...tokens].join(' · ');
}

/** The facts behind the time. */
function headOf(markdown: string): string {
  const [, facts = ''] = /^[^\n]*\d\d:\d\d ?·? ?(.*)$/m.exec(markdown.split('\n')[2] ?? '') ?? [];
  return facts;
}

/** What nobody counted is not there, and not zero. */
function outputText({ outputTokens }: Usage): string {
  return outputTokens === undefined ? '' : `, ${outputTokens.toLocaleString('en')} out`;
}
