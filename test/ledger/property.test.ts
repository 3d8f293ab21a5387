/** Whatever figures come in whatever order: nothing is counted twice, nothing is lost, and everybody says the same. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  costOf,
  createRunLedgers,
  createShares,
  type Entry,
  type Ledger,
  ORIGINS,
  openLedger,
  USAGE_FIELDS,
  usageOf,
} from '../../src/ledger/index.js';
import { openStore, type Store } from '../../src/store/index.js';
import { type Body, stamped } from '../session/play.js';
import { askAll } from './consumer.js';

const usage = fc.record(
  { inputTokens: fc.nat(99), outputTokens: fc.nat(9), cacheReadTokens: fc.nat(999), cacheWriteTokens: fc.nat(9) },
  { requiredKeys: ['inputTokens'] },
);
const model = fc.constantFrom('big', 'small');
const modelUsage = fc.uniqueArray(
  fc.record({ model, inputTokens: fc.nat(99), outputTokens: fc.nat(9), usd: fc.nat(9) }, { requiredKeys: ['model'] }),
  { selector: ({ model: name }) => name, maxLength: 2 },
);
const scope = fc.constantFrom('turn', 'process', 'session');
const cost = fc.record(
  {
    usd: fc.oneof(
      fc.nat(1000).map((cents) => cents / 100),
      fc.constantFrom(0, Number.NaN, -1),
    ),
    scope,
    origin: fc.constantFrom(...ORIGINS),
    turnUsd: fc.nat(3),
  },
  { requiredKeys: ['usd', 'scope', 'origin'] },
);
const end = fc.record(
  { cost, usage, modelUsage, turnModelUsage: modelUsage, usageScope: scope, usageCovers: fc.constant('all') },
  { requiredKeys: [] },
);
const parent = fc.option(fc.constantFrom('t'), { nil: undefined });

const step: fc.Arbitrary<Record<string, unknown>> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ type: fc.constant('turn'), end }) },
  fc.record({ type: fc.constant('turn-start'), parent }),
  fc.record({ type: fc.constant('message-end'), usage, model, parent }, { requiredKeys: ['type'] }),
  fc.record({ type: fc.constant('usage-update'), usage, cost, parent }, { requiredKeys: ['type'] }),
  fc.record({ type: fc.constant('session-change'), newId: fc.constant('x'), reason: fc.constantFrom('clear', 'fork') }),
  fc.record({ type: fc.constant('session-start'), model, resumed: fc.boolean() }, { requiredKeys: ['type'] }),
  fc.constant({ type: 'task-start', id: 'x', kind: 'agent' }),
  fc.record({ type: fc.constant('tool-start'), name: fc.constantFrom('Bash', 'Read') }),
  fc.constant({ type: 'gap', from: 1, to: 2, why: 'x' }),
);

/** Turns end once, and in order; everything else comes as it likes. */
function bodiesOf(steps: readonly Record<string, unknown>[]): Body[] {
  let turn = 1;
  let id = 0;
  return steps.flatMap((each) => {
    id += 1;
    if (each.type !== 'turn') return [{ ...each, turn, id: `i${id}`, messageId: `m${id - 1}` } as unknown as Body];
    const ended = { type: 'turn-end', outcome: 'success', turn, ...(each.end as object) };
    turn += 1;
    return [ended as Body];
  });
}

const story = fc.array(step, { maxLength: 14 }).map(bodiesOf);

function enterAll(bodies: readonly Body[]): { entries: Entry[]; ledgers: Ledger[] } {
  const book = createRunLedgers();
  const ledgers: Ledger[] = [];
  const entries = stamped(bodies).flatMap((event) => {
    const settled = book.see(event);
    ledgers.push(book.ledger);
    return settled;
  });
  return { entries, ledgers };
}

const sum = (numbers: readonly (number | undefined)[]) => numbers.reduce<number>((all, each) => all + (each ?? 0), 0);

test('what turns are charged with adds up to what the run spent, in money, tokens and models', () => {
  fc.assert(
    fc.property(story, (bodies) => {
      const { entries, ledgers } = enterAll([...bodies, closing]);
      const ledger = ledgers.at(-1) ?? openLedger();
      expect(sum(entries.map((entry) => entry.cost?.usd))).toBeCloseTo(costOf(ledger)?.usd ?? 0, 6);
      for (const field of USAGE_FIELDS) {
        expect(sum(entries.map((entry) => entry.usage?.[field]))).toBe(usageOf(ledger)?.[field] ?? 0);
        expect(sum(ledger.models.map((each) => each[field]))).toBe(usageOf(ledger)?.[field] ?? 0);
      }
      for (const entry of entries) {
        if (entry.cost) expect(sum(entry.models.map(({ usd }) => usd))).toBeCloseTo(entry.cost.usd, 6);
        else expect(entry.models.every(({ usd }) => usd === undefined)).toBe(true);
      }
    }),
    { numRuns: 2000 },
  );
});

test('what was spent never becomes less, and is never at least nothing', () => {
  fc.assert(
    fc.property(story, (bodies) => {
      let before = 0;
      for (const ledger of enterAll(bodies).ledgers) {
        const isSettled = ledger.open.length === 0;
        const figure = costOf(ledger);
        if (figure?.origin === 'lower-bound') expect(figure.usd).toBeGreaterThan(0);
        if (!isSettled) continue;
        expect(figure?.usd ?? before).toBeGreaterThanOrEqual(before - 1e-6);
        before = figure?.usd ?? before;
      }
    }),
    { numRuns: 2000 },
  );
});

test('the shares of tools add up to the charge of their turn', () => {
  fc.assert(
    fc.property(story, (bodies) => {
      const book = createRunLedgers();
      const shares = createShares();
      for (const event of stamped(bodies)) {
        shares.see(event);
        for (const entry of book.see(event)) {
          const parts = shares.take(entry);
          if (entry.cost) expect(sum(parts.map(({ usd }) => usd))).toBeCloseTo(entry.cost.usd, 6);
          for (const field of USAGE_FIELDS) {
            expect(sum(parts.map((part) => part.usage[field]))).toBeCloseTo(entry.usage?.[field] ?? 0, 6);
          }
        }
      }
    }),
    { numRuns: 1000 },
  );
});

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

test('everybody says the same, about one run and about several that go on with one another', async () => {
  let number = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(story, { minLength: 1, maxLength: 3 }), async (stories) => {
      number += 1;
      const runs = stories.flatMap((bodies, run) =>
        [...bodies, closing].map((body) => ({ ...body, runId: `run ${run}`, sessionId: 's' })),
      );
      const { run, session, usage: tokens, line } = await askAll(store, `case ${number}`, runs);
      // A completion is told where the counters stood before it; the table of cases has those.
      const { terminal: _, completion, ...owns } = run;
      if (stories.length === 1) expect(completion).toEqual(run.page);
      for (const figure of Object.values(owns)) expect(figure).toEqual(run.page);
      const { tools, causes, ...sums } = session;
      for (const figure of Object.values(sums)) expectLike(figure, session.page);
      for (const shares of [tools, causes]) expect(shares?.usd ?? 0).toBeCloseTo(session.page?.usd ?? 0, 6);
      for (const count of Object.values(tokens)) expect(told(count)).toEqual(told(tokens.page));
      expect(line.export).toBe(line.expected);
    }),
    { numRuns: 150 },
  );
});

const closing = {
  type: 'run-end',
  reason: 'finished',
  turns: 1,
  durationMs: 1,
  open: { tools: [], tasks: [], approvals: [], processes: [] },
} as const satisfies Body;

function expectLike(figure: { usd: number; origin: string } | undefined, like: typeof figure): void {
  expect(figure?.origin).toBe(like?.origin);
  expect(figure?.usd ?? 0).toBeCloseTo(like?.usd ?? 0, 6);
}

/** A share of nothing is nothing. */
function told(count: object | undefined): object {
  return Object.fromEntries(Object.entries(count ?? {}).filter(([, value]) => value !== 0));
}
