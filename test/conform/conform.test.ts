/** Readers as processes: what each is given, what becomes of a bad one, and that none outlives its score. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { createAttempts } from '../../src/conform/attempt.js';
import { type Case, conform, hostileCases, type Reader, STREAM_FRAMES } from '../../src/conform/index.js';
import { scoreReport } from '../../src/conform/score.js';
import { temporaryDirectory } from '../fake-agent/play.js';
import { commandLines } from './command-lines.js';

const speech = STREAM_FRAMES[0] as (typeof STREAM_FRAMES)[number];
const talk: Case = {
  name: 'talk',
  row: 'talk',
  agent: speech.agent,
  make() {
    const good = [1, 2, 3, 4].map((n) => speech.say(`line ${n}`, n));
    return { bytes: Buffer.from(good.map((value) => `${JSON.stringify(value)}\n`).join('')), good };
  },
};

const bad = (way: string, ...more: string[]): Reader => ({
  name: way,
  command: [process.execPath, path.resolve('test/conform/driver/bad.mjs'), way, ...more],
});

async function score(reader: Reader, cases: readonly Case[] = [talk], limitMs = 60_000) {
  const { signal } = new AbortController();
  return conform({ readers: [reader], casesOf: () => cases, limitMs, signal });
}

describe('a reader that', () => {
  test.each([
    ['loses', { verdict: 'lost', lost: 1, lines: 4, reason: '1 of 4 good lines did not come' }],
    ['doubles', { verdict: 'wrong', lost: 0, reason: '1 came twice' }],
    ['turns', { verdict: 'wrong', lost: 0, reason: 'they came in another order' }],
    ['invents', { verdict: 'wrong', lost: 0, reason: '1 came that nobody wrote' }],
    [
      'stops',
      { verdict: 'died', lost: 2, reason: 'ended without saying so (status 3); 2 of 4 good lines did not come' },
    ],
    ['gives-up', { verdict: 'died', lost: 4, reason: 'no more; 4 of 4 good lines did not come' }],
    ['quotes', { verdict: 'died', reason: expect.stringMatching(/^bad line: DB_PASSWORD=\[redacted:credential\];/) }],
    ['adds', { verdict: 'passed', lost: 0 }],
    ['chatters', { verdict: 'passed', lost: 0 }],
  ])('%s is scored for it', async (way, expected) => {
    const [result] = await score(bad(way));
    expect(result).toMatchObject({ reader: way, case: 'talk', ...expected });
    expect(result && 'reason' in result).toBe('reason' in expected);
  });

  test('cannot be started died', async () => {
    const [result] = await score({ name: 'missing', command: ['/nowhere/reader'] });
    expect(result).toMatchObject({
      verdict: 'died',
      lost: 4,
      reason: expect.stringMatching(/^could not be started: /),
    });
  });

  test('hangs is ended, with what it started, and what it had delivered counts', async () => {
    const mark = path.join(temporaryDirectory(), 'hangs');
    const [result] = await score(bad('hangs', mark), [talk], 3000);
    expect(result).toMatchObject({ verdict: 'hung', reason: 'did nothing for 3 s' });
    expect(commandLines().filter((line) => line.includes(mark))).toEqual([]);
  });
});

test('a reader that hangs always is given a few streams only, and the others their score', async () => {
  const cases = Array.from({ length: 20 }, (_, n): Case => ({ ...talk, name: `talk ${n}` }));
  const results = await score(bad('hangs'), cases, 1000);
  expect(results).toHaveLength(20);
  expect(new Set(results.map(({ verdict }) => verdict))).toEqual(new Set(['hung']));
  const untried = results.filter(({ reason }) => reason?.startsWith('not tried, because it hung on talk '));
  // Those that were under way beside it when it hung the third time were tried too.
  expect(untried.length).toBeGreaterThanOrEqual(20 - 3 - availableParallelism());
});

test('a reader that stays is started once for all streams, and again when it had to be ended', async () => {
  const mark = path.join(temporaryDirectory(), 'starts');
  const stays: Reader = { ...bad('stays', mark), stays: true };
  const named = ['good 1', 'good 2', 'hangs', 'good 3'].map((name): Case => ({ ...talk, name, make: () => one(name) }));
  const results: Awaited<ReturnType<typeof score>> = [];
  const { signal } = new AbortController();
  await using attempts = createAttempts(stays);
  for (const each of named) {
    const file = path.join(temporaryDirectory(), 'stream.jsonl');
    writeFileSync(file, each.make().bytes);
    const limitMs = each.name === 'hangs' ? 1000 : 60_000;
    const report = await attempts.attempt({ agent: each.agent, file, limitMs, signal });
    results.push({ reader: 'stays', case: each.name, row: '', ...scoreReport(report, each.make()) });
  }
  expect(results.map(({ verdict }) => verdict)).toEqual(['passed', 'passed', 'hung', 'passed']);
  expect(readFileSync(mark, 'utf8')).toBe('started\nstarted\n');

  function one(name: string) {
    return { bytes: Buffer.from(`${JSON.stringify({ name })}\n`), good: [{ name }] };
  }
});

test('an abort ends what runs, scores nothing more and leaves nothing on disk', async () => {
  const mark = path.join(temporaryDirectory(), 'aborted');
  const controller = new AbortController();
  const left = () => readdirSync(tmpdir()).filter((name) => name.startsWith('glassbox-conform-'));
  const before = left();
  const scoring = conform({
    readers: [bad('adds'), bad('hangs', mark)],
    casesOf: ({ name }) => [{ ...talk, name }],
    limitMs: 60_000,
    signal: controller.signal,
    onProgress: () => controller.abort(),
  });
  expect(await scoring).toHaveLength(1);
  expect(left()).toEqual(before);
  expect(commandLines().filter((line) => line.includes(mark))).toEqual([]);
});

test('a reader in another language passes every hostile line', async () => {
  const python = { name: 'python', command: ['python3', path.resolve('test/conform/driver/good.py')] } as const;
  const [first] = await score(python);
  if (first?.reason?.startsWith('could not be started')) return console.log('python3 is not there: not scored.');
  const results = await score(python, hostileCases(speech, { longBytes: 2 ** 21, hugeBytes: 2 ** 22 }));
  expect(results.filter(({ verdict }) => verdict !== 'passed')).toEqual([]);
});
