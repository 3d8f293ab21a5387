/** Runs: what the agent tells about itself, which session it continues, and how the process ended. */
import type { EventOf, SessionFacts } from '../../event/index.js';
import { MAIN_THREAD } from '../state.js';
import { closeRow, openRows, type Table } from '../table/table.js';
import { account } from './account.js';
import { keep } from './copy.js';
import { addItem, type ReduceContext, show } from './reduce-context.js';

export function learnFacts(context: ReduceContext, event: EventOf<'session-start' | 'session-update'>): void {
  const { run } = context;
  account(context, event);
  if (event.parent !== undefined) return;
  run.facts = { ...run.facts, ...factsOf(event) };
  run.firstMode ??= run.facts.permissionMode;
}

export function changeSession(context: ReduceContext, event: EventOf<'session-change'>): void {
  const { run } = context;
  run.sessionId = event.newId ?? run.sessionId;
  run.previousSessionId = event.previousId ?? run.previousSessionId;
  if (event.reason === 'resume' || event.reason === 'fork') run.facts = { ...run.facts, resumed: true };
  account(context, event);
  show(context, event);
}

/** Nothing of a run outlives it: what was open is closed as unknown, questions nobody can answer any more leave the queue. */
export function endRun(context: ReduceContext, event: EventOf<'run-end'>): void {
  const { state, run, number } = context;
  if (run.end !== undefined) return;
  account(context, event);
  const gone = { status: 'unknown', endedAt: event.at, progress: undefined } as const;
  state.turns = closeAll(state.turns, number, {});
  state.messages = closeAll(state.messages, number, {});
  state.hooks = closeAll(state.hooks, number, {});
  state.tools = closeAll(state.tools, number, { ...gone, inputText: undefined });
  state.tasks = closeAll(state.tasks, number, gone);
  state.approvals = closeAll(state.approvals, number, { status: 'withdrawn', withdrawn: 'exit', settledAt: event.at });
  state.runs = closeRow(state.runs, number, run);
  Object.assign(run, {
    end: keep(event),
    speaking: undefined,
    compaction: undefined,
    retry: undefined,
    stall: undefined,
  });
  addItem(context, MAIN_THREAD, { kind: 'run', number });
}

function closeAll<Row extends { run: number }>(table: Table<Row>, run: number, change: Partial<Row>): Table<Row> {
  let closed = table;
  for (const [number, row] of openRows(table)) {
    if (row.run === run) closed = closeRow(closed, number, { ...row, ...change });
  }
  return closed;
}

const FACTS = [
  'model',
  'models',
  'cwd',
  'tools',
  'mcpServers',
  'permissionMode',
  'agentVersion',
  'commands',
  'agents',
  'skills',
  'plugins',
  'title',
  'resumed',
  'state',
] as const satisfies readonly (keyof SessionFacts)[];

function factsOf(event: SessionFacts): SessionFacts {
  return Object.fromEntries(FACTS.flatMap((name) => (event[name] === undefined ? [] : [[name, event[name]]])));
}
