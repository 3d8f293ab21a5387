import { describe, expect, test } from 'vitest';
import type { Cost, ModelUsage, Payload, Usage } from '../../src/event/index.js';
import { createLedger } from '../../src/store/ledger.js';
import type { Baseline } from '../../src/store/meter.js';
import { stamp } from './events.js';

const big: Payload = { type: 'session-start', model: 'big' };
const reported = (usd: number, scope: Cost['scope'] = 'process'): Cost => ({ usd, scope, origin: 'reported' });
const turnEnd = (facts: {
  cost?: Cost;
  usage?: Usage;
  usageScope?: Cost['scope'];
  modelUsage?: ModelUsage[];
}): Payload => ({
  type: 'turn-end',
  outcome: 'success',
  ...facts,
});
const message = (id: string, usage: Usage, ...tools: string[]): Payload[] => [
  { type: 'message-start', messageId: id },
  ...tools.map((name): Payload => ({ type: 'tool-start', id: `${id} ${name}`, name, kind: 'other', messageId: id })),
  { type: 'message-end', messageId: id, usage },
];
const runEnd = (cost?: Cost): Payload => ({
  type: 'run-end',
  reason: 'finished',
  turns: 1,
  durationMs: 1,
  open: { tools: [], tasks: [], approvals: [], processes: [] },
  ...(cost && { cost }),
});

/** `model usd input/output` of every spend. */
function spends(payloads: Payload[], baseline: Baseline = 'none'): string[] {
  const ledger = createLedger(baseline);
  const settled = stamp({ runId: 'r' }, payloads).flatMap((event) => ledger.add(event)?.spends ?? []);
  return settled.map(({ model, usd, usage }) => {
    const price = usd === undefined ? '?' : Number(usd.toFixed(6));
    return `${model} ${price} ${usage.inputTokens ?? '-'}/${usage.outputTokens ?? '-'}`;
  });
}

describe('what turns spent', () => {
  const usage = { inputTokens: 10, outputTokens: 2 };

  test.each<[string, Payload[], string[]]>([
    [
      'a price per turn',
      [big, turnEnd({ cost: reported(1, 'turn'), usage }), turnEnd({ cost: reported(1, 'turn') })],
      ['big 1 10/2', 'big 1 -/-'],
    ],
    [
      'a running total',
      [big, turnEnd({ cost: reported(1), usage }), turnEnd({ cost: reported(3), usage })],
      ['big 1 10/2', 'big 2 10/2'],
    ],
    [
      'a total that began again',
      [big, turnEnd({ cost: reported(3) }), turnEnd({ cost: reported(1) })],
      ['big 3 -/-', 'big 1 -/-'],
    ],
    [
      'the same total twice is one price',
      [big, turnEnd({ cost: reported(3) }), turnEnd({ cost: reported(3) })],
      ['big 3 -/-'],
    ],
    ['no price is unknown, not zero', [big, turnEnd({ usage })], ['big ? 10/2']],
    [
      'a figure on the way counts when the end has none',
      [big, { type: 'usage-update', cost: reported(2) }, turnEnd({})],
      ['big 2 -/-'],
    ],
    [
      'messages speak for a turn that does not sum up',
      [big, ...message('a', usage), ...message('b', usage), turnEnd({})],
      ['big ? 20/4'],
    ],
    [
      'running totals of tokens',
      [
        big,
        turnEnd({ usage, usageScope: 'session' }),
        turnEnd({ usage: { inputTokens: 15, outputTokens: 2 }, usageScope: 'session' }),
      ],
      ['big ? 10/2', 'big ? 5/0'],
    ],
    [
      'per model, the rest on the main one',
      [
        big,
        turnEnd({
          cost: reported(10),
          modelUsage: [
            { model: 'small', usd: 1, ...usage },
            { model: 'big', usd: 8, ...usage },
          ],
        }),
      ],
      ['small 1 10/2', 'big 9 10/2'],
    ],
    [
      'per model, as running totals',
      [
        big,
        turnEnd({ cost: reported(1), modelUsage: [{ model: 'big', usd: 1, inputTokens: 10 }] }),
        turnEnd({
          cost: reported(4),
          modelUsage: [
            { model: 'big', usd: 3, inputTokens: 30 },
            { model: 'small', usd: 1, inputTokens: 5 },
          ],
        }),
      ],
      ['big 1 10/-', 'big 2 20/-', 'small 1 5/-'],
    ],
    [
      'what only the end of the run tells',
      [big, turnEnd({ cost: reported(1) }), runEnd(reported(1.5))],
      ['big 1 -/-', 'big 0.5 -/-'],
    ],
    ['a run that agrees adds nothing', [big, turnEnd({ cost: reported(1) }), runEnd(reported(1))], ['big 1 -/-']],
    ['a run that was cut in a turn', [big, ...message('a', usage), runEnd()], ['big ? 10/2']],
  ])('%s', (_, payloads, expected) => {
    expect(spends(payloads)).toEqual(expected);
  });

  const second = [
    big,
    turnEnd({ cost: reported(3, 'session'), modelUsage: [{ model: 'big', inputTokens: 30 }], usage }),
  ];

  test('a resumed run takes what came before from the one it resumes', () => {
    const before = { cost: reported(2, 'session'), modelUsage: [{ model: 'big', inputTokens: 20 }] };
    expect(spends(second, before)).toEqual(['big 1 10/-']);
  });

  test('without that its first turn has no price, unless the agent tells the turn’s own', () => {
    expect(spends(second, 'unknown')).toEqual(['big ? 10/2']);
    const own = turnEnd({ cost: { ...reported(3, 'session'), turnUsd: 0.5 }, usage });
    expect(spends([big, own], 'unknown')).toEqual(['big 0.5 10/2']);
    expect(spends([{ ...big, resumed: true } as Payload, ...second.slice(1)])).toEqual(['big ? 10/2']);
  });

  test('the last figures are the baseline of the next run', () => {
    const ledger = createLedger('none');
    for (const event of stamp({ runId: 'r' }, second)) ledger.add(event);
    expect(ledger.reported()).toEqual({
      cost: reported(3, 'session'),
      modelUsage: [{ model: 'big', inputTokens: 30 }],
    });
  });
});

describe('what tools cost', () => {
  test('a turn’s price is split between its messages, and theirs between their calls', () => {
    const ledger = createLedger('none');
    const payloads = [
      big,
      ...message('a', { outputTokens: 30 }, 'Bash', 'Read'),
      ...message('b', { outputTokens: 10 }),
      turnEnd({ cost: reported(4) }),
    ];
    const shares = stamp({ runId: 'r' }, payloads).flatMap((event) => ledger.add(event)?.shares ?? []);
    expect(shares).toEqual([
      { name: 'Bash', usage: { outputTokens: 15 }, usd: 1.5 },
      { name: 'Read', usage: { outputTokens: 15 }, usd: 1.5 },
      { name: '', usage: { outputTokens: 10 }, usd: 1 },
    ]);
  });
});
