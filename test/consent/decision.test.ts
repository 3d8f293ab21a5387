import { expect, test } from 'vitest';
import { changeTexts, decisionText, saidText } from '../../src/consent/index.js';
import { defined, type EventOf, type Loose } from '../../src/event/index.js';

type Resolution = EventOf<'approval-resolve'>;

const stamp = { seq: 1, at: 0, runId: 'r', agent: 'a', source: 'stream', turn: 1 } as const;
const resolve = (facts: Pick<Resolution, 'decision' | 'by'> & Loose<Partial<Resolution>>): Resolution =>
  ({ type: 'approval-resolve', id: 'q', ...stamp, ...defined<Partial<Resolution>>(facts) }) as Resolution;

test.each<[string, Resolution]>([
  ['Allowed by ada on the page', resolve({ decision: 'allow', by: 'person', who: 'ada', via: 'page' })],
  ['Allowed by a person', resolve({ decision: 'allow', by: 'person' })],
  ['Allowed by a program', resolve({ decision: 'allow', by: 'person', who: 'program', via: 'program' })],
  ['Allowed by ci through a program', resolve({ decision: 'allow', by: 'person', who: 'ci', via: 'program' })],
  ['Allowed by a person through a program', resolve({ decision: 'allow', by: 'person', via: 'program' })],
  [
    'Allowed from now on by ada at the terminal',
    resolve({ decision: 'allow-always', by: 'person', who: 'ada', via: 'terminal' }),
  ],
  ['Allowed with changes by ada', resolve({ decision: 'allow', by: 'person', who: 'ada', changes: { set: {} } })],
  ['Denied by the rule deny path=**/.env', resolve({ decision: 'deny', by: 'rule', rule: 'deny path=**/.env' })],
  ['Allowed by a hook', resolve({ decision: 'allow', by: 'rule', rule: 'hook' })],
  ['Denied because nobody answered in time', resolve({ decision: 'deny', by: 'timeout' })],
  ['Denied because nobody was there to be asked', resolve({ decision: 'deny', by: 'nobody' })],
  ['Denied elsewhere', resolve({ decision: 'deny', by: 'unknown' })],
  ['Settled, nobody told how', resolve({ decision: 'unknown', by: 'unknown' })],
])('%s', (words, resolution) => {
  expect(decisionText(resolution)).toBe(words);
});

test('answers by the short names of their questions', () => {
  const questions = [
    { question: 'Which database shall the sessions live in?', header: 'Database' },
    { question: 'What else?', header: 'Extras', multiple: true },
    { question: 'Why?' },
  ];
  const request: EventOf<'approval-request'> = {
    type: 'approval-request',
    id: 'q',
    kind: 'question',
    questions,
    ...stamp,
  };
  const answers = {
    'Which database shall the sessions live in?': 'Redis',
    'What else?': ['Metrics', 'Audit log'],
    'Why?': 'because',
  };
  expect(saidText(request, resolve({ decision: 'answer', by: 'person', answers }))).toBe(
    'Database: Redis · Extras: Metrics, Audit log · Why?: because',
  );
});

test('fields of a form by their titles, and the reason of a refusal', () => {
  const answerSchema = { properties: { n: { type: 'number', title: 'How many' } } };
  const request: EventOf<'approval-request'> = {
    type: 'approval-request',
    id: 'q',
    kind: 'elicitation',
    answerSchema,
    ...stamp,
  };
  expect(saidText(request, resolve({ decision: 'answer', by: 'person', answers: { n: 3, ok: true } }))).toBe(
    'How many: 3 · ok: true',
  );
  expect(saidText(request, resolve({ decision: 'deny', by: 'person', message: 'not today' }))).toBe('not today');
  expect(saidText(undefined, resolve({ decision: 'allow', by: 'person' }))).toBe('');
});

test('what is allowed from now on, each scope that was taken', () => {
  const remembered: Resolution['remembered'] = [
    { allows: 'command', what: ['touch one.txt'], lasts: 'project', file: '.claude/settings.local.json' },
    { allows: 'mode', what: ['accept-edits'], lasts: 'session' },
  ];
  expect(saidText(undefined, resolve({ decision: 'allow-always', by: 'person', remembered }))).toBe(
    'the command `touch one.txt` in this project from now on, written to .claude/settings.local.json · all edits of files until this session ends',
  );
});

test('a record of another version is told as far as it goes', () => {
  const remembered = [null, { allows: 'constructor', lasts: 7 }] as unknown as Resolution['remembered'];
  expect(saidText(undefined, resolve({ decision: 'allow-always', by: 'person', remembered }))).toBe(
    'the like for as long as the agent remembers it',
  );
});

test('changes by the fields that they name', () => {
  const changes = { set: { '/command': 'ls', '/a~1b/0': { c: 1 }, '': 7 }, remove: ['/env'] };
  expect(changeTexts(changes)).toEqual(['command: ls', 'a/b/0: {"c":1}', 'all of it: 7', 'env: removed']);
});
