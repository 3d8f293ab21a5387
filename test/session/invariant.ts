/** What must hold for any state, whatever events made it. */

import * as session from '../../src/session/index.js';
import { entries, entryAt, type SessionState, type Table, values } from '../../src/session/index.js';
import { CHUNK_LENGTH } from '../../src/session/table/chunks.js';

/** Asks every question that views ask; none may throw. */
export function askEverything(state: SessionState): void {
  const questions = Object.entries(session).filter(([name]) => name.startsWith('select'));
  for (const [, ask] of questions) (ask as (state: SessionState) => unknown)(state);
}

/** Sentences about what does not hold, so that a test shows all at once. */
export function broken(state: SessionState): string[] {
  return [
    ...openSets(state),
    ...references(state),
    ...when(longestChunk(state) > CHUNK_LENGTH, 'a chunk is too long'),
    ...rows(state),
    ...approvals(state),
    ...ids(state),
    ...numbers(state),
    ...[...values(state.runs.rows)].flatMap(({ counters }) =>
      when(counters.malformed > 0, 'an event was not understood'),
    ),
  ];
}

/** How something ended is said once and never changes, but that a failure may turn out to be a refusal, which some agents list at the end. */
export function changedEndings(before: SessionState, after: SessionState): string[] {
  const ending = (row: object | undefined) => {
    const { status, endedAt, settledAt, end } = (row ?? {}) as Record<string, unknown>;
    return (endedAt ?? settledAt ?? end) === undefined ? undefined : JSON.stringify([status, endedAt, settledAt, end]);
  };
  return (['turns', 'tools', 'tasks', 'approvals', 'hooks'] as const).flatMap((name) =>
    [...entries<object>(before[name].rows)].flatMap(([number, row]) => {
      const ended = ending(row);
      const now = ending(entryAt<object>(after[name].rows, number));
      const isRefusal = name === 'tools' && now === ended?.replace('["failed"', '["denied"');
      return when(ended !== undefined && ended !== now && !isRefusal, `${name} ${number} ended twice`);
    }),
  );
}

export function frozen<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) frozen(inner);
  }
  return value;
}

/** A record is open exactly as long as it has no end. */
function openSets(state: SessionState): string[] {
  const hasEnded: [string, Table<unknown>, (row: never) => boolean][] = [
    ['run', state.runs, (row: session.Run) => row.end !== undefined],
    ['tool', state.tools, (row: session.Tool) => row.endedAt !== undefined],
    ['task', state.tasks, (row: session.Task) => row.endedAt !== undefined],
    ['approval', state.approvals, (row: session.Approval) => row.settledAt !== undefined],
  ];
  return hasEnded.flatMap(([name, table, ended]) =>
    [...entries(table.rows)].flatMap(([number, row]) =>
      when(
        ended(row as never) === (entryAt(table.open, number) === 1),
        `${name} ${number} is open and ended, or neither`,
      ),
    ),
  );
}

/** Each message, tool without a message, task without a tool and so on is in exactly one thread, once. */
function references(state: SessionState): string[] {
  const seen = new Map<string, number>();
  const see = (name: string) => seen.set(name, (seen.get(name) ?? 0) + 1);
  for (const thread of values(state.threads)) {
    for (const item of values(thread.items)) if ('number' in item) see(`${item.kind} ${item.number}`);
  }
  for (const message of values(state.messages.rows)) for (const call of values(message.calls)) see(`tool ${call.tool}`);
  const expected = [
    ...[...entries(state.messages.rows)].map(([number]) => `message ${number}`),
    ...[...entries(state.tools.rows)].map(([number]) => `tool ${number}`),
    ...[...entries(state.tasks.rows)].flatMap(([number, { tool }]) => when(tool === undefined, `task ${number}`)),
    ...[...entries(state.approvals.rows)].flatMap(([number, { tool }]) =>
      when(tool === undefined, `approval ${number}`),
    ),
  ];
  return [
    ...expected.flatMap((name) => when(seen.get(name) !== 1, `${name} is in ${seen.get(name) ?? 0} places`)),
    ...[...seen].flatMap(([name, times]) => when(times > 1, `${name} is in ${times} places`)),
  ];
}

function rows(state: SessionState): string[] {
  const keys = session.selectConversation(state).map(({ key }) => key);
  const again = session.selectConversation(state);
  return [
    ...when(new Set(keys).size < keys.length, 'two rows have the same key'),
    ...when(
      session.selectConversation(state).some((row, index) => row !== again[index]),
      'a row changed without its content',
    ),
  ];
}

/** Every approval that waits is in the queue once, oldest first, and the head is the pending one. */
function approvals(state: SessionState): string[] {
  const waiting = [...values(state.approvals.rows)].filter(({ status }) => status === 'pending');
  const queue = session.selectPendingApprovals(state);
  return [
    ...when(queue.length !== waiting.length || queue.some((row, at) => row !== waiting[at]), 'the queue is wrong'),
    ...when(session.selectPendingApproval(state) !== queue[0], 'the head is not the oldest'),
  ];
}

function ids(state: SessionState): string[] {
  return (['messages', 'tools', 'tasks', 'approvals'] as const).flatMap((name) => {
    const names = Array.from(values<{ run: number; id: string }>(state[name].rows), ({ run, id }) => `${run} ${id}`);
    return when(new Set(names).size < names.length, `two ${name} have the same id`);
  });
}

function numbers(state: SessionState): string[] {
  const { run, session: whole } = session.selectCost(state);
  return [run, whole].flatMap((figure) =>
    when(figure !== undefined && !Number.isFinite(figure.usd), 'a cost is no number'),
  );
}

function longestChunk(state: SessionState): number {
  const lists = [state.threads, state.changes, ...[...values(state.threads)].map(({ items }) => items)];
  for (const table of [
    state.runs,
    state.turns,
    state.messages,
    state.tools,
    state.tasks,
    state.approvals,
    state.hooks,
  ]) {
    lists.push(table.rows as never, table.open as never);
  }
  return Math.max(...lists.flatMap(({ root, tail }) => [tail.length, ...lengths(root)]));
}

function lengths(chunk: readonly unknown[]): number[] {
  return [chunk.length, ...chunk.filter(Array.isArray).flatMap((inner) => lengths(inner))];
}

function when(condition: boolean, sentence: string): string[] {
  return condition ? [sentence] : [];
}
