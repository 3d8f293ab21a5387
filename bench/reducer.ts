/** Row 5: a reducer that is linear: 200,000 events of one turn cost ten times what 20,000 cost. */
import type { AgentEvent } from '../src/event/index.js';
import { initialState, reduce } from '../src/session/index.js';
import { measureRounds } from './support/rounds.js';
import { report } from './support/row.js';

const SMALL = 20_000;
const LARGE = 200_000;
const events = oneTurn(LARGE);

const times = await measureRounds(
  {
    small: () => reduceAll(events.slice(0, SMALL)),
    large: () => reduceAll(events),
  },
  { rounds: 7, warmUp: 3 },
);

const value = times.ratio('small', 'large') / (LARGE / SMALL);
report([
  {
    row: 5,
    what: `reduce ${LARGE} events of one turn`,
    against: `${LARGE / SMALL} times reducing ${SMALL}`,
    goal: '≤ 1.30',
    value,
    unit: '×',
    ok: value <= 1.3,
    also: { 'per event': `${((times.ms('large') / LARGE) * 1000).toFixed(2)} µs` },
  },
]);

function reduceAll(list: AgentEvent[]): unknown {
  let state = initialState;
  for (const event of list) state = reduce(state, event);
  return state;
}

/** Messages of ten words and tool calls, all in the first turn. */
function oneTurn(count: number): AgentEvent[] {
  const all: AgentEvent[] = [];
  const add = (payload: object) =>
    all.push({
      ...payload,
      turn: 1,
      sessionId: 's',
      seq: all.length + 1,
      at: all.length,
      runId: 'r',
      agent: 'bench',
      source: 'stream',
    } as AgentEvent);
  add({ type: 'session-start', model: 'm', cwd: '/repo' });
  add({ type: 'turn-start' });
  for (let step = 0; all.length < count; step++) {
    const messageId = `m${step}`;
    const id = `t${step}`;
    add({ type: 'message-start', messageId });
    for (let word = 0; word < 10; word++) add({ type: 'text-delta', messageId, index: 0, text: 'word ' });
    add({ type: 'text-end', messageId, index: 0, text: 'word '.repeat(10) });
    add({ type: 'tool-start', id, name: 'Edit', kind: 'edit', messageId });
    add({ type: 'tool-input-end', id, input: { file_path: `src/${step % 50}.ts` }, summary: `src/${step % 50}.ts` });
    add({ type: 'message-end', messageId, usage: { inputTokens: 10, outputTokens: 5 } });
    add({ type: 'tool-end', id, name: 'Edit', status: 'ok', output: 'done' });
    add({ type: 'file-change', toolId: id, path: `src/${step % 50}.ts`, kind: 'edit' });
  }
  return all.slice(0, count);
}
