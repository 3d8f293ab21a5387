/** How much may be asked for: what is just within a bound is heard, what is just beyond it is refused. */
import { describe, expect, test } from 'vitest';
import * as fleet from '../../src/server/fleet-schema.js';
import * as requests from '../../src/server/schema.js';

const schema = { ...requests, ...fleet };

const start = { agent: 'claude', prompt: 'go' };
const job = { project: 'p', ...start };
const claim = { name: 'w', labels: [], projects: [], agents: [], capacity: 1, busy: 0 };
const login = { boot: 'b', pageKey: 'p', browserKey: 'k', mac: 'm' };
const again = { boot: 'b', pageKey: 'p', browser: 'k', signature: 's' };

/** Texts: what stands beside them, and how long they may be. */
const texts: [keyof typeof schema, field: string, least: number, most: number, beside?: object][] = [
  ['startRequest', 'agent', 1, 64, start],
  ['startRequest', 'prompt', 1, 10_000_000, start],
  ['startRequest', 'cwd', 1, 4096, start],
  ['startRequest', 'model', 1, 128, start],
  ['startRequest', 'effort', 1, 32, start],
  ['startQuery', 'agent', 1, 64],
  ['startQuery', 'cwd', 1, 4096, { agent: 'claude' }],
  ['fileQuery', 'text', 0, 1000],
  ['attachRequest', 'name', 1, 1000, { data: 'AAAA' }],
  ['sayRequest', 'text', 1, 10_000_000],
  ['sayRequest', 'model', 1, 128, { text: 'x' }],
  ['sayRequest', 'effort', 1, 32, { text: 'x' }],
  ['labelRequest', 'name', 0, 1000],
  ['denyRequest', 'message', 0, 100_000],
  ['loginRequest', 'boot', 1, 256, login],
  ['loginRequest', 'mac', 1, 256, login],
  ['loginRequest', 'signature', 1, 256, again],
  ['helloQuery', 'origin', 0, 300, { nonce: 'n' }],
  ['helloQuery', 'nonce', 1, 256, { origin: 'o' }],
  ['sessionQuery', 'agent', 0, 64],
  ['sessionQuery', 'project', 0, 4096],
  ['sessionQuery', 'outcome', 0, 32],
  ['sessionQuery', 'text', 0, 1000],
  ['sessionQuery', 'cursor', 0, 1000],
  ['findQuery', 'text', 1, 1000],
  ['findQuery', 'agent', 0, 64, { text: 'x' }],
  ['findQuery', 'tool', 0, 256, { text: 'x' }],
  ['findQuery', 'project', 0, 4096, { text: 'x' }],
  ['findQuery', 'outcome', 0, 32, { text: 'x' }],
  ['findQuery', 'cursor', 0, 1000, { text: 'x' }],
  ['costQuery', 'agent', 0, 64, { by: 'day' }],
  ['costQuery', 'project', 0, 4096, { by: 'day' }],
  ['sessionParam', 'session', 1, 128],
  ['browserParam', 'browser', 1, 256],
  ['runParam', 'run', 1, 128],
  ['approvalParam', 'approval', 1, 256, { run: 'r' }],
  ['tokenRequest', 'name', 1, 64, { scopes: [] }],
  ['tokenParam', 'token', 1, 64],
  ['auditQuery', 'principal', 1, 128],
  ['auditQuery', 'subject', 0, 256],
  ['auditQuery', 'cursor', 0, 200],
  ['jobRequest', 'project', 1, 128, job],
  ['jobRequest', 'host', 1, 128, job],
  ['jobRequest', 'agent', 1, 64, job],
  ['jobRequest', 'prompt', 1, 10_000_000, job],
  ['jobRequest', 'model', 1, 128, job],
  ['jobRequest', 'effort', 1, 32, job],
  ['jobQuery', 'principal', 1, 128],
  ['jobParam', 'job', 1, 64],
  ['claimRequest', 'name', 1, 128, claim],
  ['jobNews', 'runId', 1, 128, { type: 'begin', fence: 0 }],
  ['jobNews', 'outcome', 1, 128, { type: 'end', fence: 0 }],
  ['jobNews', 'reason', 0, 2000, { type: 'refuse', fence: 0 }],
];

const takes = (name: keyof typeof schema, value: object) => schema[name].safeParse(value).success;

describe('a text', () => {
  test.each(texts)('%s.%s: %i to %i characters', (name, field, least, most, beside) => {
    const ofLength = (length: number) => takes(name, { ...beside, [field]: 'x'.repeat(length) });
    expect([least, most].map(ofLength)).toEqual([true, true]);
    expect([...(least > 0 ? [least - 1] : []), most + 1].filter(ofLength)).toEqual([]);
  });
});

/** Numbers: the greatest that are refused and the least that are taken. */
const numbers: [keyof typeof schema, field: string, taken: number[], refused: number[], beside?: object][] = [
  ['startRequest', 'timeoutMs', [1], [0, 1.5], start],
  ['startRequest', 'budgetUsd', [0.01], [0], start],
  ['startRequest', 'maxTurns', [1], [0, 1.5], start],
  ['sessionQuery', 'limit', [0, 200], [-1, 201, 1.5]],
  ['sessionQuery', 'since', [0], [-1]],
  ['sessionQuery', 'until', [0], [-1]],
  ['findQuery', 'limit', [0, 100], [-1, 101], { text: 'x' }],
  ['findQuery', 'minUsd', [0, 0.5], [-0.5], { text: 'x' }],
  ['findQuery', 'maxUsd', [0, 0.5], [-0.5], { text: 'x' }],
  ['findQuery', 'since', [0], [-1], { text: 'x' }],
  ['findQuery', 'until', [0], [-1], { text: 'x' }],
  ['costQuery', 'since', [0], [-1], { by: 'day' }],
  ['costQuery', 'until', [0], [-1], { by: 'day' }],
  ['eventsQuery', 'from', [0], [-1, 0.5]],
  ['sessionQuery', 'minUsd', [0, 0.5], [-0.5]],
  ['decisionQuery', 'limit', [0, 500], [-1, 501]],
  ['changesQuery', 'turn', [0, 999_999], [-1, 1_000_000, 0.5]],
  ['changeLinesQuery', 'limit', [1, 200], [0, 201]],
  ['rewindRequest', 'turn', [0, 999_999], [-1, 1_000_000], { fingerprint: 'f' }],
  ['goOnRequest', 'at', [0, 8.64e15], [-1, 8.65e15]],
  ['startRequest', 'goOn', [1, 100], [0, 101], start],
  ['startRequest', 'budgetTokens', [1], [0, 1.5], start],
  ['tokenRequest', 'lifeMs', [1], [0, 1.5], { name: 'n', scopes: [] }],
  ['auditQuery', 'limit', [0, 1000], [-1, 1001]],
  ['jobQuery', 'limit', [0, 1000], [-1, 1001]],
  ['jobRequest', 'timeoutMs', [1], [0, 1.5], job],
  ['jobRequest', 'budgetUsd', [0.01], [0], job],
  ['jobRequest', 'budgetTokens', [1], [0, 1.5], job],
  ['jobRequest', 'maxTurns', [1], [0, 1.5], job],
  ['claimRequest', 'capacity', [1, 1000], [0, 1001], claim],
  ['claimRequest', 'busy', [0, 1000], [-1, 1001], claim],
  ['claimRequest', 'waitMs', [0, 60_000], [-1, 60_001], claim],
];

describe('a number', () => {
  test.each(numbers)('%s.%s: %j, and not %j', (name, field, taken, refused, beside) => {
    expect(taken.filter((value) => !takes(name, { ...beside, [field]: value }))).toEqual([]);
    expect(refused.filter((value) => takes(name, { ...beside, [field]: value }))).toEqual([]);
  });
});

const path = (length: number) => `/${'x'.repeat(length - 1)}`;

test.each<[what: string, most: number, made: (count: number) => object]>([
  ['places to set', 4096, (count) => ({ changes: { set: { [path(count)]: 1 } } })],
  ['places to remove', 4096, (count) => ({ changes: { remove: [path(count)] } })],
  ['removals', 1000, (count) => ({ changes: { remove: Array(count).fill('/x') } })],
  ['suggestions', 100, (count) => ({ remember: Array(count).fill(0) })],
])('an approval has bounds: %s %i', (_, most, made) => {
  expect([most, most + 1].map((count) => takes('approveRequest', made(count)))).toEqual([true, false]);
});

const filled = (count: number, value: unknown) => Array(count).fill(value);

test.each<[keyof typeof schema, what: string, most: number, made: (count: number) => object]>([
  ['tokenRequest', 'scopes', 16, (count) => ({ name: 'n', scopes: filled(count, 'view') })],
  ['tokenRequest', 'letters of a scope', 32, (count) => ({ name: 'n', scopes: ['x'.repeat(count)] })],
  ['tokenRequest', 'projects', 100, (count) => ({ name: 'n', scopes: [], projects: filled(count, 'p') })],
  ['jobRequest', 'labels', 100, (count) => ({ ...job, labels: filled(count, 'l') })],
  ['claimRequest', 'labels', 100, (count) => ({ ...claim, labels: filled(count, 'l') })],
  ['beatRequest', 'jobs', 1000, (count) => ({ holds: filled(count, { id: 'j', fence: 0 }) })],
  ['startRequest', 'attachments', 10, (count) => ({ ...start, attachments: filled(count, 'a'.repeat(32)) })],
])('%s has bounds: %s %i', (name, _, most, made) => {
  expect([0, 1, most, most + 1].map((count) => takes(name, made(count)))).toEqual([true, true, true, false]);
});

test('what nobody knows is refused in a body', () => {
  for (const [name, value] of [
    ['startRequest', start],
    ['sayRequest', { text: 'x' }],
    ['approveRequest', { changes: {} }],
    ['denyRequest', {}],
    ['answerRequest', { answers: {} }],
    ['loginRequest', login],
    ['loginRequest', again],
    ['tokenRequest', { name: 'n', scopes: [] }],
    ['jobRequest', job],
    ['claimRequest', claim],
    ['beatRequest', { holds: [] }],
    ['jobNews', { type: 'end', fence: 0, outcome: 'x' }],
  ] as const) {
    expect([takes(name, value), takes(name, { ...value, more: 1 })], name).toEqual([true, false]);
  }
  expect(takes('approveRequest', { changes: { more: 1 } })).toBe(false);
  expect(takes('approveRequest', { remember: [-1] })).toBe(false);
});

test.each<[keyof typeof schema, field: string, words: string[], beside?: object]>([
  ['startRequest', 'permission', ['ask', 'accept-edits', 'plan', 'deny', 'bypass'], start],
  ['sessionQuery', 'state', ['running', 'waiting', 'ended']],
  ['findQuery', 'order', ['relevance', 'newest'], { text: 'x' }],
  ['costQuery', 'by', ['day', 'project', 'agent', 'model', 'tool']],
  ['exportQuery', 'format', ['html', 'markdown']],
])('%s.%s: one of these words', (name, field, words, beside) => {
  expect([...words, '', 'x'].filter((word) => takes(name, { ...beside, [field]: word }))).toEqual(words);
});
