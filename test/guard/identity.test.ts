/** No string of an event is unbounded or carries a secret, ids and names included, and what belongs together still does. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Draft } from '../../src/event/index.js';
import { createGuard } from '../../src/guard/index.js';
import { sha256 } from '../../src/guard/sha256.js';
import { ownRecordings } from '../support/recordings.js';

const KEY = `sk-ant-${'api03'}-${'x1Y2z3'.repeat(10)}`;
const LONG = 'é'.repeat(200);
const turn = 1;

describe('an id', () => {
  test.each([
    ['a tool call', 'toolu_01A09q90qw90lq917835lq9'],
    ['a session', '550e8400-e29b-41d4-a716-446655440000'],
    ['256 bytes', 'x'.repeat(256)],
    ['128 characters of two bytes', 'é'.repeat(128)],
  ])('stays as it is: %s', (_, id) => {
    const draft: Draft = { type: 'tool-progress', id, sessionId: id, parent: id, turn };
    expect(createGuard().pass(draft)[0]).toBe(draft);
  });

  test.each([
    ['holds a secret', KEY],
    ['is one of 2 MB', 'x'.repeat(2_000_000)],
    ['has 257 bytes', 'x'.repeat(257)],
    ['has few characters of many bytes', LONG],
    ['has U+0000', 'a\0b'],
  ])('that %s is the same short digest in every event', (_, id) => {
    const guard = createGuard();
    const drafts: Draft[] = [
      { type: 'tool-start', id, name: 'Bash', kind: 'execute', messageId: id, sessionId: id, turn },
      { type: 'tool-input-delta', id, text: 'a ', turn },
      { type: 'tool-end', id, status: 'ok', taskId: id, parent: id, turn },
      { type: 'session-change', previousId: id, newId: id, reason: 'fork', turn },
      { type: 'file-change', toolId: id, path: 'a', kind: 'edit', turn },
      { type: 'turn-end', outcome: 'success', openTasks: [id, 'b'], denials: [{ toolName: 'x', toolId: id }], turn },
      { type: 'todo-update', todos: [{ id, text: 'a', status: 'done' }], turn },
    ];
    const before = JSON.stringify(drafts);
    const passed = drafts.flatMap((draft) => guard.pass(draft));
    const names = new Set(JSON.stringify(passed).match(/withheld-id-[0-9a-f]{32}(?=")/g));
    expect(names.size).toBe(1);
    const [name = ''] = names;
    expect(JSON.stringify(passed)).toBe(before.replaceAll(JSON.stringify(id), JSON.stringify(name)));
    expect(JSON.stringify(drafts), 'the drafts themselves are not changed').toBe(before);
  });

  test.each<[string, Partial<Draft>]>([
    ['the tasks that are open', { openTasks: ['b', KEY] }],
    ['where it can go on', { resumeAt: KEY }],
    ['where it can go on, which is fit', { resumeAt: 'b', openTasks: [KEY] }],
    ['what was denied', { denials: [{ toolName: 'x' }, { toolName: 'x', toolId: KEY }] }],
    ['tasks, with denials that are fit', { openTasks: [KEY], denials: [{ toolName: 'x', toolId: 'b' }] }],
    ['denials, with tasks that are fit', { openTasks: ['b'], denials: [{ toolName: 'x', toolId: KEY }] }],
  ])('is withheld at the end of a turn in %s', (_, lists) => {
    const [shown] = createGuard().pass({ type: 'turn-end', outcome: 'success', turn, ...lists } as Draft);
    const wanted = JSON.stringify(lists).replaceAll(KEY, `withheld-id-${sha256(KEY).slice(0, 32)}`);
    expect(shown).toEqual({ type: 'turn-end', outcome: 'success', turn, ...JSON.parse(wanted) });
  });

  test('is no reason to copy an event in which nothing changes', () => {
    const draft: Draft = { type: 'tool-end', id: 'a', status: 'ok', output: 'some words', turn };
    expect(createGuard().pass(draft)[0]).toBe(draft);
  });

  test('is another digest for another id, also where both are remembered', () => {
    const guard = createGuard();
    const ids = Array.from({ length: 3_000 }, (_, number) => `${number}`.padEnd(300, 'x'));
    const shown = ids.flatMap((id) => guard.pass({ type: 'tool-progress', id, turn }));
    expect(new Set(shown.map((draft) => 'id' in draft && draft.id)).size).toBe(3_000);
  });

  test('is bounded, but not looked into, where redaction is off', () => {
    const guard = createGuard({ redact: false });
    expect(guard.pass({ type: 'tool-progress', id: KEY, turn })).toMatchObject([{ id: KEY }]);
    expect(guard.pass({ type: 'tool-progress', id: LONG, turn })).toMatchObject([
      { id: expect.stringMatching(/^with/) },
    ]);
  });

  test('of an approval leads back to its original while it is open', () => {
    const guard = createGuard();
    const [asked] = guard.pass({ type: 'approval-request', id: KEY, kind: 'tool', turn });
    const id = asked && 'id' in asked ? (asked.id ?? '') : '';
    expect(id).toMatch(/^withheld-id-/);
    expect(guard.originalId(id)).toBe(KEY);
    expect(guard.originalId('other')).toBe('other');
    guard.pass({ type: 'approval-withdraw', id: KEY, why: 'agent', turn });
    expect(guard.originalId(id)).toBe(id);
  });
});

describe('every string of every recorded event', () => {
  const drafts = recordedDrafts();

  test('can carry no secret', () => {
    expect(drafts.length).toBeGreaterThan(100);
    for (const draft of drafts) {
      for (const place of stringsOf(draft)) {
        const guard = createGuard();
        const passed = [...guard.pass(withString(draft, place, `a ${KEY}`)), ...guard.end()];
        expect(JSON.stringify(passed), `${draft.type} ${place.join('.')}`).not.toContain(KEY.slice(0, 24));
      }
    }
  });

  test('is bounded', () => {
    for (const draft of drafts) {
      for (const place of stringsOf(draft)) {
        const guard = createGuard({ maxFieldBytes: 1_000, maxEventBytes: 8_000 });
        const given = withString(draft, place, 'x '.repeat(10_000));
        const passed = [...guard.pass(given), ...guard.end()];
        for (const event of passed) {
          expect(JSON.stringify(event).length, `${draft.type} ${place.join('.')}`).toBeLessThan(16_000);
        }
      }
    }
  });

  test('has no U+0000, with redaction and without', () => {
    for (const draft of drafts) {
      for (const place of stringsOf(draft)) {
        for (const redact of [true, false]) {
          const guard = createGuard({ redact });
          const passed = [...guard.pass(withString(draft, place, 'a\0b ')), ...guard.end()];
          expect(JSON.stringify(passed), `${draft.type} ${place.join('.')}`).not.toContain('\\u0000');
        }
      }
    }
  });
});

test.each<[string, Draft, unknown]>([
  ['a text', { type: 'text-end', messageId: 'm', index: 0, text: 'a\0b', turn }, { text: 'a\ufffdb' }],
  ['a delta', { type: 'text-delta', messageId: 'm', index: 0, text: 'a\0b ', turn }, { text: 'a\ufffdb ' }],
  [
    'a name of an input',
    { type: 'tool-input-end', id: 't', input: { 'a\0': 'b' }, summary: '', turn },
    { input: { 'a\ufffd': 'b' } },
  ],
])('U+0000 becomes the replacement character in %s', (_, draft, expected) => {
  for (const redact of [true, false]) expect(createGuard({ redact }).pass(draft)).toMatchObject([expected]);
});

test.each(['', 'abc', 'x'.repeat(26), 'x'.repeat(27), 'x'.repeat(28), 'é😀\ud800'.repeat(100)])(
  'the digest is SHA-256: %s',
  (text) => {
    const units = Buffer.from(text, 'utf16le').swap16();
    expect(sha256(text)).toBe(createHash('sha256').update(units).digest('hex'));
  },
);

/** One event per type and shape, from the repository's own recordings. */
function recordedDrafts(): Draft[] {
  const byShape = new Map<string, Draft>();
  for (const { folder } of ownRecordings()) {
    for (const line of readFileSync(path.join(folder, 'events.jsonl'), 'utf8').split('\n')) {
      if (line === '') continue;
      const { seq: _, at: __, runId: ___, agent: ____, source: _____, ...draft } = JSON.parse(line);
      byShape.set(`${draft.type} ${Object.keys(draft).sort().join(' ')}`, draft);
    }
  }
  return [...byShape.values()];
}

type Place = readonly (string | number)[];

/** All but the words of glassbox itself, which no agent can fill. */
function stringsOf(value: unknown, place: Place = []): Place[] {
  if (typeof value === 'string') return place[0] === 'type' || place[0] === 'stream' ? [] : [place];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => stringsOf(part, [...place, key]));
}

function withString(draft: Draft, place: Place, text: string): Draft {
  const copy = structuredClone(draft);
  let at: object = copy;
  for (const step of place.slice(0, -1)) at = Reflect.get(at, step);
  Reflect.set(at, place.at(-1) ?? '', text);
  return copy;
}
