import { describe, expect, test } from 'vitest';
import type { Draft, DraftOf } from '../../src/event/index.js';
import { createGuard, type GuardOptions } from '../../src/guard/index.js';
import { utf8Length } from '../../src/guard/utf8.js';

const KEY = `sk-ant-${'api03'}-${'x1Y2z3'.repeat(10)}`;
const HIDDEN = '[redacted:anthropic-key]';
const MIB = 1_048_576;

const turn = 1;
const textDelta = (text: string, index = 0): Draft => ({ type: 'text-delta', messageId: 'm', index, text, turn });
const textEnd = (text: string, index = 0): Draft => ({ type: 'text-end', messageId: 'm', index, text, turn });
const inputDelta = (text: string): Draft => ({ type: 'tool-input-delta', id: 't', text, turn });
const inputEnd = (input: unknown, summary = ''): Draft => ({ type: 'tool-input-end', id: 't', input, summary, turn });
const outputDelta = (text: string, stream?: 'stdout' | 'stderr'): Draft => ({
  type: 'tool-output-delta',
  id: 't',
  text,
  ...(stream && { stream }),
  turn,
});
const toolEnd = (output: string): DraftOf<'tool-end'> => ({ type: 'tool-end', id: 't', status: 'ok', output, turn });

describe('redaction of whole events', () => {
  test.each<[string, Draft]>([
    ['text', textEnd(`Use ${KEY}.`)],
    ['a prompt', { type: 'user-message', text: `Use ${KEY}`, turn }],
    ['a tool input', inputEnd({ command: `export KEY=${KEY}` }, `export KEY=${KEY}`)],
    ['a nested tool input', inputEnd({ edits: [{ new_string: [`key: ${KEY}`] }] })],
    ['a property name', inputEnd({ [KEY]: 1 })],
    ['tool output', toolEnd(`.env\n${KEY}\n`)],
    ['a diff', { type: 'file-change', path: 'a', kind: 'edit', diff: `+${KEY}`, turn }],
    [
      'an approval',
      {
        type: 'approval-request',
        id: 'a',
        kind: 'tool',
        input: { url: KEY },
        suggestions: [{ allows: 'other', what: [KEY], lasts: 'session' }],
        turn,
      },
    ],
    ['an error', { type: 'agent-error', category: 'auth', message: `bad key ${KEY}`, fatal: true, turn }],
    [
      'the end of a turn',
      { type: 'turn-end', outcome: 'success', text: KEY, denials: [{ toolName: 'x', input: KEY }], turn },
    ],
    ['structured output', { type: 'turn-end', outcome: 'success', structuredOutput: { found: [KEY] }, turn }],
    ['a warning', { type: 'warning', code: 'x', message: KEY, turn }],
    ['an unknown type', { type: 'unknown', wireType: KEY, bytes: 1, turn }],
  ])('decision 11: hides a secret in %s', (_, draft) => {
    const before = JSON.stringify(draft);
    const [event, ...more] = createGuard().pass(deepFreeze(draft));
    expect(more).toEqual([]);
    expect(JSON.stringify(event)).toBe(before.replaceAll(KEY, HIDDEN));
    expect(JSON.stringify(draft), 'the draft itself is not changed').toBe(before);
  });

  test.each([
    [{ password: 'x' }, { password: '[redacted:credential]' }],
    [
      { apiKey: 'word', url: 'u' },
      { apiKey: '[redacted:credential]', url: 'u' },
    ],
    [{ headers: { Authorization: 'anything' } }, { headers: { Authorization: '[redacted:credential]' } }],
    [{ env: { GITHUB_TOKEN: 'abc' } }, { env: { GITHUB_TOKEN: '[redacted:credential]' } }],
    // Changes of an input are named by the way to a field.
    [
      { '/password': 'x', '/db/password': 'y', '/password/hint': 'z' },
      { '/password': '[redacted:credential]', '/db/password': '[redacted:credential]', '/password/hint': 'z' },
    ],
    [
      { password: '$PASSWORD', token: '', secret: 5 },
      { password: '$PASSWORD', token: '', secret: 5 },
    ],
    [
      { max_tokens: '10', key: 'value', pageToken: 'abc' },
      { max_tokens: '10', key: 'value', pageToken: 'abc' },
    ],
  ])('a property of a tool input is a secret by its name: %j', (input, expected) => {
    const [event] = createGuard().pass(inputEnd(input));
    expect(event).toMatchObject({ input: expected });
  });

  test('a clean event passes as the same object', () => {
    const draft = inputEnd({ command: 'npm test', list: [1, null, { a: true }] }, 'npm test');
    expect(createGuard().pass(draft)[0]).toBe(draft);
  });

  test('can be turned off', () => {
    const guard = createGuard({ redact: false });
    for (const draft of [textDelta(`a ${KEY}`), textEnd(KEY), inputEnd({ password: 'x' })]) {
      expect(guard.pass(draft)[0]).toBe(draft);
    }
    expect(guard.end()).toEqual([]);
  });

  test('takes further rules, also for deltas split anywhere', () => {
    const rules = [{ name: 'badge', match: 'B[0-9]{6}' }];
    expect(createGuard({ rules }).pass(textEnd('my xB123456.'))[0]).toMatchObject({ text: 'my x[redacted:badge].' });
    const text = 'my xB123456 and B12 3';
    for (let at = 1; at < text.length; at++) {
      const drafts = [textDelta(text.slice(0, at)), textDelta(text.slice(at))];
      expect(shown(drafts, { rules })).toBe('my x[redacted:badge] and B12 3');
    }
  });
});

test.each(['(a)', 'a{2,1}', '['])('a rule that cannot be used is refused: %s', (match) => {
  expect(() => createGuard({ rules: [{ name: 'odd', match }] })).toThrow(
    expect.objectContaining({ code: 'invalid-request', message: expect.stringContaining('rule odd') }),
  );
});

describe('decision 8: deltas', () => {
  test.each<[string, (text: string) => Draft]>([
    ['text', textDelta],
    ['thinking', (text) => ({ type: 'thinking-delta', messageId: 'm', index: 0, text, turn })],
    ['tool input', inputDelta],
    ['tool output', outputDelta],
  ])('a secret split over two %s deltas is caught at every position', (_, delta) => {
    const text = `key ${KEY} end`;
    for (let at = 1; at < text.length; at++) {
      expect(shown([delta(text.slice(0, at)), delta(text.slice(at))])).toBe(`key ${HIDDEN} end`);
    }
    expect(shown([...text].map((letter) => delta(letter)))).toBe(`key ${HIDDEN} end`);
  });

  test('a property of a tool input is hidden in its JSON text too', () => {
    const json = JSON.stringify({
      user: 'me',
      password: 'correct "horse" battery',
      content: '{"password": "Passwort"}',
    });
    const expected = JSON.stringify({
      user: 'me',
      password: '[redacted:credential]',
      content: '{"password": "Passwort"}',
    });
    for (let at = 1; at < json.length; at++) {
      expect(shown([inputDelta(json.slice(0, at)), inputDelta(json.slice(at))])).toBe(expected);
    }
  });

  test('clean deltas pass as the same objects', () => {
    const guard = createGuard();
    for (const text of ['Hello', ' world', '. ', 'Done!']) {
      const draft = textDelta(text);
      expect(guard.pass(draft)[0]).toBe(draft);
    }
  });

  test.each<[string, Draft, Draft]>([
    ['text-end', textDelta('end s'), textEnd('end s')],
    ['message-end', textDelta('end s'), { type: 'message-end', messageId: 'm', turn }],
    ['tool-input-end', inputDelta('"s'), inputEnd('s')],
    ['tool-end', outputDelta('s', 'stderr'), toolEnd('s')],
    ['run-end', textDelta('s'), runEnd()],
  ])('held text is released before %s', (_, delta, end) => {
    const guard = createGuard();
    const whole = textOf([delta]);
    const first = guard.pass(delta);
    const released = guard.pass(end);
    expect(textOf([...first, ...released.slice(0, -1)])).toBe(whole);
    expect(released.at(-1)).toBe(end);
    expect(guard.end()).toEqual([]);
  });

  test('held text is released at the end of the stream', () => {
    const guard = createGuard();
    expect(guard.pass(textDelta('s'))).toEqual([]);
    expect(guard.end()).toEqual([textDelta('s')]);
    expect(guard.end()).toEqual([]);
  });

  test('blocks do not mix: indexes, messages, tools and their streams are texts of their own', () => {
    const guard = createGuard();
    const [head, tail] = [KEY.slice(0, 10), KEY.slice(10)];
    const events = [
      textDelta(head, 0),
      textDelta(tail, 1),
      { ...textDelta(tail), messageId: 'other' } as Draft,
      outputDelta(head, 'stdout'),
      outputDelta(tail, 'stderr'),
    ].flatMap((draft) => guard.pass(draft));
    expect(textOf(events)).not.toContain('redacted');
    expect(textOf([...guard.pass(textDelta(tail, 0)), ...guard.pass(outputDelta(`${tail} `, 'stdout'))])).toBe(
      `${HIDDEN}${HIDDEN} `,
    );
  });

  test('a retracted block is forgotten', () => {
    const guard = createGuard();
    guard.pass(textDelta('s', 0));
    guard.pass(textDelta('s', 1));
    const retract: Draft = { type: 'message-retract', messageId: 'm', index: 0, why: 'superseded', turn };
    expect(guard.pass(retract)).toEqual([retract]);
    expect(guard.end()).toEqual([textDelta('s', 1)]);
  });

  test('an empty delta stays', () => {
    expect(createGuard().pass(textDelta(''))).toEqual([textDelta('')]);
  });
});

describe('decision 8: bounds', () => {
  test.each([
    ['at the limit', 'x'.repeat(MIB), MIB, undefined],
    ['one over', 'x'.repeat(MIB + 1), MIB, MIB + 1],
    ['two-byte characters', 'é'.repeat(MIB / 2 + 1), MIB, MIB + 2],
    ['three-byte characters', '€'.repeat((MIB + 2) / 3), MIB - 1, MIB + 2],
    ['never half a code point', `x${'😀'.repeat(MIB / 4)}`, MIB - 3, MIB + 1],
  ])('R-20 a field of 1 MiB in UTF-8 bytes, %s', (_, output, bytes, original) => {
    const [event] = createGuard().pass(toolEnd(output));
    expect(event?.cuts).toEqual(original && [{ path: '/output', bytes: original }]);
    expect(event?.type === 'tool-end' && utf8Length(event.output ?? '')).toBe(bytes);
    expect(event?.type === 'tool-end' && output.startsWith(event.output ?? '')).toBe(true);
  });

  test('an oversize delta is cut too', () => {
    const [event] = createGuard().pass(outputDelta(`${'x'.repeat(MIB)}y\n`));
    expect(event).toMatchObject({ text: 'x'.repeat(MIB), cuts: [{ path: '/text', bytes: MIB + 2 }] });
  });

  test('nested fields are marked by JSON pointer', () => {
    const input = { 'a/b': [{ 'c~d': 'x'.repeat(3_000) }], short: 'y' };
    const [event] = createGuard({ maxFieldBytes: 1_000 }).pass(inputEnd(input));
    expect(event).toMatchObject({
      input: { 'a/b': [{ 'c~d': 'x'.repeat(1_000) }], short: 'y' },
      cuts: [{ path: '/input/a~1b/0/c~0d', bytes: 3_000 }],
    });
  });

  test('a secret across the cut is redacted, not halved', () => {
    const [event] = createGuard({ maxFieldBytes: 100 }).pass(toolEnd('.'.repeat(80) + KEY));
    expect(JSON.stringify(event)).not.toContain('sk-ant');
  });

  test.each<[string, Draft]>([
    ['many long texts', inputEnd(Array.from({ length: 9 }, () => 'x'.repeat(MIB)))],
    ['many short texts', inputEnd(Array.from({ length: 500_000 }, (_, n) => `text ${n}`))],
    ['many texts of three bytes a letter', inputEnd(Array.from({ length: 40 }, () => '語'.repeat(60_000)))],
    ['many numbers', inputEnd(Array.from({ length: 2_000_000 }, (_, n) => n))],
    [
      'many properties',
      inputEnd(Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`${n}`.padStart(40), n]))),
    ],
    ['many small objects', inputEnd(Array.from({ length: 400_000 }, () => ({ a: {}, b: [] })))],
    ['one long name', inputEnd({ ['x'.repeat(6 * MIB)]: 1, after: 2 })],
    ['a tree', inputEnd(tree(19))],
    [
      'images',
      { ...toolEnd(''), attachments: Array.from({ length: 8 }, () => ({ kind: 'image', data: 'A'.repeat(MIB) })) },
    ],
  ])('an event of 4 MiB: %s', (_, draft) => {
    const [event] = createGuard().pass(draft);
    expect(utf8Length(JSON.stringify(event))).toBeLessThan(4 * MIB);
    const field = draft.type === 'tool-end' ? '/attachments' : '/input';
    expect(event?.cuts?.find((cut) => cut.path === field)?.bytes).toBeGreaterThan(4 * MIB * 0.8);
  });

  test('fields with a type get the room first, and their objects stay whole', () => {
    const cost = { usd: 1, scope: 'turn', origin: 'reported' } as const;
    const big = Array.from({ length: 600_000 }, (_, n) => `text ${n}`);
    const draft: Draft = {
      type: 'turn-end',
      outcome: 'success',
      structuredOutput: big,
      text: 'x'.repeat(2 * MIB),
      cost,
      turn,
    };
    const [event] = createGuard().pass(draft);
    expect(event).toMatchObject({ cost, outcome: 'success' });
    expect(event?.type === 'turn-end' && event.text?.length).toBe(MIB);
    const todos = Array.from({ length: 9 }, () => ({ text: 'x'.repeat(MIB), status: 'active' as const }));
    const [list] = createGuard().pass({ type: 'todo-update', todos, turn });
    expect(list?.type === 'todo-update' && list.todos.every((todo) => todo.status === 'active')).toBe(true);
  });

  test('deep values end at a depth that nobody overflows on', () => {
    let deep: unknown = 'x';
    for (let depth = 0; depth < 200_000; depth++) deep = depth % 2 ? [deep] : { a: deep };
    const [event] = createGuard().pass(inputEnd(deep));
    expect(JSON.stringify(event).length).toBeLessThan(1_000);
    expect(event?.cuts).toEqual([{ path: '/input', bytes: 800_003 }]);
  });

  test('a name like a prototype is only a name', () => {
    const input: unknown = JSON.parse(`{"__proto__": {"x": "${KEY}"}, "constructor": 1}`);
    const [event] = createGuard().pass(inputEnd(input));
    expect(JSON.stringify(event)).toContain(`"__proto__":{"x":"${HIDDEN}"}`);
  });
});

/** What is seen of a text that arrives in these deltas. */
function shown(deltas: readonly Draft[], options?: GuardOptions): string {
  const guard = createGuard(options);
  return textOf([...deltas.flatMap((delta) => guard.pass(delta)), ...guard.end()]);
}

function textOf(drafts: readonly Draft[]): string {
  return drafts.map((draft) => ('text' in draft ? draft.text : '')).join('');
}

function tree(depth: number): unknown {
  return depth === 0 ? 0 : { a: tree(depth - 1), b: tree(depth - 1) };
}

function runEnd(): Draft {
  const open = { tools: [], tasks: [], approvals: [], processes: [] };
  return { type: 'run-end', reason: 'finished', turns: 1, open, durationMs: 1, turn };
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null)
    for (const part of Object.values(Object.freeze(value))) deepFreeze(part);
  return value;
}
