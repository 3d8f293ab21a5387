/** Evidence and the answer, as a table; and what may never happen, whatever the evidence. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Evidence, judge, type Presence, type ProcessId } from '../../src/presence/index.js';

const one: ProcessId = { pid: 7, began: 1000 };
const other: ProcessId = { pid: 8, began: 1500 };

const say = (
  source: Evidence['source'],
  says: Evidence['says'],
  at: number,
  more: Partial<Evidence> = {},
): Evidence => ({
  source,
  says,
  at,
  text: `${source} says ${says}`,
  ...more,
});
const lives = say('process', 'present', 1000, { process: one });
const isStopped = say('process', 'stopped', 3000, { process: one });
const isGone = say('process', 'absent', 9000, { process: one });
const nobody = say('process', 'absent', 9000);
const prompt = { kind: 'approval', text: 'permission prompt' } as const;

const cases: [string, Evidence[], Partial<Presence>][] = [
  ['nothing is known', [], { state: 'unknown' }],
  [
    'a live registry is believed',
    [lives, say('registry', 'working', 2000, { process: one })],
    { state: 'working', since: 2000 },
  ],
  [
    'waiting says for what',
    [lives, say('registry', 'waiting', 2000, { process: one, for: prompt })],
    { state: 'waiting', for: prompt, since: 2000 },
  ],
  ['idle is not ended', [lives, say('registry', 'idle', 2000, { process: one })], { state: 'idle', since: 2000 }],
  [
    'what a registry says of a process that is gone counts no more',
    [isGone, say('registry', 'working', 2000, { process: one })],
    { state: 'ended', since: 2000 },
  ],
  [
    'a registry left behind does not disturb the one that lives',
    [
      isGone,
      say('registry', 'waiting', 5000, { process: one, for: prompt }),
      say('process', 'present', 1500, { process: other }),
      say('registry', 'working', 2000, { process: other }),
    ],
    { state: 'working', since: 2000 },
  ],
  [
    'a registry of a process that cannot be looked at proves nothing',
    [say('registry', 'working', 2000, { process: one })],
    { state: 'unknown' },
  ],
  [
    'a stopped process is parked, whatever it did',
    [isStopped, say('registry', 'working', 2000, { process: one })],
    { state: 'parked', since: 3000 },
  ],
  [
    'of two processes one is awake',
    [isStopped, say('process', 'present', 1500, { process: other }), say('transcript', 'working', 2000)],
    { state: 'working' },
  ],
  ['a live process without a word of what it does', [lives], { state: 'unknown' }],
  [
    'a turn is open and a process has it',
    [lives, say('transcript', 'working', 2000)],
    { state: 'working', since: 2000 },
  ],
  ['a turn is over and a process has it', [lives, say('transcript', 'idle', 2000)], { state: 'idle', since: 2000 }],
  [
    'a turn that was open before the process began was broken off',
    [lives, say('transcript', 'working', 500)],
    { state: 'unknown' },
  ],
  [
    'a turn that was over before the process began still is',
    [lives, say('transcript', 'idle', 500)],
    { state: 'idle' },
  ],
  [
    'an open turn and nobody who could go on',
    [nobody, say('transcript', 'working', 2000)],
    { state: 'ended', since: 2000 },
  ],
  ['an open turn proves no life', [say('transcript', 'working', 2000)], { state: 'unknown' }],
  ['a turn that is over proves no end', [say('transcript', 'idle', 2000)], { state: 'unknown' }],
  [
    'a registry goes before a hook and a hook before the transcript',
    [
      lives,
      say('transcript', 'idle', 4000),
      say('hook', 'working', 3000),
      say('registry', 'waiting', 2000, { process: one, for: prompt }),
    ],
    { state: 'waiting', for: prompt },
  ],
  [
    'a hook tells at once what a transcript tells later',
    [lives, say('transcript', 'working', 3000), say('hook', 'waiting', 3100, { for: prompt })],
    { state: 'waiting', for: prompt },
  ],
  [
    'what a transcript tells of afterwards no hook has told, as an interruption',
    [lives, say('transcript', 'idle', 4000), say('hook', 'working', 3000)],
    { state: 'idle' },
  ],
  [
    'of one moment a hook tells it',
    [lives, say('transcript', 'idle', 3000), say('hook', 'working', 3000)],
    { state: 'working' },
  ],
  [
    'of one source the last word counts',
    [lives, say('hook', 'idle', 2000), say('hook', 'working', 3000)],
    { state: 'working' },
  ],
  [
    'a hook that said goodbye',
    [say('hook', 'ended', 3000), say('transcript', 'idle', 2900)],
    { state: 'ended', since: 3000 },
  ],
  [
    'who speaks after a goodbye is not gone',
    [say('hook', 'ended', 3000), say('transcript', 'working', 3500)],
    { state: 'unknown' },
  ],
  [
    'a goodbye does not end what lives',
    [lives, say('hook', 'ended', 3000), say('registry', 'idle', 2000, { process: one })],
    { state: 'idle' },
  ],
  ['a run that glassbox has in its hands', [say('run', 'working', 2000)], { state: 'working', since: 2000 }],
  ['its question', [say('run', 'waiting', 2000, { for: prompt })], { state: 'waiting', for: prompt }],
  ['its end', [say('run', 'ended', 4000), say('transcript', 'working', 3000)], { state: 'ended', since: 4000 }],
  [
    'a session of glassbox that goes on in a terminal',
    [say('run', 'ended', 1200), lives, say('registry', 'working', 2000, { process: one })],
    { state: 'working' },
  ],
  ['put aside by its program', [say('registry', 'parked', 2000), nobody], { state: 'parked', since: 2000 }],
];

describe('the state of a session', () => {
  test.each(cases)('%s', (_, evidence, expected) => {
    expect(judge(evidence)).toMatchObject(expected);
    expect(judge(evidence.toReversed()), 'in whichever order').toMatchObject(expected);
  });

  test('what contradicts is told apart from what speaks for it, the most trustworthy first', () => {
    const { because, against } = judge([
      say('transcript', 'working', 4000),
      say('registry', 'idle', 2000, { process: one }),
      lives,
      say('hook', 'idle', 2500),
    ]);
    expect(because.map(({ source }) => source)).toEqual(['registry', 'hook', 'process']);
    expect(against.map(({ source }) => source)).toEqual(['transcript']);
  });
});

describe('whatever the evidence', () => {
  const process = fc.constantFrom(one, other, { pid: 9, began: 4000 });
  const claim = fc.record({
    source: fc.constantFrom('run', 'registry', 'hook', 'transcript'),
    says: fc.constantFrom('working', 'waiting', 'idle', 'parked', 'ended'),
    at: fc.integer({ min: 0, max: 6000 }),
    text: fc.constant(''),
  }) as fc.Arbitrary<Evidence>;
  const bound = fc.tuple(claim, process).map(([evidence, id]): Evidence => ({ ...evidence, process: id }));
  const life = fc.record({
    source: fc.constant('process'),
    says: fc.constantFrom('present', 'stopped', 'absent'),
    at: fc.integer({ min: 0, max: 6000 }),
    process,
    text: fc.constant(''),
  }) as fc.Arbitrary<Evidence>;
  const evidence = fc.array(fc.oneof(claim, bound, life), { maxLength: 8 });

  test('nothing that is stale or contradicts turns what works into what has ended', () => {
    fc.assert(
      fc.property(evidence, fc.oneof(claim, bound, life), (before, added) => {
        if (judge(before).state !== 'working') return;
        if (isNews(before, added)) return;
        expect(judge([...before, added]).state).not.toBe('ended');
      }),
      { numRuns: 1500 },
    );
  });

  test('every piece of it is told, for or against', () => {
    fc.assert(
      fc.property(evidence, (all) => {
        const { because, against } = judge(all);
        expect([...because, ...against].length).toBe(all.length);
      }),
    );
  });

  test('without a word of an end and without a look at the processes nothing has ended', () => {
    fc.assert(
      fc.property(evidence, (all) => {
        const silent = all.filter(({ says }) => says !== 'ended' && says !== 'absent');
        expect(judge(silent).state).not.toBe('ended');
      }),
    );
  });

  /** The end of the very process that works, or of the run itself, seen later than all that was known of it. */
  function isNews(before: readonly Evidence[], added: Evidence): boolean {
    // That another one ended is no word about this one, and does not make a later one stale.
    const related = before.filter(
      (known) => known.source === added.source && known.says !== 'ended' && mayBeSameProcess(known, added),
    );
    return related.length > 0 && related.every((known) => added.at > known.at);
  }

  /** Who names no process may speak of any. */
  function mayBeSameProcess(a: Evidence, b: Evidence): boolean {
    if (!a.process || !b.process) return true;
    return a.process?.pid === b.process?.pid && a.process?.began === b.process?.began;
  }
});
