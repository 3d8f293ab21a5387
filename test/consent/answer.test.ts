/** What a person fills in: numbers mean choices, what cannot be meant is refused with words. */
import { describe, expect, it, test } from 'vitest';
import { type Field, fieldsOf, promptFor, type Read, readFilled, readTyped } from '../../src/consent/index.js';
import type { Question } from '../../src/event/index.js';

const colour: Question = {
  question: 'Which colour?',
  header: 'Colour',
  options: [{ label: 'Red' }, { label: 'Blue' }, { label: '7' }],
};
const only = (fields: readonly Field[]): Field => fields[0] ?? expect.fail('a field is missing');
const asked = (more: Partial<Question> = {}) => only(fieldsOf({ questions: [{ ...colour, ...more }] }));
const form = (facts: object, required = false) =>
  only(fieldsOf({ answerSchema: { properties: { age: facts }, ...(required && { required: ['age'] }) } }));

describe('a line that was typed', () => {
  it.each<[string, Field, string, Read]>([
    ['a number', asked(), '2', { value: 'Blue' }],
    ['a choice by its name', asked(), 'red', { value: 'Red' }],
    ['a choice that is called like a number', asked(), '7', { value: '7' }],
    ['own words', asked(), ' green, I think ', { value: 'green, I think' }],
    ['a number that is not there', asked(), '9', { problem: 'There is no 9: choose 1 to 3, or say it in words.' }],
    ['no number at all', asked(), '0', { problem: 'There is no 0: choose 1 to 3, or say it in words.' }],
    ['nothing', asked(), '  ', { problem: '"Colour" is not answered yet.' }],
    ['several where one is asked for', asked(), '1, 2', { problem: 'Only one can be chosen, 1 to 3.' }],
    ['several', asked({ multiple: true }), '2, 1', { value: 'Blue, Red' }],
    ['several and own words', asked({ multiple: true }), '1, green', { value: 'Red, green' }],
    [
      'several, one of which is not there',
      asked({ multiple: true }),
      '1, 9',
      { problem: 'There is no 9: choose 1 to 3, or say it in words.' },
    ],
    ['a number where there are no choices', asked({ options: [] }), '9', { value: '9' }],
    ['a whole number', form({ type: 'integer' }), '36', { value: 36 }],
    ['a broken one', form({ type: 'integer' }), '3.6', { problem: '"age" wants a whole number.' }],
    ['no number', form({ type: 'number' }), 'old', { problem: '"age" wants a number.' }],
    ['yes', form({ type: 'boolean' }), 'Yes', { value: true }],
    ['no', form({ type: 'boolean' }), 'n', { value: false }],
    ['neither', form({ type: 'boolean' }), 'perhaps', { problem: 'Say y or n.' }],
    ['one of a list', form({ enum: ['small', 'large'] }), '2', { value: 'large' }],
    ['a number of a list', form({ type: 'integer', enum: [10, 20] }), '20', { value: 20 }],
    ['none of a list', form({ enum: ['small', 'large'] }), 'medium', { problem: 'Choose 1 to 2.' }],
    ['nothing for what may be left out', form({ type: 'boolean' }), '', {}],
    ['nothing for what is needed', form({ type: 'integer' }, true), '', { problem: '"age" is not answered yet.' }],
    ['nothing where something is proposed', form({ type: 'integer', default: 3 }), '', { value: 3 }],
    ['a secret as it is', form({ type: 'string', format: 'password' }), ' a ', { value: ' a ' }],
  ])('%s', (_, field, line, expected) => {
    expect(readTyped(field, line)).toEqual(expected);
  });
});

test('the prompt says which ways there are, and what Enter does', () => {
  expect(promptFor(asked())).toBe('Your answer (1 to 3, or your own words): ');
  expect(promptFor(asked({ multiple: true }))).toBe('Your answer (1 to 3, several with commas, or your own words): ');
  expect(promptFor(asked({ options: [] }))).toBe('Your answer: ');
  expect(promptFor(form({ type: 'boolean' }))).toBe('Your answer (y or n, Enter leaves it out): ');
  expect(promptFor(form({ enum: ['a'], default: 'a' }, true))).toBe('Your answer (1, Enter takes a): ');
});

test('a form gives its fields under the same rules', () => {
  expect(readFilled(asked(), { chosen: ['Red'], own: '' })).toEqual({ value: 'Red' });
  expect(readFilled(asked(), { chosen: ['Red'], own: 'green' })).toEqual({ value: 'green' });
  expect(readFilled(asked({ multiple: true }), { chosen: ['Red', 'Blue'], own: 'green' })).toEqual({
    value: 'Red, Blue, green',
  });
  expect(readFilled(asked(), { chosen: [], own: ' ' })).toEqual({ problem: '"Colour" is not answered yet.' });
  expect(readFilled(form({ type: 'boolean' }), { chosen: [], own: '' })).toEqual({ value: false });
  expect(readFilled(form({ type: 'string' }), { chosen: [], own: '' })).toEqual({});
});

test('a schema of whatever shape gives fields', () => {
  expect(
    fieldsOf({ answerSchema: { properties: { a: { type: 'integer', default: 3 }, b: 7 }, required: ['a'] } }),
  ).toMatchObject([
    { name: 'a', type: 'integer', initial: '3', isRequired: true },
    { name: 'b', title: 'b', type: 'text', isRequired: false },
  ]);
  for (const odd of [undefined, null, 'x', { properties: 1 }]) expect(fieldsOf({ answerSchema: odd })).toEqual([]);
});
