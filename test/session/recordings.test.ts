/** The state of every recording of a real agent: rebuilt without deltas, printed and parsed, never touched, never failing. */
import { describe, expect, test } from 'vitest';
import { agentNamed, createDecoder } from '../../src/decode/index.js';
import type { AgentEvent } from '../../src/event/index.js';
import { initialState, isWorking, reduce, type SessionState, selectCost, values } from '../../src/session/index.js';
import { allRecordings, type Recording } from '../support/recordings.js';
import { askEverything, broken, frozen } from './invariant.js';
import { isLifecycle } from './play.js';

const recordings = allRecordings().filter(({ agent }) => agentNamed(agent));

/** Into a recording, at places that the commit draws. */
const LOOKS = 20;

describe.each(recordings)('$name', (recording) => {
  const events = decodeAll(recording);
  const state = events.reduce(reduce, initialState);

  test('R-07 comes out the same without deltas and progress', () => {
    expect(withoutCutOutput(events.filter(isLifecycle).reduce(reduce, initialState))).toEqual(withoutCutOutput(state));
  });

  test('can be printed, parsed and gone on with anywhere', () => {
    const middle = events.length >> 1;
    const half = events.slice(0, middle).reduce(reduce, initialState);
    const parsed: SessionState = JSON.parse(JSON.stringify(half));
    expect(events.slice(middle).reduce(reduce, parsed)).toEqual(state);
  });

  test('has an answer to every question at any time, and leaves the state before as it was', () => {
    const every = Math.ceil(events.length / LOOKS);
    const first = Number(process.env.GLASSBOX_TEST_SEED ?? 0) % every;
    events.reduce((before, event, index) => {
      const after = reduce(before, event);
      if (index % every !== first) return after;
      askEverything(after);
      expect(broken(after), `after seq ${event.seq}`).toEqual([]);
      return frozen(after);
    }, frozen(initialState));
  });

  test('S0-29 has nothing open at the end but background tasks, and the cost that the agent told last', () => {
    expect(isWorking({ ...state, tasks: initialState.tasks })).toBe(false);
    expect(state.approvals.open.count).toBe(0);
    const told = events.flatMap((event) => (event.type === 'turn-end' && event.cost ? [event.cost] : []));
    const [first, last] = [told[0], told.at(-1)];
    // What came before the process is not its own.
    const before = first?.turnUsd === undefined ? 0 : first.usd - first.turnUsd;
    if (last?.scope === 'session')
      expect(selectCost(state).session?.usd ?? 0).toBeGreaterThan(last.usd - before - 1e-9);
    const shares = [...values(state.turns.rows)].reduce((sum, turn) => sum + (turn.cost?.usd ?? 0), 0);
    expect(selectCost(state).run?.usd ?? 0).toBeCloseTo(shares, 8);
  });
});

/** What a tool printed before it was cut off is in deltas only; people want to see it all the same. */
function withoutCutOutput(state: SessionState): unknown {
  const printed = JSON.stringify(state, (_, value) => (value?.status === 'unknown' ? { ...value, output: '' } : value));
  return JSON.parse(printed);
}

function decodeAll({ agent, stdout }: Recording): AgentEvent[] {
  let at = 1_000;
  const decoder = createDecoder(agent, { runId: 'run', now: () => at++ });
  return [...decoder.push(stdout), ...decoder.end()];
}
