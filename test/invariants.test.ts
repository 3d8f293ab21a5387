/** The invariants themselves: a sound stream passes, and each way to break one is seen. */
import { expect, test } from 'vitest';
import { violations } from '../src/agent/conformance/invariants.js';
import type { AgentEvent, Payload } from '../src/event/index.js';

type Body = Payload & { turn?: number };

const sound: Body[] = [
  { type: 'session-start' },
  { type: 'turn-start' },
  { type: 'message-start', messageId: 'm' },
  { type: 'thinking-start', messageId: 'm', index: 0 },
  { type: 'thinking-end', messageId: 'm', index: 0, text: '' },
  { type: 'text-delta', messageId: 'm', index: 1, text: 'He' },
  { type: 'text-delta', messageId: 'm', index: 1, text: 'llo' },
  { type: 'text-end', messageId: 'm', index: 1, text: 'Hello' },
  { type: 'tool-start', id: 't', name: 'Bash', kind: 'execute' },
  { type: 'tool-input-end', id: 't', input: {}, summary: '' },
  { type: 'approval-request', id: 'a', kind: 'tool', toolId: 't' },
  { type: 'approval-withdraw', id: 'a', why: 'exit' },
  { type: 'tool-end', id: 't', status: 'ok' },
  { type: 'message-end', messageId: 'm' },
  { type: 'turn-end', outcome: 'success' },
];

const without = (...types: string[]) => sound.filter(({ type }) => !types.includes(type));
const after = (type: string, ...more: Body[]) =>
  sound.flatMap((body) => (body.type === type ? [body, ...more] : [body]));
const before = (type: string, ...more: Body[]) =>
  sound.flatMap((body) => (body.type === type ? [...more, body] : [body]));

const broken: [name: string, bodies: Body[], sentence: RegExp][] = [
  ['a session that starts twice', after('session-start', { type: 'session-start' }), /session starts twice/],
  [
    'a field that is undefined',
    after('tool-end', { type: 'status', code: 'x', ...{ text: undefined } } as unknown as Body),
    /text is undefined/,
  ],
  ['a tool without an end', without('tool-end'), /tool-start t has no tool-end/],
  ['a tool that ends twice', after('tool-end', { type: 'tool-end', id: 't', status: 'ok' }), /ends twice/],
  ['progress before its tool', before('tool-start', { type: 'tool-progress', id: 't' }), /before its start/],
  ['output after its tool', after('tool-end', { type: 'tool-output-delta', id: 't', text: 'x' }), /after its end/],
  ['a text without its message', without('message-start', 'message-end'), /before its message/],
  [
    'a text that differs from its deltas',
    after('text-delta', { type: 'text-delta', messageId: 'm', index: 1, text: '?' }),
    /differs/,
  ],
  ['a text without an end', without('text-end'), /deltas and no end/],
  [
    'a delta after its end',
    after('text-end', { type: 'text-delta', messageId: 'm', index: 1, text: '!' }),
    /after its end/,
  ],
  ['a message that starts twice', after('message-start', { type: 'message-start', messageId: 'm' }), /starts twice/],
  ['a message that ends twice', after('message-end', { type: 'message-end', messageId: 'm' }), /ends twice/],
  ['a request nobody settles', without('approval-withdraw'), /never settled/],
  [
    'a request settled twice',
    after('approval-withdraw', { type: 'approval-withdraw', id: 'a', why: 'exit' }),
    /settled twice/,
  ],
  ['an answer to no request', without('approval-request'), /never requested/],
  ['a turn that never ends', without('turn-end'), /turn 1 never ends/],
  ['a turn that ends twice', after('turn-end', { type: 'turn-end', outcome: 'success' }), /ends twice/],
  ['an end without a turn', without('turn-start'), /ends without a start/],
  ['a run-end from a decoder', after('turn-end', { type: 'run-end' } as Body), /run-end/],
];

test('a sound stream has no violation', () => {
  expect(violations(stamped(sound))).toEqual([]);
});

test.each(broken)('%s is seen', (_, bodies, sentence) => {
  expect(violations(stamped(bodies)).join('\n')).toMatch(sentence);
});

test('a hole in seq is seen', () => {
  expect(violations(stamped(sound).slice(1)).join('\n')).toMatch(/event 1 has seq 2/);
});

function stamped(bodies: Body[]): AgentEvent[] {
  return bodies.map((body, index) => {
    const stamp = { seq: index + 1, at: 0, runId: 'run', agent: 'agent', source: 'stream', turn: 1 };
    return { ...body, ...stamp } as AgentEvent;
  });
}
