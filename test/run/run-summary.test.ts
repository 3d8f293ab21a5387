import { describe, expect, it } from 'vitest';
import type { AgentEvent, Cost, Draft, TurnOutcome } from '../../src/event/index.js';
import { createLimitCheck, type Limits } from '../../src/run/limit/limit.js';
import { conclude, type Ended, leftBy } from '../../src/run/reason.js';
import { createRunSummary } from '../../src/run/run-summary.js';

const turn = 1;

function summaryOf(drafts: readonly Draft[]) {
  const summary = createRunSummary();
  for (const [index, draft] of drafts.entries()) summary.see(stamped(draft, index + 1));
  return summary;
}

function stamped(draft: Draft, seq = 1): AgentEvent {
  return { ...draft, seq, at: 0, runId: 'r', agent: 'a', source: 'stream' } as AgentEvent;
}

const end = (facts: { outcome?: TurnOutcome; text?: string; cost?: Cost; usage?: object } = {}): Draft => ({
  type: 'turn-end',
  outcome: 'success',
  turn,
  ...facts,
});
const cost = (usd: number, scope: Cost['scope']): Cost => ({ usd, scope, origin: 'reported' });

describe('the summary', () => {
  it('R-05 takes the last answer, else the blocks of the last message of the main conversation', () => {
    const said: Draft[] = [
      { type: 'text-end', messageId: 'm1', index: 0, text: 'old', turn },
      { type: 'text-end', messageId: 'm2', index: 0, text: 'a', turn },
      { type: 'text-end', messageId: 'm2', index: 1, text: 'b', turn },
      { type: 'text-end', messageId: 'm3', index: 0, text: 'child', parent: 't', turn },
    ];
    expect(summaryOf(said).facts().text).toBe('a\nb');
    expect(summaryOf([...said, end({ text: 'final' }), end()]).facts().text).toBe('final');
    expect(summaryOf([]).facts().text).toBeUndefined();
  });

  it('S1-06 tells what the ledger tells, and where a run that resumes this one begins', () => {
    const counted = { inputTokens: 10, outputTokens: 2 };
    const balance: Draft = { type: 'usage-update', balance: { cost: cost(4, 'session') }, turn: 0 };
    const summary = summaryOf([balance, end({ cost: cost(5, 'session'), usage: counted })]);
    expect(summary.facts()).toMatchObject({
      cost: { usd: 1, scope: 'process', origin: 'reported' },
      usage: counted,
      balance: { cost: cost(5, 'session') },
    });
    expect(summaryOf([]).facts()).not.toHaveProperty('cost');
  });

  it('LL-17 counts what is under way, sub-agents included, but no reading from the cache', () => {
    const message = (messageId: string, outputTokens: number, parent?: string): Draft => ({
      type: 'message-end',
      messageId,
      usage: { outputTokens, cacheReadTokens: 1000 },
      turn: 2,
      ...(parent && { parent }),
    });
    const summary = summaryOf([end({ usage: { outputTokens: 50 } }), message('a', 7), message('b', 9, 'child')]);
    expect(summary.spentTokens()).toBe(66);
    expect(summaryOf([{ type: 'usage-update', cost: cost(2, 'turn'), turn }]).spentUsd()).toBe(2);
  });

  it('knows what is open and what it is doing', () => {
    const start: Draft = { type: 'turn-start', turn };
    const bash: Draft = { type: 'tool-start', id: 't', name: 'Bash', kind: 'execute', turn };
    const task: Draft = { type: 'task-start', id: 'b', kind: 'shell', turn };
    const ask: Draft = { type: 'approval-request', id: 'q', kind: 'plan', turn };
    expect(summaryOf([]).doing()).toBe('starting');
    expect(summaryOf([start]).doing()).toBe('waiting for the model');
    expect(summaryOf([start, bash]).doing()).toBe('running Bash');
    expect(summaryOf([start, bash, ask]).doing()).toBe('waiting for an answer about its plan');
    expect(summaryOf([start, task, end()]).doing()).toBe('waiting for 1 background task');
    expect(summaryOf([start, end()]).doing()).toBe('done with its turn');
    expect(summaryOf([start, bash, task, ask]).open()).toEqual({ tools: ['t'], tasks: ['b'], approvals: ['q'] });
  });
});

describe('the conclusion', () => {
  const answered: Draft = { type: 'text-end', messageId: 'm', index: 0, text: 'x', turn };
  const started: Draft = { type: 'turn-start', turn };
  const byUs = { reason: 'stalled', message: 'too quiet' } as const;
  const error = { category: 'config', message: 'not found' } as const;

  const NOBODY = { found: [], left: [] };

  const cases: [title: string, drafts: Draft[], facts: Partial<Ended>, reason: string][] = [
    ['a good result', [end()], {}, 'finished'],
    ['a good result, bad exit', [end()], { exit: { exitCode: 1, steps: [], survivors: NOBODY } }, 'finished'],
    ['a bad result, good exit', [end({ outcome: 'failed' })], {}, 'failed'],
    ['the agent’s own limit of turns', [end({ outcome: 'max-turns' })], {}, 'max-turns'],
    ['the agent’s own budget', [end({ outcome: 'over-budget' })], {}, 'over-budget'],
    ['interrupted by somebody else', [end({ outcome: 'interrupted' })], {}, 'failed'],
    ['interrupted by us', [end({ outcome: 'interrupted' })], { interrupted: byUs }, 'stalled'],
    ['interrupted, then a good turn', [end({ outcome: 'interrupted' }), end()], { interrupted: byUs }, 'finished'],
    ['whoever ended it, whatever came then', [end()], { ender: byUs }, 'stalled'],
    ['no result, but an answer and an orderly exit', [started, answered], {}, 'finished'],
    [
      'no result and a bad exit',
      [started, answered],
      { exit: { exitCode: 1, steps: [], survivors: NOBODY } },
      'crashed',
    ],
    [
      'no result and a signal',
      [started, answered],
      { exit: { signal: 'SIGKILL', steps: [], survivors: NOBODY } },
      'crashed',
    ],
    ['nothing at all', [], {}, 'crashed'],
    ['a spawn that failed', [], { spawnError: error }, 'spawn-failed'],
    [
      'cancelled before a spawn that failed',
      [],
      { spawnError: error, ender: { reason: 'cancelled', message: '' } },
      'cancelled',
    ],
  ];

  it.each(cases)('LL-26 %s', (_, drafts, facts, reason) => {
    const exit = { exitCode: 0, steps: [], survivors: NOBODY };
    const summary = summaryOf(drafts);
    const ended: Ended = {
      title: 'Toy',
      ender: undefined,
      interrupted: undefined,
      exit,
      notes: [],
      durationMs: 1,
      summary,
      left: leftBy(summary),
      ...facts,
    };
    expect(conclude(ended).reason).toBe(reason);
  });

  it('hears of an ending that only the end of the stream tells, and still lists what was open', () => {
    const summary = summaryOf([started, { type: 'tool-start', id: 't', name: 'Bash', kind: 'execute', turn }]);
    const left = leftBy(summary);
    const exit = { exitCode: 0, steps: [], survivors: NOBODY };
    const error = { category: 'auth', message: 'no key' } as const;
    const stamp = { seq: 9, at: 1, runId: 'r', agent: 'toy', source: 'stream' } as const;
    summary.see({ type: 'tool-end', id: 't', status: 'unknown', turn, ...stamp });
    summary.see({ type: 'turn-end', outcome: 'failed', error, turn, ...stamp });
    const ended = {
      title: 'Toy',
      ender: undefined,
      interrupted: undefined,
      exit,
      summary,
      left,
      notes: [],
      durationMs: 1,
    };
    expect(conclude(ended)).toMatchObject({ reason: 'failed', error, turns: 1, open: { tools: ['t'] } });
  });

  it('tells what was done, seen and left', () => {
    const summary = summaryOf([started]);
    const row = { pid: 42, parent: 1, group: 42, startTime: '1', name: 'sleep', runIds: [] };
    const exit = {
      signal: 'SIGKILL',
      steps: ['sent SIGTERM', 'sent SIGKILL'],
      survivors: { found: [row], left: [row] },
    };
    const ended: Ended = {
      title: 'Toy',
      ender: byUs,
      interrupted: undefined,
      exit,
      notes: ['too quiet'],
      durationMs: 1,
      summary,
      left: leftBy(summary),
    };
    expect(conclude(ended)).toMatchObject({
      detail: 'too quiet; could not end 42',
      steps: ['sent SIGTERM', 'sent SIGKILL'],
      open: { processes: [42] },
      signal: 'SIGKILL',
    });
  });
});

describe('limits', () => {
  const message: Draft = { type: 'message-end', messageId: 'm', usage: { outputTokens: 60 }, turn };
  it.each([
    ['nothing set', {}, [message, message], undefined],
    ['inside the budget', { budgetTokens: 120 }, [message, message], undefined],
    ['over the tokens', { budgetTokens: 100 }, [message, message], 'over-budget'],
    ['over the money', { budgetUsd: 1 }, [end({ cost: cost(1.5, 'process') })], 'over-budget'],
    ['exactly the money', { budgetUsd: 1.5 }, [end({ cost: cost(1.5, 'process') })], undefined],
    ['over the steps', { maxSteps: 1 }, [message, message], 'max-turns'],
    ['steps of children do not count', { maxSteps: 1 }, [message, { ...message, parent: 't' }], undefined],
  ] satisfies [string, Limits, Draft[], string | undefined][])('%s', (_, limits, drafts, reason) => {
    const summary = createRunSummary();
    const check = createLimitCheck(limits, summary);
    const found = drafts.map((draft) => {
      summary.see(stamped(draft));
      return check(stamped(draft));
    });
    expect(found.find((excess) => excess)?.reason).toBe(reason);
  });
});
