/** What Droid asks, to the letter: what stands before a person, and which words answer it. */
import { describe, expect, test } from 'vitest';
import { askFrom } from '../../../src/agent/droid/ask.js';

type Use = { name?: string; input?: object; id?: string };

const permission = (uses: Use[], more: { details?: object; options?: object[] } = {}) => {
  const toolUses = uses.map((toolUse) => ({ toolUse, ...(more.details && { details: more.details }) }));
  const ask = askFrom('droid.request_permission', { toolUses, ...(more.options && { options: more.options }) });
  if (!ask) throw new Error('not asked');
  return ask;
};

const shell = { name: 'Execute', id: 'c', input: { command: 'ls' } };
const always = [
  { value: 'proceed_once', label: 'Yes' },
  { value: 'proceed_always', label: 'Yes, for `ls`' },
];

describe('permission', () => {
  test('for one call says which, why it is asked and what it touches', () => {
    expect(permission([shell], { details: { riskLevelReason: 'it lists' } }).request).toEqual({
      kind: 'tool',
      toolId: 'c',
      toolName: 'Execute',
      toolKind: 'execute',
      input: { command: 'ls' },
      summary: 'ls',
      reason: 'it lists',
      command: 'ls',
    });
    expect(permission([{}]).request).toMatchObject({ kind: 'tool', toolName: 'tool', toolKind: 'other' });
  });

  test('for several calls is one question about all of them, of no kind that a rule could allow', () => {
    const read = { name: 'Read', id: 'd', input: { file_path: '/a' } };
    expect(permission([shell, read]).request).toEqual({
      kind: 'tool',
      toolName: 'Execute + Read',
      toolKind: 'other',
      input: [
        { name: 'Execute', input: { command: 'ls' } },
        { name: 'Read', input: { file_path: '/a' } },
      ],
      summary: 'Execute + Read',
      calls: [
        { toolId: 'c', toolName: 'Execute', toolKind: 'execute', command: 'ls' },
        { toolId: 'd', toolName: 'Read', toolKind: 'read', paths: ['/a'] },
      ],
      command: 'ls',
      paths: ['/a'],
    });
  });

  test('for a plan shows it, from where it stands', () => {
    const plan = { name: 'ExitSpecMode', id: 'p', input: { plan: 'of the call' } };
    expect(permission([plan]).request).toMatchObject({ kind: 'plan', toolId: 'p', plan: 'of the call' });
    expect(permission([plan], { details: { plan: 'as shown' } }).request).toMatchObject({ plan: 'as shown' });
  });

  test('lasts only where that is offered and chosen', () => {
    const once = permission([shell], { options: always.slice(0, 1) });
    expect(once.request).not.toHaveProperty('suggestions');
    const ask = permission([shell], { options: always });
    expect(ask.request).toMatchObject({
      suggestions: [{ allows: 'other', what: ['Yes, for `ls`'], lasts: 'session' }],
    });
    const unnamed = permission([shell], { options: [{ value: 'proceed_always' }] });
    expect(unnamed.request).toMatchObject({ suggestions: [{ what: ['calls of this kind'] }] });
    const by = { by: 'person' } as const;
    expect(ask.reply({ type: 'approve', id: 'a', ...by })).toEqual({ selectedOption: 'proceed_once' });
    expect(ask.reply({ type: 'approve', id: 'a', remember: [0], ...by })).toEqual({ selectedOption: 'proceed_always' });
    expect(ask.reply({ type: 'deny', id: 'a', ...by })).toEqual({ selectedOption: 'cancel' });
    expect(ask.cancelled).toEqual({ selectedOption: 'cancel' });
  });
});

describe('questions', () => {
  const questions = [
    { index: 1, question: 'Which?', topic: 'Colour', options: ['A', 'B'], multiSelect: true },
    { index: 2, question: 'Why?' },
  ];
  const ask = askFrom('droid.ask_user', { toolCallId: 'c', questions });

  test('are asked with their choices', () => {
    expect(ask?.request).toEqual({
      kind: 'question',
      toolId: 'c',
      questions: [
        { question: 'Which?', header: 'Colour', options: [{ label: 'A' }, { label: 'B' }], multiple: true },
        { question: 'Why?', options: [] },
      ],
    });
  });

  test('are answered by their numbers, several choices in one text', () => {
    const by = { by: 'person' } as const;
    const nothing = { cancelled: true, answers: [] };
    expect(ask?.reply({ type: 'answer', id: 'a', answers: { 'Which?': ['A', 'B'] }, ...by })).toEqual({
      cancelled: false,
      answers: [
        { index: 1, question: 'Which?', answer: 'A, B' },
        { index: 2, question: 'Why?', answer: '' },
      ],
    });
    expect(ask?.reply({ type: 'deny', id: 'a', ...by })).toEqual(nothing);
    expect(ask?.cancelled).toEqual(nothing);
  });
});

test('nothing else is a question', () => {
  expect(askFrom('droid.other', {})).toBeUndefined();
});
