/** Runs that continue each other: what came before, and whose share is whose. */
import type { Body } from '../../session/play.js';
import { atLeast, balance, type Case, cleared, computed, cost, reported, resumed, run, turn } from './words.js';

export const resumeCases: Record<string, Case> = {
  'a resumed run whose first result tells its own share needs no balance': {
    events: [
      ...turn(1, cost(0.0036, 'session', { turnUsd: 0.00114 })),
      ...turn(2, cost(0.005, 'session', { turnUsd: 0.0014 })),
    ],
    turns: [reported(0.00114), reported(0.0014)],
    run: reported(0.00254),
  },
  'resumed, unknown before': {
    events: [resumed, ...turn(1, cost(1, 'session')), ...turn(2, cost(1.2, 'session'))],
    turns: [undefined, reported(0.2)],
    run: atLeast(0.2),
  },
  'one figure of a resumed run without a balance is no figure of its own': {
    events: [resumed, ...turn(1, cost(0.5, 'session'))],
    turns: [undefined],
    run: undefined,
  },
  'resumed, and somebody knows what came before': {
    events: [balance(0.5), resumed, ...turn(1, cost(0.7, 'session'))],
    turns: [reported(0.2)],
    run: reported(0.2),
  },
  'resumed, and what came before was computed': {
    events: [
      { type: 'usage-update', turn: 0, balance: { cost: cost(0.5, 'session', { origin: 'computed' }) } },
      ...turn(1, cost(0.7, 'session')),
      ...turn(2, cost(0.8, 'session')),
    ],
    turns: [computed(0.2), reported(0.1)],
    run: computed(0.3),
  },
  'resumed, but the agent counts from nothing': {
    events: [balance(0.5), ...turn(1, cost(0.2, 'session'))],
    turns: [reported(0.2)],
    run: reported(0.2),
  },
  'a balance does not matter to figures of the process': {
    events: [balance(0.5), resumed, ...turn(1, cost(0.7, 'process'))],
    turns: [reported(0.7)],
    run: reported(0.7),
  },
  'a run after a resume begins where the earlier one ended': {
    events: [
      ...run('a', { type: 'session-start', sessionId: 's' }, ...turn(1, cost(0.5, 'session')).map(ofSession)),
      ...run('b', { ...resumed, sessionId: 's' }, ...turn(1, cost(0.7, 'session')).map(ofSession)),
    ],
    run: reported(0.2),
    session: reported(0.7),
  },
  'and so does a third, after one that cleared the conversation': {
    events: [
      ...run('a', ...turn(1, cost(0.5, 'session')).map(ofSession)),
      ...run('b', ...[...turn(1, cost(0.7, 'session')), cleared, ...turn(2, cost(0.1, 'session'))].map(ofSession)),
      ...run('c', ...turn(1, cost(0.4, 'session')).map(ofSession)),
    ],
    run: reported(0.3),
    session: reported(1.1),
  },
  'runs that count for themselves are added up': {
    events: [...run('one', ...turn(1, cost(0.1, 'process'))), ...run('two', ...turn(1, cost(0.2, 'process')))].map(
      ofSession,
    ),
    run: reported(0.2),
    session: reported(0.3),
  },
  'a run of which nothing is known makes the session a lower bound': {
    events: [...run('one', ...turn(1, cost(0.1, 'process'))), ...run('two', ...turn(1))].map(ofSession),
    run: undefined,
    session: atLeast(0.1),
  },
  'a run that spent nothing does not': {
    events: [...run('one', ...turn(1, cost(0.1, 'process'))), ...run('two', { type: 'session-start' })].map(ofSession),
    run: undefined,
    session: reported(0.1),
  },
};

function ofSession(body: Body): Body {
  return { sessionId: 's', ...body };
}
