/** What turns cost: figures of turns and readings of counters, running ones, those of sub-agents, and what is missing. */
import type { Usage } from '../../../src/event/index.js';
import { atLeast, type Case, cleared, computed, cost, reported, tokens, turn } from './words.js';

export const turnCases: Record<string, Case> = {
  'figures of single turns are added': {
    events: [...turn(1, cost(0.1, 'turn')), ...turn(2, cost(0.2, 'turn'))],
    turns: [reported(0.1), reported(0.2)],
    run: reported(0.3),
  },
  'cumulative figures are reduced by the one before': {
    events: [...turn(1, cost(0.1, 'process')), ...turn(2, cost(0.25, 'process'))],
    turns: [reported(0.1), reported(0.15)],
    run: reported(0.25),
  },
  'readings that differ by dust are the same': {
    events: [...turn(1, cost(0.0064, 'session')), ...turn(2, cost(0.006399999999999999, 'session'))],
    turns: [reported(0.0064), reported(0)],
    run: reported(0.0064),
  },
  'without a figure the cost is unknown, not zero': { events: turn(1), turns: [undefined], run: undefined },
  'a turn without a figure makes the sum a lower bound': {
    events: [...turn(1, cost(0.1, 'turn')), ...turn(2)],
    turns: [reported(0.1), undefined],
    run: atLeast(0.1),
  },
  'process, then a turn without a figure': {
    events: [...turn(1, cost(0.1, 'process')), ...turn(2)],
    turns: [reported(0.1), undefined],
    run: atLeast(0.1),
  },
  'a later reading contains a turn without one': {
    events: [...turn(1, cost(0.1, 'process')), ...turn(2), ...turn(3, cost(0.4, 'process'))],
    turns: [reported(0.1), undefined, reported(0.3)],
    run: reported(0.4),
  },
  'a reading after clearing does not contain a turn without one before': {
    events: [...turn(1), cleared, ...turn(2, cost(0.4, 'process'))],
    turns: [undefined, reported(0.4)],
    run: atLeast(0.4),
  },
  'the weakest origin is that of the sum': {
    events: [...turn(1, cost(0.1, 'turn')), ...turn(2, cost(0.2, 'turn', { origin: 'computed' }))],
    turns: [reported(0.1), computed(0.2)],
    run: computed(0.3),
  },
  'a reading is as sure as its agent says, however turns before it were priced': {
    events: [...turn(1, cost(0.1, 'turn', { origin: 'computed' })), ...turn(2, cost(0.3, 'session'))],
    turns: [computed(0.1), reported(0.2)],
    run: reported(0.3),
  },
  'what an agent failed to count is missing in its later readings': {
    events: [...turn(1, cost(0, 'session', { origin: 'lower-bound' })), ...turn(2, cost(0.2, 'session'))],
    turns: [undefined, reported(0.2)],
    run: atLeast(0.2),
  },
  'at least nothing is unknown': {
    events: turn(1, cost(0, 'session', { origin: 'lower-bound' })),
    turns: [undefined],
    run: undefined,
  },
  'process figures that begin anew after a clear': {
    events: [...turn(1, cost(0.1, 'process')), ...turn(2, cost(0.15, 'process')), ...turn(3, cost(0.02, 'process'))],
    turns: [reported(0.1), reported(0.05), reported(0.02)],
    run: reported(0.17),
  },
  'a cleared conversation begins at nothing, also where the next total is larger': {
    events: [...turn(1, cost(0.1, 'session')), cleared, ...turn(2, cost(0.25, 'session'))],
    turns: [reported(0.1), reported(0.25)],
    run: reported(0.35),
  },
  'clearing costs nothing': {
    events: [
      ...turn(1, cost(0.1, 'session')),
      cleared,
      ...turn(2, cost(0, 'session')),
      ...turn(3, cost(0.2, 'session')),
    ],
    turns: [reported(0.1), reported(0), reported(0.2)],
    run: reported(0.3),
  },
  'turn, then process: the total contains the turn': {
    events: [...turn(1, cost(0.1, 'turn')), ...turn(2, cost(0.3, 'process'))],
    turns: [reported(0.1), reported(0.2)],
    run: reported(0.3),
  },
  'process, then turn, then process': {
    events: [...turn(1, cost(0.3, 'process')), ...turn(2, cost(0.1, 'turn')), ...turn(3, cost(0.5, 'process'))],
    turns: [reported(0.3), reported(0.1), reported(0.1)],
    run: reported(0.5),
  },
  'process, then session': {
    events: [...turn(1, cost(0.1, 'process')), ...turn(2, cost(0.3, 'session'))],
    turns: [reported(0.1), reported(0.2)],
    run: reported(0.3),
  },
  'a result that was held back shares its cost with the turn that it overlaps': {
    events: [
      { type: 'turn-start', turn: 1 },
      { type: 'turn-start', turn: 2 },
      { type: 'turn-end', turn: 1, outcome: 'success', ...held(tokens(200, 26)) },
      { type: 'turn-end', turn: 2, outcome: 'success', ...held(tokens(100, 6)) },
    ],
    turns: [reported(0.0064), undefined],
    run: reported(0.0064),
    usage: tokens(500, 45),
  },
  'a turn that cost nothing cost nothing': {
    events: [...turn(1, cost(0.1, 'session')), ...turn(2, cost(0.1, 'session'))],
    turns: [reported(0.1), reported(0)],
    run: reported(0.1),
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
  },
  'what only sub-agents told is a lower bound': {
    events: [
      { type: 'turn-start' },
      { type: 'turn-end', parent: 'a', outcome: 'success', cost: cost(0.1, 'turn') },
      { type: 'turn-end', outcome: 'success' },
    ],
    turns: [atLeast(0.1), reported(0.1)],
    run: atLeast(0.1),
  },
  'a running figure is a lower bound until the turn ends': {
    events: [{ type: 'turn-start' }, { type: 'usage-update', cost: cost(0.1, 'turn') }],
    turns: [undefined],
    run: atLeast(0.1),
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
  },
  'a turn that is cut keeps its running figure as a lower bound': {
    events: [
      { type: 'turn-start' },
      { type: 'usage-update', cost: cost(0.1, 'turn') },
      { type: 'turn-end', outcome: 'unknown' },
    ],
    turns: [atLeast(0.1)],
    run: atLeast(0.1),
  },
  'a turn that is cut keeps the readings in it as a lower bound': {
    events: [
      { type: 'turn-start' },
      { type: 'usage-update', cost: cost(0.1, 'process') },
      { type: 'turn-end', outcome: 'unknown' },
    ],
    turns: [atLeast(0.1)],
    run: atLeast(0.1),
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
  },
  'a figure between turns belongs to the run': {
    events: [{ type: 'usage-update', turn: 0, cost: cost(0.1, 'process') }, ...turn(1, cost(0.3, 'process'))],
    turns: [reported(0.2)],
    run: reported(0.3),
  },
  'events that were lost had figures': {
    events: [...turn(1, cost(0.1, 'turn')), { type: 'gap', from: 4, to: 9, why: 'x' }, ...turn(3, cost(0.2, 'turn'))],
    turns: [reported(0.1), reported(0.2)],
    run: atLeast(0.3),
  },
  'a figure that is no number is no figure': {
    events: turn(1, cost(Number.NaN, 'process')),
    turns: [undefined],
    run: undefined,
  },
};

/** Both results carry the totals of both turns. */
function held(usage: Usage) {
  return { cost: cost(0.0064, 'session'), usage, modelUsage: [{ model: 'big', ...tokens(500, 45) }] };
}
