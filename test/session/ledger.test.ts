/** Decision 9: what a run and each of its turns cost, from figures that reach differently far. */
import { expect, test } from 'vitest';
import type { Cost } from '../../src/event/index.js';
import {
  type Figure,
  initialState,
  reduce,
  type SessionState,
  selectCost,
  values,
  withBaseline,
} from '../../src/session/index.js';
import { type Body, play, stamped } from './play.js';

const reported = (usd: number): Figure => ({ usd, origin: 'reported' });
const atLeast = (usd: number): Figure => ({ usd, origin: 'lower-bound' });
const cost = (usd: number, scope: Cost['scope'], more: Partial<Cost> = {}): Cost => ({
  usd,
  scope,
  origin: 'reported',
  ...more,
});
const turn = (number: number, figure?: Cost): Body[] => [
  { type: 'turn-start', turn: number },
  { type: 'turn-end', turn: number, outcome: 'success', cost: figure },
];

interface Case {
  events: Body[];
  /** What each turn is charged with. */
  turns: (Figure | undefined)[];
  run: Figure | undefined;
  session: Figure | undefined;
}

const cases: Record<string, Case> = {
  'figures of single turns are added': {
    events: [...turn(1, cost(0.1, 'turn')), ...turn(2, cost(0.2, 'turn'))],
    turns: [reported(0.1), reported(0.2)],
    run: reported(0.3),
    session: reported(0.3),
  },
  'cumulative figures are reduced by the one before': {
    events: [...turn(1, cost(0.1, 'process')), ...turn(2, cost(0.25, 'process'))],
    turns: [reported(0.1), reported(0.15)],
    run: reported(0.25),
    session: reported(0.25),
  },
  'without a figure the cost is unknown, not zero': {
    events: turn(1),
    turns: [undefined],
    run: undefined,
    session: undefined,
  },
  'a turn without a figure makes the sum a lower bound': {
    events: [...turn(1, cost(0.1, 'turn')), ...turn(2)],
    turns: [reported(0.1), undefined],
    run: atLeast(0.1),
    session: atLeast(0.1),
  },
  'a later cumulative figure covers a turn without one': {
    events: [...turn(1, cost(0.1, 'process')), ...turn(2), ...turn(3, cost(0.4, 'process'))],
    turns: [reported(0.1), undefined, reported(0.3)],
    run: reported(0.4),
    session: reported(0.4),
  },
  'the weakest origin is that of the sum': {
    events: [...turn(1, cost(0.1, 'turn')), ...turn(2, cost(0.2, 'turn', { origin: 'computed' }))],
    turns: [reported(0.1), { usd: 0.2, origin: 'computed' }],
    run: { usd: 0.3, origin: 'computed' },
    session: { usd: 0.3, origin: 'computed' },
  },
  'a total that became smaller was begun anew, as after clearing': {
    events: [
      ...turn(1, cost(0.1, 'session')),
      { type: 'session-change', newId: 'b', previousId: 'a', reason: 'clear', turn: 1 },
      ...turn(2, cost(0, 'session')),
      ...turn(3, cost(0.2, 'session')),
    ],
    turns: [reported(0.1), reported(0), reported(0.2)],
    run: reported(0.3),
    session: reported(0.3),
  },
  'a result that was held back shares its cost with the turn that it overlaps': {
    events: [
      { type: 'turn-start', turn: 1 },
      { type: 'turn-start', turn: 2 },
      { type: 'turn-end', turn: 1, outcome: 'success', cost: cost(0.0064, 'session') },
      { type: 'turn-end', turn: 2, outcome: 'success', cost: cost(0.0064, 'session') },
    ],
    turns: [reported(0.0064), undefined],
    run: reported(0.0064),
    session: reported(0.0064),
  },
  'a turn that cost nothing cost nothing': {
    events: [...turn(1, cost(0.1, 'session')), ...turn(2, cost(0.1, 'session'))],
    turns: [reported(0.1), reported(0)],
    run: reported(0.1),
    session: reported(0.1),
  },
  'a resumed run whose first result tells its own share needs no baseline': {
    events: turn(1, cost(0.0036, 'session', { turnUsd: 0.00114 })),
    turns: [reported(0.00114)],
    run: reported(0.00114),
    session: reported(0.0036),
  },
  'a resumed run without a baseline knows only what was added since its first figure': {
    events: [
      { type: 'session-start', resumed: true },
      ...turn(1, cost(0.5, 'session')),
      ...turn(2, cost(0.7, 'session')),
    ],
    turns: [undefined, reported(0.2)],
    run: atLeast(0.2),
    session: reported(0.7),
  },
  'one figure of a resumed run without a baseline is no figure of its own': {
    events: [{ type: 'session-start', resumed: true }, ...turn(1, cost(0.5, 'session'))],
    turns: [undefined],
    run: undefined,
    session: reported(0.5),
  },
  'a sub-agent inside a total counts once': {
    events: [
      { type: 'turn-start' },
      { type: 'tool-start', id: 'a', name: 'Agent', kind: 'think' },
      { type: 'turn-end', parent: 'a', outcome: 'success', cost: cost(0.1, 'turn') },
      { type: 'turn-end', outcome: 'success', cost: cost(0.3, 'turn') },
    ],
    turns: [reported(0.3), reported(0.1)],
    run: reported(0.3),
    session: reported(0.3),
  },
  'what only sub-agents told is a lower bound': {
    events: [
      { type: 'turn-start' },
      { type: 'turn-end', parent: 'a', outcome: 'success', cost: cost(0.1, 'turn') },
      { type: 'turn-end', outcome: 'success' },
    ],
    turns: [undefined, reported(0.1)],
    run: atLeast(0.1),
    session: atLeast(0.1),
  },
  'a running figure is a lower bound until the turn ends': {
    events: [{ type: 'turn-start' }, { type: 'usage-update', cost: cost(0.1, 'turn') }],
    turns: [undefined],
    run: atLeast(0.1),
    session: atLeast(0.1),
  },
  'a running figure of the turn is not added to that of its end': {
    events: [
      { type: 'turn-start' },
      { type: 'usage-update', cost: cost(0.1, 'turn') },
      { type: 'usage-update', cost: cost(0.2, 'turn') },
      { type: 'turn-end', outcome: 'success', cost: cost(0.25, 'turn') },
    ],
    turns: [reported(0.25)],
    run: reported(0.25),
    session: reported(0.25),
  },
  'a turn that is cut keeps its running figure as a lower bound': {
    events: [
      { type: 'turn-start' },
      { type: 'usage-update', cost: cost(0.1, 'turn') },
      { type: 'turn-end', outcome: 'unknown' },
    ],
    turns: [atLeast(0.1)],
    run: atLeast(0.1),
    session: atLeast(0.1),
  },
  'cumulative running figures and the end of the turn count once': {
    events: [
      { type: 'turn-start' },
      { type: 'usage-update', cost: cost(0.1, 'process') },
      { type: 'usage-update', cost: cost(0.2, 'process') },
      { type: 'turn-end', outcome: 'success', cost: cost(0.3, 'process') },
    ],
    turns: [reported(0.3)],
    run: reported(0.3),
    session: reported(0.3),
  },
  'a figure between turns belongs to the run': {
    events: [{ type: 'usage-update', turn: 0, cost: cost(0.1, 'process') }, ...turn(1, cost(0.3, 'process'))],
    turns: [reported(0.2)],
    run: reported(0.3),
    session: reported(0.3),
  },
  'the end of a run tells what its events did not': {
    events: [{ type: 'session-start', resumed: true }, ...turn(1, cost(0.5, 'session')), end(cost(0.2, 'process'))],
    turns: [undefined],
    run: reported(0.2),
    session: reported(0.5),
  },
  'what its events told goes over what the end of a run only estimates': {
    events: [...turn(1, cost(0.5, 'process')), end(cost(0.2, 'process', { origin: 'lower-bound' }))],
    turns: [reported(0.5)],
    run: reported(0.5),
    session: reported(0.5),
  },
  'of two lower bounds the higher one holds': {
    events: [...turn(1, cost(0.5, 'turn')), ...turn(2), end(cost(0.7, 'process', { origin: 'lower-bound' }))],
    turns: [reported(0.5), undefined],
    run: atLeast(0.7),
    session: atLeast(0.7),
  },
  'a figure that is no number is no figure': {
    events: turn(1, cost(Number.NaN, 'process')),
    turns: [undefined],
    run: undefined,
    session: undefined,
  },
};

test.each(Object.entries(cases))('%s', (_, { events, turns, run, session }) => {
  const state = play(events);
  expect([...values(state.turns.rows)].map((each) => each.cost)).toEqual(turns);
  expect(selectCost(state)).toMatchObject({ run, session });
});

test('the turn that is contained in another says so', () => {
  const state = play(cases['a result that was held back shares its cost with the turn that it overlaps']?.events ?? []);
  expect([...values(state.turns.rows)].map(({ costWithin }) => costWithin)).toEqual([undefined, 0]);
});

test('a resumed run takes its baseline from whoever knows it', () => {
  const from = withBaseline(initialState, 'run', 0.5);
  const state = play([{ type: 'session-start', resumed: true }, ...turn(1, cost(0.7, 'session'))], from);
  expect(selectCost(state)).toMatchObject({ run: reported(0.2), session: reported(0.7) });
});

test.each(['resume', 'fork'] as const)(
  'a run after a %s takes its baseline from the earlier run in the same state',
  (reason) => {
    const first = play([{ type: 'session-start', sessionId: 'a' }, ...turn(1, cost(0.5, 'session'))]);
    const second = stamped([
      { type: 'session-start', sessionId: 'b', runId: 'second' },
      { type: 'session-change', previousId: 'a', newId: 'b', reason, runId: 'second' },
      ...turn(1, cost(0.7, 'session')).map((body) => ({ ...body, runId: 'second' })),
    ]).reduce(reduce, first);
    expect(selectCost(second)).toMatchObject({ run: reported(0.2), session: reported(0.7) });
  },
);

test('an earlier run that told nothing leaves the baseline of the next unknown', () => {
  const first = play([{ type: 'session-start', sessionId: 'a' }, ...turn(1)]);
  const second = stamped(
    turn(1, cost(0.7, 'session')).map((body) => ({ ...body, runId: 'second', sessionId: 'a' })),
  ).reduce(reduce, first);
  expect(selectCost(second)).toMatchObject({ run: undefined, session: reported(0.7) });
});

test('runs that count for themselves are added up, an unknown one makes it a lower bound', () => {
  const run = (runId: string, figure?: Cost) => turn(1, figure).map((body) => ({ ...body, runId }));
  const both = [...run('one', cost(0.1, 'process')), ...run('two', cost(0.2, 'process'))];
  expect(sessionCost(play(both))).toEqual(reported(0.3));
  expect(sessionCost(play([...both, ...run('three')]))).toEqual(atLeast(0.3));
});

test('models are replaced where figures are cumulative and added up where not', () => {
  const models = (scope: Cost['scope']) =>
    selectCost(
      play(
        [1, 2].map((number) => ({
          type: 'turn-end',
          turn: number,
          outcome: 'success',
          cost: cost(number, scope),
          modelUsage: [{ model: 'm', inputTokens: number, usd: number }],
        })),
      ),
    ).models;
  expect(models('process')).toEqual([{ model: 'm', inputTokens: 2, usd: 2 }]);
  expect(models('turn')).toEqual([{ model: 'm', inputTokens: 3, usd: 3 }]);
});

function sessionCost(state: SessionState): Figure | undefined {
  return selectCost(state).session;
}

function end(figure: Cost): Body {
  const open = { tools: [], tasks: [], approvals: [], processes: [] };
  return { type: 'run-end', reason: 'finished', cost: figure, turns: 1, open, durationMs: 1 };
}
