import { describe, expect, it } from 'vitest';
import { applyChanges, type Changes, changesBetween } from '../../src/run/change.js';

const original = { command: 'ls', env: { token: 'secret', 'a/b': 1 }, list: ['x', 'y'] };

const applied: [title: string, changes: Changes, expected: unknown][] = [
  ['nothing', {}, original],
  ['one field', { '/command': 'pwd' }, { ...original, command: 'pwd' }],
  ['a deep field', { '/env/token': 'new' }, { ...original, env: { token: 'new', 'a/b': 1 } }],
  ['an escaped key', { '/env/a~1b': 2 }, { ...original, env: { token: 'secret', 'a/b': 2 } }],
  ['a new field', { '/more': true }, { ...original, more: true }],
  ['a removed field', { '/env': undefined }, { command: 'ls', list: ['x', 'y'] }],
  ['an item', { '/list/1': 'z' }, { ...original, list: ['x', 'z'] }],
  ['a new item', { '/list/-': 'z' }, { ...original, list: ['x', 'y', 'z'] }],
  ['a removed item', { '/list/0': undefined }, { ...original, list: ['y'] }],
  ['the whole', { '': 7 }, 7],
];

describe('changes', () => {
  it.each(applied)('apply: %s', (_, changes, expected) => {
    const before = structuredClone(original);
    expect(applyChanges(original, changes)).toEqual({ value: expected });
    expect(original).toEqual(before);
  });

  it.each([['command'], ['/command/deeper'], ['/list/7'], ['/list/x']])('refuse %s, which leads nowhere', (pointer) => {
    expect(applyChanges(original, { [pointer]: 1 })).toBeUndefined();
  });

  it('keep a key such as __proto__ a key', () => {
    const value = applyChanges({}, JSON.parse('{"/__proto__": {"polluted": true}}'))?.value;
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect({}).not.toHaveProperty('polluted');
  });

  it('decision 8 lead from what was shown to what was made of it, and leave a redacted field its original', () => {
    const shown = { ...original, env: { token: '[redacted]', 'a/b': 1 } };
    const edited = { ...shown, command: 'pwd', env: { token: '[redacted]', 'a/b': 2 } };
    const changes = changesBetween(shown, edited);
    expect(changes).toEqual({ '/command': 'pwd', '/env/a~1b': 2 });
    expect(applyChanges(original, changes)?.value).toMatchObject({ env: { token: 'secret', 'a/b': 2 } });
  });
});
