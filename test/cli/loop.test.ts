import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { decideLoop, type LoopSoFar } from '../../src/cli/command/loop/loop-decision.js';
import { loopTable } from '../../src/cli/command/loop/loop-table.js';
import type { Completion, ErrorCategory, EventOf } from '../../src/event/index.js';
import { answer, failure, init, result, text } from '../fake-agent/lines.js';
import { temporaryDirectory } from '../fake-agent/play.js';
import { fakeRun } from './fake-run.js';

function completion(facts: Partial<Completion> = {}): Completion {
  const open = { tools: [], tasks: [], approvals: [], processes: [] };
  return { reason: 'finished', turns: 1, open, durationMs: 1000, ...facts };
}

function failed(category: ErrorCategory): Completion {
  return completion({ reason: 'failed', error: { category, message: category } });
}

const rejected: EventOf<'rate-limit'> = {
  ...{ type: 'rate-limit', state: 'rejected', resetsAt: 5000 },
  ...{ seq: 1, at: 0, runId: 'r', agent: 'a', source: 'stream', turn: 1 },
};

const rows: [title: string, end: Completion, next: string, soFar?: Partial<LoopSoFar>, limit?: typeof rejected][] = [
  ['S1-50 the word', completion({ text: 'DONE' }), 'done'],
  ['S1-50 the word in another case, with space', completion({ text: ' done\n' }), 'done'],
  ['R-24 the word after prose', completion({ text: 'All well. DONE' }), 'again'],
  ['another answer', completion({ text: 'one fixed' }), 'again'],
  ['no answer', completion(), 'again'],
  ['the word from one that failed', completion({ text: 'DONE', reason: 'failed' }), 'again'],
  ['the last iteration', completion({ text: 'no' }), 'stop the limit of 10 iterations was reached', { iterations: 10 }],
  ['the word in the last iteration', completion({ text: 'DONE' }), 'done', { iterations: 10 }],
  ['a failure that may heal', failed('server'), 'again', { failures: 1 }],
  ['a failure for the third time', failed('server'), 'stop failed 3 times in a row', { failures: 3 }],
  ['no account', failed('auth'), 'stop auth'],
  ['no money', failed('billing'), 'stop billing'],
  ['a wrong model', failed('model-not-found'), 'stop model-not-found'],
  ['out of quota', failed('rate-limit'), 'wait'],
  ['out of quota, with a time', failed('rate-limit'), 'wait 5000', {}, rejected],
  ['out of quota for the sixth time', failed('rate-limit'), 'stop out of quota again and again', { waits: 5 }],
  ['cancelled', completion({ reason: 'cancelled' }), 'stop cancelled'],
  ['over budget', completion({ reason: 'over-budget' }), 'stop over-budget'],
  ['not installed', completion({ reason: 'spawn-failed' }), 'stop spawn-failed'],
];

describe('what follows from an iteration', () => {
  test.each(rows)('%s', (_, end, next, soFar, limit) => {
    const goal = { until: 'DONE', match: 'exact', max: 10 } as const;
    const decision = decideLoop(end, limit, goal, { iterations: 1, failures: 0, waits: 0, ...soFar });
    const { next: step, ...rest } = decision;
    expect([step, ...Object.values(rest)].join(' ')).toBe(next);
  });

  test('LL-18 R-24 the end of the answer is enough when asked for', () => {
    const goal = { until: 'DONE', match: 'suffix', max: 10 } as const;
    const said = completion({ text: 'All tests pass. done' });
    expect(decideLoop(said, undefined, goal, { iterations: 1, failures: 0, waits: 0 })).toEqual({ next: 'done' });
  });
});

describe('glassbox loop', () => {
  test('goes on with the session until the word comes, and sums up', async () => {
    const dir = temporaryDirectory();
    const told = path.join(dir, 'told');
    const script = [{ tell: told }, init(), text('DONE'), result('DONE')];
    const { stderr, status } = await fakeRun(['loop', 'claude', 'x', '--until=done'], script);
    expect(status).toBe(0);
    expect(stderr).toMatch(
      /^# +ended +turns +cost +time +answer\n1 +finished +1 +\$0\.0100 +[\d.]+ m?s +DONE\n +all +1 +\$0\.0100/m,
    );
    expect(stderr).toMatch(/done after 1 iteration\.$/m);
  });

  test('resumes, counts each share once, and stops at its limit: 5', async () => {
    const told = path.join(temporaryDirectory(), 'told');
    const { stderr, status } = await fakeRun(['loop', 'claude', 'x', '--max=2'], [{ tell: told }, ...answer('no')]);
    expect(status).toBe(5);
    expect(JSON.parse(readFileSync(told, 'utf8')).argv).toContain('--resume=11111111-2222-4333-8444-555555555555');
    expect(stderr).toMatch(/ +all +2 +\$0\.0100/);
  });

  test('says that the cost of a turn that was cut is unknown', async () => {
    const facts = { is_error: true, terminal_reason: 'aborted_streaming', total_cost_usd: 0, usage: {} };
    const cut = result('', { subtype: 'error_during_execution', ...facts });
    const { stdout, stderr } = await fakeRun(['loop', 'claude', 'x', '--max=1'], [init(), text('I be'), cut]);
    expect(stderr).toMatch(/^1 +failed +1 +unknown .*\n +all +1 +unknown/m);
    expect(stdout).not.toContain('$');
  });

  test('starts fresh when asked to', async () => {
    const told = path.join(temporaryDirectory(), 'told');
    await fakeRun(['loop', 'claude', 'x', '--max=2', '--fresh'], [{ tell: told }, ...answer('no')]);
    expect(readFileSync(told, 'utf8')).not.toContain('--resume');
  });

  test('the budget is that of all iterations: 5', async () => {
    const { stderr, status } = await fakeRun(['loop', 'claude', 'x', '--budget=0.015', '--fresh'], answer('no'));
    expect(status).toBe(5);
    expect(stderr).toMatch(/stopped after 2 iterations: over-budget|stopped after 2 iterations: the budget is used up/);
  });

  test('stops at what does not heal: 1', async () => {
    const { stderr, status } = await fakeRun(['loop', 'claude', 'x'], [init(), failure('Invalid API key')]);
    expect(status).toBe(1);
    expect(stderr).toContain('stopped after 1 iteration');
  });

  test('waits for the quota and tries again', async () => {
    const dir = temporaryDirectory();
    const marker = path.join(dir, 'second');
    const limited = [
      init(),
      result('limit', { is_error: true, terminal_reason: 'api_error', api_error_status: 429 }),
      { touch: marker },
    ];
    const { stdout, stderr, status } = await fakeRun(
      ['loop', 'claude', 'x', '--max=2', '--rate-limit-wait=1ms'],
      limited,
    );
    expect(stderr).toContain('out of quota; trying again in 1 ms');
    // Each iteration is over before the next one goes on with its session.
    expect(stdout).not.toMatch(/Another (session|glassbox)/);
    expect(existsSync(marker)).toBe(true);
    expect(status).toBe(1);
  });
});

test('the table aligns and says what is unknown', () => {
  const lines = loopTable([
    completion({ text: 'a\nb', cost: { usd: 0.5, scope: 'process', origin: 'reported' } }),
    completion({ reason: 'failed' }),
  ]);
  expect(lines).toEqual([
    '#  ended     turns              cost  time  answer',
    '1  finished      1           $0.5000   1 s  a b',
    '2  failed        1           unknown   1 s',
    '   all           2  at least $0.5000   2 s',
  ]);
});

test('what ended before its agent began spent nothing, and makes the sum no lower bound', () => {
  const lines = loopTable([
    completion({ text: 'a', cost: { usd: 0.5, scope: 'process', origin: 'reported' } }),
    completion({ reason: 'cancelled', turns: 0 }),
  ]);
  expect(lines.map((line) => line.slice(0, 30).trimEnd())).toEqual([
    '#  ended      turns     cost',
    '1  finished       1  $0.5000',
    '2  cancelled      0        –',
    '   all            1  $0.5000',
  ]);
});
