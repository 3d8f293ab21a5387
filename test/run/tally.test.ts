import { describe, expect, it } from 'vitest';
import type { AgentEvent, Cost, Draft, TurnOutcome } from '../../src/event/index.js';
import { createLimitCheck, type Limits } from '../../src/run/limit.js';
import { conclude, type Ended, leftBy } from '../../src/run/reason.js';
import { createTally } from '../../src/run/tally.js';

const turn = 1;

function tallyOf(drafts: readonly Draft[], baselineUsd?: number | null) {
  const tally = createTally(baselineUsd);
  for (const draft of drafts) tally.see(stamped(draft));
  return tally;
}

function stamped(draft: Draft): AgentEvent {
  return { ...draft, seq: 1, at: 0, runId: 'r', agent: 'a', source: 'stream' } as AgentEvent;
}

const end = (facts: { outcome?: TurnOutcome; text?: string; cost?: Cost; usage?: object } = {}): Draft => ({
  type: 'turn-end',
  outcome: 'success',
  turn,
  ...facts,
});
const cost = (usd: number, scope: Cost['scope']): Cost => ({ usd, scope, origin: 'reported' });

describe('the tally', () => {
  it('R-05 takes the last answer, else the blocks of the last message of the main conversation', () => {
    const said: Draft[] = [
      { type: 'text-end', messageId: 'm1', index: 0, text: 'old', turn },
      { type: 'text-end', messageId: 'm2', index: 0, text: 'a', turn },
      { type: 'text-end', messageId: 'm2', index: 1, text: 'b', turn },
      { type: 'text-end', messageId: 'm3', index: 0, text: 'child', parent: 't', turn },
    ];
    expect(tallyOf(said).facts().text).toBe('a\nb');
    expect(tallyOf([...said, end({ text: 'final' }), end()]).facts().text).toBe('final');
    expect(tallyOf([]).facts().text).toBeUndefined();
  });

  it('decision 9 a running figure of a turn is replaced by the next and by its end, and stands when there is none', () => {
    const running = (usd: number): Draft => ({ type: 'usage-update', cost: cost(usd, 'turn'), turn });
    expect(tallyOf([running(1), running(2)]).facts().cost?.usd).toBe(2);
    expect(tallyOf([running(1), running(2), end({ cost: cost(2, 'turn') }), running(3)]).facts().cost?.usd).toBe(5);
    expect(tallyOf([running(1), end(), running(3)]).facts().cost?.usd).toBe(4);
  });

  it('decision 9 tokens of earlier runs are not counted as those of this one', () => {
    const whole = { ...end({ usage: { inputTokens: 100 } }), usageScope: 'session' } as Draft;
    expect(tallyOf([whole]).facts().usage).toBeUndefined();
  });

  it.each([
    ['turns add up', [cost(1, 'turn'), cost(2, 'turn')], 0, { usd: 3, origin: 'reported' }],
    ['a process figure replaces', [cost(1, 'process'), cost(3, 'process')], 0, { usd: 3, origin: 'reported' }],
    ['a new session is all ours', [cost(1, 'session'), cost(3, 'session')], 0, { usd: 3, origin: 'reported' }],
    ['a resumed session less what it had cost', [cost(5, 'session')], 4, { usd: 1, origin: 'reported' }],
    [
      'unknown before: at least the difference',
      [cost(5, 'session'), cost(7, 'session')],
      null,
      { usd: 2, origin: 'lower-bound' },
    ],
    [
      'unknown before, but the agent tells the share of its first turn',
      [{ ...cost(5, 'session'), turnUsd: 1 }, cost(7, 'session')],
      null,
      { usd: 3, origin: 'reported' },
    ],
    ['unknown is unknown, never zero', [], 0, undefined],
  ] satisfies [string, Cost[], number | null, object | undefined][])(
    'decision 9 S1-06 %s',
    (_, costs, baseline, expected) => {
      const { cost: total } = tallyOf(
        costs.map((figure) => end({ cost: figure })),
        baseline,
      ).facts();
      if (expected) expect(total).toMatchObject({ scope: 'process', ...expected });
      else expect(total).toBeUndefined();
    },
  );

  it('LL-17 takes usage from the end of a turn, and from its messages only until then', () => {
    const message = (outputTokens: number, parent?: string): Draft => ({
      type: 'message-end',
      messageId: 'm',
      usage: { outputTokens },
      turn,
      ...(parent && { parent }),
    });
    const tally = tallyOf([
      message(1),
      message(1),
      end({ usage: { outputTokens: 50 } }),
      message(7),
      message(9, 'child'),
    ]);
    expect(tally.facts().usage).toEqual({ outputTokens: 57 });
    expect(tally.spentTokens()).toBe(66);
  });

  it('knows what is open and what it is doing', () => {
    const start: Draft = { type: 'turn-start', turn };
    const bash: Draft = { type: 'tool-start', id: 't', name: 'Bash', kind: 'execute', turn };
    const task: Draft = { type: 'task-start', id: 'b', kind: 'shell', turn };
    const ask: Draft = { type: 'approval-request', id: 'q', kind: 'plan', turn };
    expect(tallyOf([]).doing()).toBe('starting');
    expect(tallyOf([start]).doing()).toBe('waiting for the model');
    expect(tallyOf([start, bash]).doing()).toBe('running Bash');
    expect(tallyOf([start, bash, ask]).doing()).toBe('waiting for an answer about plan');
    expect(tallyOf([start, task, end()]).doing()).toBe('waiting for 1 background task');
    expect(tallyOf([start, end()]).doing()).toBe('done with its turn');
    expect(tallyOf([start, bash, task, ask]).open()).toEqual({ tools: ['t'], tasks: ['b'], approvals: ['q'] });
  });
});

describe('the conclusion', () => {
  const answered: Draft = { type: 'text-end', messageId: 'm', index: 0, text: 'x', turn };
  const started: Draft = { type: 'turn-start', turn };
  const byUs = { reason: 'stalled', message: 'too quiet' } as const;
  const error = { category: 'config', message: 'not found' } as const;

  const cases: [title: string, drafts: Draft[], facts: Partial<Ended>, reason: string][] = [
    ['a good result', [end()], {}, 'finished'],
    ['a good result, bad exit', [end()], { exit: { exitCode: 1, steps: [], survivors: [] } }, 'finished'],
    ['a bad result, good exit', [end({ outcome: 'failed' })], {}, 'failed'],
    ['the agent’s own limit of turns', [end({ outcome: 'max-turns' })], {}, 'max-turns'],
    ['the agent’s own budget', [end({ outcome: 'over-budget' })], {}, 'over-budget'],
    ['interrupted by somebody else', [end({ outcome: 'interrupted' })], {}, 'failed'],
    ['interrupted by us', [end({ outcome: 'interrupted' })], { interrupted: byUs }, 'stalled'],
    ['interrupted, then a good turn', [end({ outcome: 'interrupted' }), end()], { interrupted: byUs }, 'finished'],
    ['whoever ended it, whatever came then', [end()], { ender: byUs }, 'stalled'],
    ['no result, but an answer and an orderly exit', [started, answered], {}, 'finished'],
    ['no result and a bad exit', [started, answered], { exit: { exitCode: 1, steps: [], survivors: [] } }, 'crashed'],
    [
      'no result and a signal',
      [started, answered],
      { exit: { signal: 'SIGKILL', steps: [], survivors: [] } },
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
    const exit = { exitCode: 0, steps: [], survivors: [] };
    const tally = tallyOf(drafts);
    const ended: Ended = {
      title: 'Toy',
      ender: undefined,
      interrupted: undefined,
      exit,
      notes: [],
      durationMs: 1,
      tally,
      left: leftBy(tally),
      ...facts,
    };
    expect(conclude(ended).reason).toBe(reason);
  });

  it('hears of an ending that only the end of the stream tells, and still lists what was open', () => {
    const tally = tallyOf([started, { type: 'tool-start', id: 't', name: 'Bash', kind: 'execute', turn }]);
    const left = leftBy(tally);
    const exit = { exitCode: 0, steps: [], survivors: [] };
    const error = { category: 'auth', message: 'no key' } as const;
    const stamp = { seq: 9, at: 1, runId: 'r', agent: 'toy', source: 'stream' } as const;
    tally.see({ type: 'tool-end', id: 't', status: 'unknown', turn, ...stamp });
    tally.see({ type: 'turn-end', outcome: 'failed', error, turn, ...stamp });
    const ended = {
      title: 'Toy',
      ender: undefined,
      interrupted: undefined,
      exit,
      tally,
      left,
      notes: [],
      durationMs: 1,
    };
    expect(conclude(ended)).toMatchObject({ reason: 'failed', error, turns: 1, open: { tools: ['t'] } });
  });

  it('tells what was done, seen and left', () => {
    const tally = tallyOf([started]);
    const exit = { signal: 'SIGKILL', steps: ['sent SIGTERM', 'sent SIGKILL'], survivors: [42] };
    const ended: Ended = {
      title: 'Toy',
      ender: byUs,
      interrupted: undefined,
      exit,
      notes: ['too quiet'],
      durationMs: 1,
      tally,
      left: leftBy(tally),
    };
    expect(conclude(ended)).toMatchObject({
      detail: 'too quiet; sent SIGTERM; sent SIGKILL; could not end 42',
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
    const tally = createTally();
    const check = createLimitCheck(limits, tally);
    const found = drafts.map((draft) => {
      tally.see(stamped(draft));
      return check(stamped(draft));
    });
    expect(found.find((excess) => excess)?.reason).toBe(reason);
  });
});
