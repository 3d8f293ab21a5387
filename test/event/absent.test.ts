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

test('a name that would change what an object is stays a name', () => {
  const facts = { ...JSON.parse('{"__proto__":{"odd":1},"name":"a"}'), text: undefined } as Facts;
  const kept = defined<Facts>(facts);
  expect(Object.keys(kept)).toEqual(['__proto__', 'name']);
  expect(kept).not.toHaveProperty('odd');
});
