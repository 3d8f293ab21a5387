/** Row 5: the reducer costs the same per event in a long turn as in a short one, whatever the turn is made of. */
import type { AgentEvent, Payload } from '../src/event/index.js';
import { initialState, reduce, selectConversation } from '../src/session/index.js';
import { measureRounds } from './support/rounds.js';
import { report } from './support/row.js';

const SHORT = 20_000;
const LONG = 200_000;
const ROUNDS = { rounds: 7, warmUp: 2 };

type Body = Payload & { parent?: string };

/** What people see: messages word by word, each with a tool call. */
function* work(): Generator<Body> {
  yield { type: 'turn-start' };
  for (let number = 0; ; number++) {
    const messageId = `msg_${number}`;
    const id = `toolu_${number}`;
    yield { type: 'message-start', messageId };
    for (let word = 0; word < 12; word++) yield { type: 'text-delta', messageId, index: 0, text: ` word${word}` };
    yield { type: 'text-end', messageId, index: 0, text: 'twelve words' };
    yield { type: 'tool-start', id, name: 'Read', kind: 'read', messageId };
    yield { type: 'tool-input-end', id, input: { path: 'a.ts' }, summary: 'a.ts' };
    yield { type: 'message-end', messageId, usage: { inputTokens: 3, outputTokens: 12 } };
    yield { type: 'tool-end', id, status: 'ok', output: 'text' };
  }
}

function* oneText(): Generator<Body> {
  yield { type: 'message-start', messageId: 'm' };
  for (let word = 0; ; word++) yield { type: 'text-delta', messageId: 'm', index: 0, text: ` word${word}` };
}

function* tools(): Generator<Body> {
  for (let number = 0; ; number++) {
    yield { type: 'tool-start', id: `t${number}`, name: 'Bash', kind: 'execute' };
    yield { type: 'tool-end', id: `t${number}`, status: 'ok', output: '' };
  }
}

function* openTools(length: number): Generator<Body> {
  for (let number = 0; number < length / 2; number++) {
    yield { type: 'tool-start', id: `t${number}`, name: 'Bash', kind: 'execute' };
  }
  for (let number = 0; ; number++) yield { type: 'tool-end', id: `t${number}`, status: 'ok', output: '' };
}

function* subAgents(): Generator<Body> {
  const agents = 500;
  for (let number = 0; number < agents; number++)
    yield { type: 'tool-start', id: `a${number}`, name: 'Agent', kind: 'think' };
  for (let number = 0; ; number++) {
    const parent = `a${(number * 7) % agents}`;
    yield { type: 'tool-start', id: `t${number}`, name: 'Bash', kind: 'execute', parent };
    yield { type: 'tool-end', id: `t${number}`, status: 'ok', output: '', parent };
  }
}

const judged = await measure(work);
const others = {
  'one text of 200,000 deltas': await measure(oneText),
  'tools one after the other': await measure(tools),
  '100,000 tools open at once': await measure(openTools),
  '500 sub-agents at once': await measure(subAgents),
};

report([
  {
    row: 5,
    what: `reducer, ${LONG.toLocaleString('en')} events in one turn`,
    against: `${SHORT.toLocaleString('en')} events × 10`,
    goal: '≤ 1.3',
    value: judged.ratio,
    unit: '×',
    ok: judged.ratio <= 1.3,
    also: {
      'per event': `${judged.perEvent} µs`,
      'all rows of the conversation': `${judged.rowsMs} ms`,
      ...Object.fromEntries(
        Object.entries(others).map(([name, { ratio, perEvent }]) => [
          name,
          `${ratio.toFixed(2)} ×, ${perEvent} µs per event`,
        ]),
      ),
    },
  },
]);

async function measure(make: (length: number) => Iterable<Body>) {
  const long = stamped(make(LONG), LONG);
  const short = stamped(make(SHORT), SHORT);
  const times = await measureRounds(
    {
      short() {
        for (let time = 0; time < LONG / SHORT; time++) short.reduce(reduce, initialState);
      },
      long() {
        long.reduce(reduce, initialState);
      },
    },
    ROUNDS,
  );
  const state = long.reduce(reduce, initialState);
  selectConversation(state);
  const start = performance.now();
  selectConversation(state);
  return {
    ratio: times.ratio('short', 'long'),
    perEvent: ((times.ms('long') * 1000) / LONG).toFixed(2),
    rowsMs: (performance.now() - start).toFixed(1),
  };
}

function stamped(bodies: Iterable<Body>, length: number): AgentEvent[] {
  const events: AgentEvent[] = [];
  for (const body of bodies) {
    const seq = events.length + 1;
    events.push({ seq, at: seq, runId: 'run', agent: 'agent', source: 'stream', turn: 1, ...body } as AgentEvent);
    if (seq === length) break;
  }
  return events;
}
