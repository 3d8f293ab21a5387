import { expect, test } from 'vitest';
import { defined } from '../../src/event/index.js';

interface Facts {
  name: string;
  text?: string;
}

test('what is undefined is left out, and what is whole is not copied', () => {
  const whole: Facts = { name: 'a', text: '' };
  expect(defined<Facts>(whole)).toBe(whole);
  expect(Object.keys(defined<Facts>({ name: 'a', text: undefined }))).toEqual(['name']);
});
