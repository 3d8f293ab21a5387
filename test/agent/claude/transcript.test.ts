/** Entries that the recorded transcripts do not have. Those are in `test/archive`. */
import { describe, expect, test } from 'vitest';
import { transcripts } from '../../../src/agent/claude/transcript.js';
import type { AgentEvent, Cost } from '../../../src/event/index.js';
import { costOf, enter, openLedger } from '../../../src/ledger/index.js';

const SESSION = '11111111-2222-4333-8444-555555555555';
const usage = { input_tokens: 100, output_tokens: 10 };

let count = 0;
const entry = <Fields extends object>(fields: Fields) => {
  count += 1;
  return { uuid: `u${count}`, timestamp: '', sessionId: SESSION, version: '2.1.325', cwd: '/repo', ...fields };
};
const user = (content: unknown, more: object = {}) =>
  entry({ type: 'user', message: { role: 'user', content }, ...more });
const says = (id: string, block: object, more: object = {}) =>
  entry({
    type: 'assistant',
    message: { id, model: 'claude-opus-5-5', content: [block], stop_reason: 'end_turn', usage },
    ...more,
  });
const text = (value: string) => ({ type: 'text', text: value });
const call = (id: string, input: object, name = 'Task') => ({ type: 'tool_use', id, name, input });
const result = (id: string, content: string) => ({ type: 'tool_result', tool_use_id: id, content });

/** What was made of the entries, written a second apart. */
function draftsOf(entries: unknown[]) {
  const reader = transcripts.createReader();
  for (const [index, one] of entries.entries()) {
    const timestamp = new Date(Date.UTC(2026, 0, 1) + index * 1000).toISOString();
    reader.receive(
      typeof one === 'object' && one && 'timestamp' in one && !one.timestamp ? { ...one, timestamp } : one,
    );
  }
  return reader.end().moments;
}

/** The same as type and what matters of it. */
function told(entries: unknown[]): string[] {
  return draftsOf(entries).flatMap(({ draft }) => {
    const speaker = draft.parent === undefined ? '' : ` (${draft.parent})`;
    if (draft.type === 'user-message') return [`${draft.synthetic ? 'synthetic' : 'user'}: ${draft.text}${speaker}`];
    if (draft.type === 'text-end') return [`text: ${draft.text}${speaker}`];
    if (draft.type === 'turn-end')
      return [`${draft.outcome} ${draft.cost?.origin} ${draft.usage?.outputTokens ?? '-'}`];
    if (draft.type === 'retry') return [`retry ${draft.attempt}/${draft.maxAttempts} ${draft.httpStatus}`];
    if (draft.type === 'session-update') return [`title: ${draft.title}`];
    if (draft.type === 'agent-error') return [`error: ${draft.category}`];
    return [];
  });
}

test('a turn took as long as the file says', () => {
  const moments = draftsOf([user('go'), says('m1', text('one')), says('m2', text('two'))]);
  expect(moments.flatMap(({ draft }) => (draft.type === 'turn-end' ? [draft.durationMs] : []))).toEqual([2000]);
});

test('1.0 wrote sub-agents into the same file, and only the prompt tells whose they are', () => {
  const root = user('look into a', { isSidechain: true });
  const answer = says('s1', text('found a'), { isSidechain: true, parentUuid: root.uuid });
  const more = says('s2', text('done with a'), { isSidechain: true, parentUuid: answer.uuid });
  const entries = [
    user('go'),
    says('m1', call('t1', { prompt: 'look into a' })),
    says('m1', call('t2', { prompt: 'look into b' })),
    root,
    answer,
    more,
    user('look into b', { isSidechain: true }),
    user([result('t1', 'a')]),
    user([result('t2', 'b')]),
    says('m2', text('both done')),
  ];
  expect(told(entries)).toEqual([
    'user: go',
    'user: look into a (t1)',
    'text: found a (t1)',
    'text: done with a (t1)',
    'user: look into b (t2)',
    'text: both done',
    'success computed 20',
  ]);
});

test('how a turn ended', () => {
  const interrupted = user([{ type: 'text', text: '[Request interrupted by user]' }]);
  const failed = { isApiErrorMessage: true, error: 'rate_limit' };
  const entries = [
    ...[user('one'), says('m1', text('ok'))],
    ...[user('two'), says('m2', call('t', {}, 'Bash')), interrupted],
    ...[user('three'), says('m3', call('t2', {}, 'Bash'))],
    ...[user('four'), says('m4', text('Limit reached'), failed)],
  ];
  expect(told(entries).filter((line) => !line.startsWith('user') && !line.startsWith('text'))).toEqual([
    'success computed 10',
    'synthetic: [Request interrupted by user]',
    'interrupted computed 10',
    'unknown computed 10',
    'error: rate-limit',
    'failed computed 10',
  ]);
});

test('what stands between two turns takes nothing of the next one: a filler of the program is nobody’s word', () => {
  const state = (usd: number) => entry({ type: 'cost-state', totalCostUSD: usd, modelUsage: {} });
  const filler = entry({
    type: 'assistant',
    message: {
      id: 'f1',
      model: '<synthetic>',
      content: [text('No response requested.')],
      stop_reason: 'stop_sequence',
      usage: { input_tokens: 0, output_tokens: 0 },
    },
  });
  const begin = [user('one'), says('m1', text('I begin')), user([text('[Request interrupted by user]')]), state(0)];
  const own = [user('by hand'), says('m2', text('teapot')), state(0.0013)];
  const turns = (entries: unknown[]) =>
    draftsOf(entries).flatMap(({ draft: { turn, type } }) => (/^turn-/.test(type) ? [`${type} ${turn}`] : []));
  expect(told([...begin, filler, ...own])).toEqual(told([...begin, ...own]));
  expect(turns([...begin, filler, ...own])).toEqual(['turn-start 1', 'turn-end 1', 'turn-start 2', 'turn-end 2']);
  // Whatever else is said there is a turn of its own, and ends before the next.
  const more = [...begin, says('m9', text('Oh')), ...own];
  expect(turns(more)).toEqual([1, 2, 3].flatMap((turn) => [`turn-start ${turn}`, `turn-end ${turn}`]));
  const ends = told(more).flatMap((line) => /^(interrupted|success|unknown) /.exec(line)?.[1] ?? []);
  expect(ends).toEqual(['interrupted', 'success', 'success']);
});

test('a message counts once, with its largest figures, however many lines it has', () => {
  const early = { stop_reason: null, usage: { input_tokens: 100, output_tokens: 1 } };
  const first = says('m1', text('a'));
  const entries = [user('go'), { ...first, message: { ...first.message, ...early } }, says('m1', text('b'))];
  expect(told(entries).at(-1)).toBe('success computed 10');
});

test('a message without an end, and a model without a price, are not the whole cost', () => {
  const cut = says('m1', text('a'));
  const other = says('m2', text('b'));
  expect(told([user('go'), { ...cut, message: { ...cut.message, stop_reason: null } }]).at(-1)).toBe(
    'success lower-bound 10',
  );
  const unknown = { ...other, message: { ...other.message, model: 'new-model' } };
  expect(told([user('go'), unknown]).at(-1)).toBe('success undefined 10');
  expect(told([user('go'), says('m3', text('a')), unknown]).at(-1)).toBe('success lower-bound 20');
});

describe('what a fork cost', () => {
  const million = { input_tokens: 1_000_000, output_tokens: 1000 };
  /** A copy keeps its times, behind a first line of the fork's own. */
  const copied = (model: string) => [
    entry({ type: 'queue-operation' }),
    user('first', { timestamp: '2025-12-01T00:00:00Z' }),
    says('m1', text('a'), { timestamp: '2025-12-01T00:00:01Z', message: answer('m1', model, million) }),
  ];
  const own = (model: string) => [user('second'), says('m2', text('b'), { message: answer('m2', model, million) })];
  const answer = (id: string, model: string, used: object) => {
    return { id, model, content: [text('x')], stop_reason: 'end_turn', usage: used };
  };
  const total = (totalCostUSD: number, more: object = {}) => ({ type: 'cost-state', totalCostUSD, ...more });
  const [sonnet, unheardOf] = ['claude-sonnet-4-5-20250929', 'claude-opus-99'];

  // 6.031 is what 2.1.325 noted after two calls of $3.015 and a search for $0.001.
  test.each<[string, unknown[], Pick<Cost, 'usd' | 'origin'> | undefined]>([
    [
      'its own share of the program’s sum, and no more sure than the price of the copy',
      [...copied(sonnet), ...own(sonnet), total(6.031)],
      { usd: 3.016, origin: 'computed' },
    ],
    ['without that sum what its calls cost', [...copied(sonnet), ...own(sonnet)], { usd: 3.015, origin: 'computed' }],
    [
      'the same where nobody knows what the copy cost',
      [...copied(unheardOf), ...own(sonnet), total(6.031)],
      { usd: 3.015, origin: 'computed' },
    ],
    [
      'its own share also when it was forked in the very second',
      [
        entry({ type: 'queue-operation', timestamp: '2025-12-01T00:00:01.480Z' }),
        ...copied(sonnet).slice(1),
        ...own(sonnet),
      ],
      { usd: 3.015, origin: 'computed' },
    ],
    ['nothing that anybody knows', [...copied(unheardOf), ...own(unheardOf), total(6.031)], undefined],
    ['the program’s sum where nothing was copied', [...own(sonnet), total(3.016)], { usd: 3.016, origin: 'reported' }],
    [
      'a sum that the program only guessed',
      [...own(sonnet), total(3.016, { hasUnknownModelCost: true })],
      { usd: 3.016, origin: 'computed' },
    ],
  ])('%s', (_, entries, expected) => {
    const cost = spentBy(entries);
    expect(cost && { usd: cost.usd, origin: cost.origin }).toEqual(expected);
  });
});

/** What everybody would say that it cost. */
function spentBy(entries: unknown[]) {
  const drafts = draftsOf(entries);
  const stamp = { runId: 'r', agent: 'a', source: 'transcript' } as const;
  const ledger = drafts.reduce((before, { draft, at }, index) => {
    return enter(before, { ...draft, ...stamp, seq: index + 1, at } as AgentEvent).ledger;
  }, openLedger());
  return costOf(ledger);
}

test('titles, retries, commands, and what was said in the middle of a turn', () => {
  const entries = [
    { type: 'summary', summary: 'Fixing the login', leafUuid: 'u1' },
    user('<command-name>/model</command-name>\n<command-args>opus</command-args>'),
    user('<local-command-stdout>Set model to opus</local-command-stdout>'),
    user('Caveat: …', { isMeta: true }),
    user('go'),
    entry({ type: 'system', subtype: 'api_error', retryAttempt: 1, maxRetries: 10, error: { status: 529 } }),
    entry({ type: 'attachment', attachment: { type: 'queued_command', prompt: 'and the tests' } }),
    entry({ type: 'attachment', attachment: { type: 'environment' } }),
    says('m1', text('ok')),
    { type: 'custom-title', customTitle: 'Login' },
  ];
  expect(told(entries)).toEqual([
    'synthetic: /model opus',
    'synthetic: <local-command-stdout>Set model to opus</local-command-stdout>',
    'synthetic: Caveat: …',
    'user: go',
    'retry 1/10 529',
    'user: and the tests',
    'text: ok',
    'title: Login',
    'success computed 10',
  ]);
});

test('what was written twice is read once', () => {
  const entries = [user('go'), says('m1', text('ok'))];
  expect(told([...entries, ...entries])).toEqual(['user: go', 'text: ok', 'success computed 10']);
});

test.each([null, 'text', 7, [], {}, { type: 'user' }, { type: 'assistant', message: 'x', timestamp: 'never' }])(
  'whatever a line holds, nothing is thrown: %j',
  (value) => {
    expect(told([value, user('go'), value])).toContain('user: go');
  },
);

test.each([
  ['-repo/11111111-2222-4333-8444-555555555555.jsonl', {}, { sessionId: SESSION }],
  [`-repo/${SESSION}/subagents/agent-a1.jsonl`, {}, { sessionId: SESSION, part: 'a1' }],
  [`-repo/${SESSION}/subagents/agent-a1.meta.json`, {}, { sessionId: SESSION, part: 'a1' }],
  ['-repo/agent-a1.jsonl', { sessionId: SESSION }, { sessionId: SESSION, part: 'a1' }],
  ['-repo/agent-a1.jsonl', undefined, undefined],
  ['-repo/notes.jsonl', {}, undefined],
  ['-repo/memory/MEMORY.md', undefined, undefined],
])('%s', (path, first, expected) => {
  expect(transcripts.identify(path, () => first)).toEqual(expected);
});

test('a turn that was ended by its number of steps says so', () => {
  const reached = entry({ type: 'attachment', attachment: { type: 'max_turns_reached', maxTurns: 2 } });
  const ends = draftsOf([user('go'), says('m1', call('t1', {}, 'Bash')), user([result('t1', 'x')]), reached]).flatMap(
    ({ draft }) => (draft.type === 'turn-end' ? [draft] : []),
  );
  expect(ends).toMatchObject([{ outcome: 'max-turns' }]);
  expect(ends[0]?.error?.message).toContain('(2)');
});

const interrupted = user([text('[Request interrupted by user for tool use]')]);
const reachedLimit = entry({ type: 'attachment', attachment: { type: 'max_turns_reached', maxTurns: 2 } });

test.each([
  ['an interruption', interrupted, ['interrupted']],
  ['the number of steps', reachedLimit, ['max-turns']],
  ['nothing', entry({ type: 'system', subtype: 'other' }), []],
])('who follows it is told that a turn is over by %s when nothing more comes', (_, last, outcomes) => {
  const reader = transcripts.createReader();
  const told = [user('go'), says('m1', call('t1', {}, 'Bash')), user([result('t1', 'x')]), last].flatMap((one, index) =>
    reader.receive({ ...one, timestamp: new Date(Date.UTC(2026, 0, 1) + index * 1000).toISOString() }),
  );
  told.push(...(reader.keepUp?.() ?? []), ...(reader.settle?.() ?? []));
  expect(told.flatMap(({ draft }) => (draft.type === 'turn-end' ? [draft.outcome] : []))).toEqual(outcomes);
});
