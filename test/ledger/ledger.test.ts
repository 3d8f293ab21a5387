/** What a run and each of its turns cost and used, from figures that reach differently far: everybody says the same. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Balance } from '../../src/event/index.js';
import { type Figure, tellMoney } from '../../src/ledger/index.js';
import { createRunSummary } from '../../src/run/run-summary.js';
import { values } from '../../src/session/index.js';
import { openStore, type Store } from '../../src/store/index.js';
import { type Body, play, stamped } from '../session/play.js';
import { resumeCases } from './case/resume.js';
import { tokenCases } from './case/token.js';
import { turnCases } from './case/turn.js';
import { type Amount, atLeast, computed, cost, reported, turn } from './case/words.js';
import { askAll } from './consumer.js';

let folder: string;
let store: Store;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'glassbox-ledger-'));
  store = await openStore(join(folder, 'store.db'));
});
afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

const cases = { ...turnCases, ...resumeCases, ...tokenCases };

describe.each(Object.entries(cases))('%s', (name, { events, turns, run: own, session = own, usage }) => {
  const withScope = (amount: Amount | undefined, scope: Figure['scope']) => amount && { ...amount, scope };

  test.each([
    ['read', events],
    ['run', runsOf(events)],
  ])('%s', async (way, bodies) => {
    const told = await askAll(store, `${way} ${name}`, bodies);
    const isSaid = events.at(-1)?.type === 'turn-end';
    for (const [who, figure] of Object.entries(told.run)) {
      // A stream that is only read does not tell what came before it.
      const isAlone = way === 'run' || events.every(({ runId }) => runId === events[0]?.runId);
      const knows = who === 'terminal' ? isSaid : who === 'completion' ? isAlone : true;
      if (knows) expect([who, figure]).toEqual([who, withScope(own, 'process')]);
    }
    for (const [who, figure] of Object.entries(told.session)) {
      // Shares are computed at best.
      const amount = /tools|causes/.test(who) && session?.origin === 'reported' ? computed(session.usd) : session;
      if (way === 'run' || !isOpen(events) || !/tools|causes/.test(who)) {
        expect([who, round(figure)]).toEqual([who, withScope(amount, 'session')]);
      }
    }
    if (usage)
      for (const [who, count] of Object.entries(told.usage)) {
        if (way === 'run' || !isOpen(events) || !/tools|causes/.test(who)) expect([who, count]).toEqual([who, usage]);
      }
    expect(told.line.export).toBe(told.line.expected);
  });

  test('turns', () => {
    const costs = Array.from(values(play(events).turns.rows), (each) => each.cost);
    expect(costs).toEqual(turns?.map((amount) => withScope(amount, 'turn')) ?? costs);
  });
});

test('the turn that is contained in another says so', () => {
  const state = play(cases['a result that was held back shares its cost with the turn that it overlaps']?.events ?? []);
  expect([...values(state.turns.rows)].map(({ costWithin }) => costWithin)).toEqual([undefined, 1]);
});

test('the end of a run tells what its events did not', async () => {
  const lost: Body[] = [{ type: 'gap', from: 1, to: 3, why: 'x' }, ...turn(2, cost(0.2, 'turn'))];
  const told = await askAll(store, 'gap', [...lost, { ...end([]), cost: cost(0.5, 'process') } as Body]);
  expect([told.run.page, told.run.store]).toEqual(Array(2).fill({ usd: 0.5, scope: 'process', origin: 'reported' }));
  expect(told.session.days).toEqual({ usd: 0.5, scope: 'session', origin: 'reported' });
});

test.each([
  [reported(0.0234), '$0.0234'],
  [reported(0.00004), '$0.00004'],
  [computed(0.0000003), 'about $0.0000003'],
  [atLeast(0.00002), 'at least $0.00002'],
  [computed(0.00008), 'about $0.0001'],
  [reported(0), '$0.0000'],
  [reported(Number.NaN), 'unknown'],
])('%o is told as %j: little is not nothing', (amount, words) => {
  expect(tellMoney(amount)).toBe(words);
});

/** As if glassbox had run them: each says at its end what it came to, and what continues one begins with that. */
function runsOf(events: readonly Body[]): Body[] {
  let before: Balance | undefined;
  return [...new Set(events.map(({ runId }) => runId))].flatMap((runId) => {
    const { sessionId } = events[0] ?? {};
    const own = events.filter((event) => event.runId === runId);
    const first: Body[] = before ? [{ type: 'usage-update', turn: 0, balance: before, runId, sessionId }] : [];
    const last = end([...first, ...own]);
    before = last.type === 'run-end' ? last.balance : undefined;
    return [...first, ...own, { ...last, runId, sessionId }];
  });
}

function end(events: readonly Body[]): Body {
  const summary = createRunSummary();
  for (const event of stamped(events)) summary.see(event);
  const open = { tools: [], tasks: [], approvals: [], processes: [] };
  return { type: 'run-end', reason: 'finished', ...summary.facts(), open, durationMs: 1 };
}

/** Figures of a turn that is under way are in no table yet. */
function isOpen(events: readonly Body[]): boolean {
  return events.at(-1)?.type !== 'turn-end' && events.some(({ type }) => type === 'turn-start');
}

function round(figure: Figure | undefined): Figure | undefined {
  return figure && { ...figure, usd: Math.round(figure.usd * 1e9) / 1e9 };
}
