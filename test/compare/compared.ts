/** A comparison as it is kept, with one attempt that passed and one that failed. */
import type { Attempt, Comparison } from '../../src/compare/index.js';

export function comparedIn(session: string): Comparison {
  const cost = { usd: 0.25, scope: 'process', origin: 'computed' } as const;
  const passed: Attempt = {
    ...{ label: 'claude', agent: 'claude', number: 1, state: 'ended', session, asked: 0, refused: 0 },
    ...{ folder: '/work/one', branch: 'glassbox/one', before: 'b'.repeat(40), after: 'a'.repeat(40) },
    end: { reason: 'finished', turns: 3, durationMs: 61_000, cost, text: 'It works now.' },
    check: { outcome: 'passed', exitCode: 0, durationMs: 900 },
    size: { files: 2, added: 10, removed: 3 },
    verdict: 'passed',
  };
  const failed: Attempt = {
    ...{ label: 'codex:some', agent: 'codex', model: 'some', number: 2, state: 'ended', asked: 2, refused: 2 },
    end: { reason: 'timed-out', turns: 1, durationMs: 600_000, detail: 'The time was over.' },
    check: { outcome: 'failed', exitCode: 1, durationMs: 800, tail: '<b>1 failed</b>' },
    size: { files: 0, added: 0, removed: 0 },
    verdict: 'failed',
  };
  return {
    ...{ schema: 1, id: 'x4kd2p', task: 'Fix the <i>failing</i> test', fingerprint: 'f', project: '/work/shop' },
    ...{ base: 'c'.repeat(40), permission: 'accept-edits', check: 'npm test', budgetUsd: 5 },
    ...{ startedAt: Date.now() - 3_600_000, endedAt: Date.now(), attempts: [passed, failed] },
  };
}
