import { expect, test } from 'vitest';
import { rememberedOf, resolutionOf } from '../../src/agent/decision.js';
import type { Suggestion } from '../../src/event/index.js';

const who = { id: 'q', by: 'person', who: 'ada', via: 'terminal' } as const;
const suggestions: Suggestion[] = [
  { allows: 'command', what: ['ls'], lasts: 'session' },
  { allows: 'tool', what: ['Bash'], lasts: 'user' },
];

test.each([
  [{ type: 'approve' }, { decision: 'allow' }],
  [
    { type: 'approve', changes: { set: { '/a': 1 } } },
    { decision: 'allow', changes: { set: { '/a': 1 } } },
  ],
  [
    { type: 'approve', remember: [1] },
    { decision: 'allow-always', remembered: [suggestions[1]] },
  ],
  [{ type: 'approve', remember: [] }, { decision: 'allow' }],
  [{ type: 'approve', remember: [7] }, { decision: 'allow' }],
  [
    { type: 'deny', message: 'no' },
    { decision: 'deny', message: 'no' },
  ],
  [
    { type: 'answer', answers: { a: 1 } },
    { decision: 'answer', answers: { a: 1 } },
  ],
] as const)('%j is recorded as it was', (answer, resolution) => {
  expect(resolutionOf({ ...answer, ...who }, { suggestions })).toEqual({ ...who, ...resolution });
});

test('what was asked for as a secret is left out', () => {
  const properties = {
    user: { type: 'string' },
    password: { type: 'string', format: 'password' },
    pin: { type: 'number', writeOnly: true },
  };
  const answers = { user: 'ada', password: 'x', pin: 1 };
  const given = { type: 'answer', answers, ...who } as const;
  expect(resolutionOf(given, { answerSchema: { properties } }).answers).toEqual({ user: 'ada' });
  const questions = [{ question: 'user' }, { question: 'password', secret: true }];
  // Some agents take a question by another name too, and that may be the secret one.
  expect(resolutionOf(given, { questions }).answers).toEqual({ user: 'ada' });
  expect(resolutionOf(given, { questions: [{ question: 'user' }] }).answers).toEqual(answers);
  expect(resolutionOf(given, { answerSchema: 'nonsense' }).answers).toEqual(answers);
});

test.each<[string, object]>([
  ['inside a group', { properties: { login: { properties: { pin: { format: 'password' } } } } }],
  ['in a list', { properties: { login: { type: 'array', items: { writeOnly: true } } } }],
  ['one of several ways', { properties: { login: { anyOf: [{ type: 'null' }, { format: 'password' }] } } }],
  ['described elsewhere', { $defs: { pin: { format: 'password' } }, properties: { login: { $ref: '#/$defs/pin' } } }],
  ['in a part of the form', { allOf: [{ properties: { login: { format: 'password' } } }] }],
])('a secret %s is left out with what holds it', (_, answerSchema) => {
  const given = { type: 'answer', answers: { login: { pin: 'x' } }, ...who } as const;
  expect(resolutionOf(given, { answerSchema }).answers).toEqual({});
});

test('a form of any depth is looked through', () => {
  let deep: object = { format: 'password' };
  for (let depth = 0; depth < 100_000; depth += 1) deep = { items: deep };
  const given = { type: 'answer', answers: { a: 'x', b: 'y' }, ...who } as const;
  expect(resolutionOf(given, { answerSchema: { properties: { a: deep, b: { type: 'string' } } } }).answers).toEqual({
    b: 'y',
  });
});

test('what goes with the suggestions is chosen by their positions', () => {
  expect(rememberedOf({ type: 'approve', remember: [1, 0], ...who }, ['a', 'b'])).toEqual(['b', 'a']);
  expect(rememberedOf({ type: 'deny', ...who }, ['a', 'b'])).toEqual([]);
});
