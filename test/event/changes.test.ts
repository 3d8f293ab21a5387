import { describe, expect, it } from 'vitest';
import { applyChanges, type Changes, changesBetween, pointerTo, valueAt } from '../../src/event/index.js';

const original = { command: 'ls', env: { token: 'secret', 'a/b': 1 }, list: ['x', 'y'] };

const applied: [title: string, changes: Changes, expected: unknown][] = [
  ['nothing', {}, original],
  ['one field', { set: { '/command': 'pwd' } }, { ...original, command: 'pwd' }],
  ['a deep field', { set: { '/env/token': 'new' } }, { ...original, env: { token: 'new', 'a/b': 1 } }],
  ['an escaped key', { set: { '/env/a~1b': 2 } }, { ...original, env: { token: 'secret', 'a/b': 2 } }],
  ['a new field', { set: { '/more': true } }, { ...original, more: true }],
  ['a removed field', { remove: ['/env'] }, { command: 'ls', list: ['x', 'y'] }],
  ['an item', { set: { '/list/1': 'z' } }, { ...original, list: ['x', 'z'] }],
  ['a new item', { set: { '/list/-': 'z' } }, { ...original, list: ['x', 'y', 'z'] }],
  ['a removed item', { remove: ['/list/0'] }, { ...original, list: ['y'] }],
  ['both', { set: { '/command': 'pwd' }, remove: ['/env', '/list/1', '/list/0'] }, { command: 'pwd', list: [] }],
  ['the whole', { set: { '': 7 } }, 7],
];

describe('changes', () => {
  it.each(applied)('apply: %s', (_, changes, expected) => {
    const before = structuredClone(original);
    expect(applyChanges(original, changes)).toEqual({ value: expected });
    expect(original).toEqual(before);
  });

  it.each<[string, Changes]>([
    ['no pointer', { set: { command: 1 } }],
    ['below a text', { set: { '/command/deeper': 1 } }],
    ['behind the end', { set: { '/list/7': 1 } }],
    ['an index that is none', { set: { '/list/x': 1 } }],
    ['below a field that is not there', { set: { '/no/deeper': 1 } }],
    ['removing what is not there', { remove: ['/no'] }],
    ['removing behind the end', { remove: ['/list/2'] }],
    ['removing the whole', { remove: [''] }],
  ])('refuse %s', (_, changes) => {
    expect(applyChanges(original, changes)).toBeUndefined();
  });

  it('keep a key such as __proto__ a key', () => {
    const value = applyChanges({}, { set: JSON.parse('{"/__proto__": {"polluted": true}}') })?.value;
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect({}).not.toHaveProperty('polluted');
  });

  it('lead from what was shown to what was made of it, and leave a redacted field its original', () => {
    const shown = { ...original, env: { token: '[redacted]', 'a/b': 1 } };
    const edited = { ...shown, command: 'pwd', env: { token: '[redacted]', 'a/b': 2 } };
    const changes = changesBetween(shown, edited);
    expect(changes).toEqual({ set: { '/command': 'pwd', '/env/a~1b': 2 } });
    expect(applyChanges(original, changes ?? {})?.value).toMatchObject({ env: { token: 'secret', 'a/b': 2 } });
  });

  it('leave a redacted item of a list its original when another one is edited', () => {
    const edits = [{ text: 'secret' }, { text: 'b' }];
    const changes = changesBetween([{ text: '[redacted]' }, { text: 'b' }], [{ text: '[redacted]' }, { text: 'c' }]);
    expect(applyChanges(edits, changes ?? {})).toEqual({ value: [{ text: 'secret' }, { text: 'c' }] });
  });

  it.each<[string, unknown, unknown]>([
    ['fields', { a: 1, b: { c: 2 } }, { b: { d: 3 } }],
    ['a longer list', [1, 2], [1, 3, 4, 5]],
    ['a shorter list', [1, 2, 3, 4], [1]],
    ['a list that becomes an object', [1], { 0: 1 }],
    ['another kind of value', { a: 1 }, 'a'],
    ['nothing', { a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }],
  ])('lead there and nowhere else: %s', (_, shown, edited) => {
    expect(applyChanges(shown, changesBetween(shown, edited) ?? {})).toEqual({ value: edited });
  });

  it('are none where nothing was changed', () => {
    expect(changesBetween({ a: [1] }, { a: [1] })).toBeUndefined();
  });
});

describe('a pointer', () => {
  it.each<[string, unknown]>([
    ['', original],
    ['/env/a~1b', 1],
    ['/list/1', 'y'],
    ['/list/2', undefined],
    ['/command/0', undefined],
    ['/toString', undefined],
    ['command', undefined],
  ])('%s leads to its value', (pointer, value) => {
    expect(valueAt(original, pointer)).toBe(value);
  });

  it('escapes what would be read as a step', () => {
    expect(pointerTo('a/b', 0, '~')).toBe('/a~1b/0/~0');
  });
});
