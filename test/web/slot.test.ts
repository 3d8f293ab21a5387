/** Where cards stand: what blocks most first, and nothing moves while somebody is near. */
import { describe, expect, test } from 'vitest';
import type { Presence, SessionRecord, WaitingApproval } from '../../src/client/index.js';
import { aroundOf, askCards, byWeight, runCards } from '../../src/view/web/state/card.js';
import { LINE_MS, nextSlots, type Slot } from '../../src/view/web/state/slot.js';
import { waitedText } from '../../src/view/web/text/waited.js';

const record = (id: string, command: string, at = 0, facts: object = {}) =>
  ({
    runId: `run-${id}`,
    session: id,
    request: {
      type: 'approval-request',
      id,
      kind: 'tool',
      toolKind: 'execute',
      command,
      input: { command },
      agent: 'a',
      at,
      ...facts,
    },
  }) as unknown as WaitingApproval;

const names = (slots: readonly Slot[]) =>
  slots.map(
    ({ card, line }) => `${card.kind === 'ask' ? card.records[0].request.command : card.kind}${line ? ' !' : ''}`,
  );

describe('cards', () => {
  test('equal questions are one; what is cut, asked in words or by another agent stands alone', () => {
    const cards = askCards([
      record('1', 'ls'),
      record('2', 'ls'),
      record('3', 'ls', 0, { agent: 'b' }),
      record('4', 'ls', 0, { cuts: [{ path: '/input', bytes: 9 }] }),
      record('5', 'ls', 0, { cuts: [{ path: '/input', bytes: 9 }] }),
      record('6', 'ls', 0, { kind: 'question', questions: [{ question: 'Which?' }] }),
      record('7', 'ls', 0, { kind: 'question', questions: [{ question: 'Which?' }] }),
      record('8', 'ls', 0, { input: { command: 'ls', hidden: true } }),
      record('9', 'ls', 0, { alsoHere: ['1', '2'] }),
    ]);
    expect(cards.map(({ records }) => records.length)).toEqual([3, 1, 1, 1, 1, 1, 1]);
  });

  test('what holds up most agents comes first, then what waits longest; what asks nothing comes last', () => {
    const session = {
      id: 's',
      title: 't',
      state: 'running',
      waiting: 0,
      updatedAt: 0,
      runs: [],
    } as unknown as SessionRecord;
    const parked = runCards([session], { s: { state: 'parked', because: [], against: [] } });
    const cards = [
      ...parked,
      ...askCards([record('1', 'new', 9), record('2', 'old', 1), record('3', 'two', 5), record('4', 'two', 5)]),
    ];
    expect(
      cards.sort(byWeight).map((card) => (card.kind === 'ask' ? card.records[0].request.command : card.kind)),
    ).toEqual(['two', 'old', 'new', 'parked']);
  });

  test('who is at work in the same tree, on any system', () => {
    const session = (id: string, cwd: string, state = 'running') => ({ id, cwd, state, title: id }) as SessionRecord;
    const all = [session('1', '/a/b'), session('2', '/a'), session('3', '/a/bc'), session('4', '/a/b/c', 'ended')];
    expect(aroundOf([record('1', 'ls')], all)).toEqual({ beside: ['2 2'] });
    const windows = [session('1', 'C:\\a'), session('2', 'C:\\a\\b'), session('3', 'C:\\ab')];
    expect(aroundOf([record('1', 'ls')], windows)).toEqual({ beside: ['2 2'] });
  });

  test('what lies around each question of a card is told, who is at work once, and nobody who asks on it', () => {
    const session = (id: string) => ({ id, cwd: '/a', state: 'running', title: id }) as SessionRecord;
    const one = {
      ...record('1', 'ls', 0, { alsoHere: ['2 (codex)', '3 (claude)', '9 (claude)'] }),
      around: { ignored: ['x'] },
    };
    const two = { ...record('2', 'ls', 0, { alsoHere: ['1 (codex)', '3 (claude)'] }), around: { uncommitted: ['y'] } };
    expect(aroundOf([one, two], ['1', '2', '3', '4'].map(session))).toEqual({
      uncommitted: ['y'],
      ignored: ['x'],
      beside: ['3 3', '4 4', '9 (claude)'],
    });
    const sinceEnded = [...['1', '2', '4'].map(session), { ...session('3'), state: 'ended' } as SessionRecord];
    expect(aroundOf([one, two], sinceEnded).beside).toEqual(['4 4', '9 (claude)']);
  });
});

describe('places', () => {
  const [one, two] = [record('1', 'one', 1), record('2', 'two', 2)];

  test('near, new cards come at the end and what is gone stays as a line; away, the weightiest comes first', () => {
    const first = nextSlots([], askCards([one, two]), true, 0);
    expect(names(first)).toEqual(['one', 'two']);
    const heavy = [record('3', 'many', 3), record('4', 'many', 3)];
    const near = nextSlots(first, askCards([two, ...heavy]), false, 0);
    expect(names(near)).toEqual(['one !', 'two', 'many']);
    expect(names(nextSlots(near, askCards([two, ...heavy]), false, 10 * LINE_MS))).toEqual(['one !', 'two', 'many']);
    expect(names(nextSlots(near, askCards([two, ...heavy]), true, LINE_MS - 1))).toEqual(['one !', 'many', 'two']);
    expect(names(nextSlots(near, askCards([two, ...heavy]), true, LINE_MS))).toEqual(['many', 'two']);
  });

  test('what is asked again while its line is there is another card, in another place', () => {
    const first = nextSlots([], askCards([one, two]), true, 0);
    const gone = nextSlots(first, askCards([two]), false, 0);
    const again = nextSlots(gone, askCards([one, two]), false, 1);
    expect(names(again)).toEqual(['one !', 'two', 'one']);
    expect(new Set(again.map(({ id }) => id)).size).toBe(3);
  });

  test('what was said of a parked session is a line until it came true, and then a card if it did not', () => {
    const [session] = [
      { id: 'k7qd', runs: [], waiting: 0, state: 'ended', updatedAt: 1 },
    ] as unknown as SessionRecord[];
    const presence: Presence = { state: 'parked', because: [], against: [] };
    const cards = runCards([session as SessionRecord], { k7qd: presence });
    const [slot] = nextSlots([], cards, true, 0);
    const said = [{ ...slot, line: { text: 'Goes on', at: 0 } }] as Slot[];
    expect(nextSlots(said, cards, true, 1)).toHaveLength(1);
    expect(nextSlots(said, cards, true, LINE_MS)).toMatchObject([{ card: { kind: 'parked' } }]);
    expect(nextSlots(said, [], true, LINE_MS)).toEqual([]);
  });

  test('nothing new is nothing new', () => {
    const cards = askCards([one]);
    const first = nextSlots([], cards, true, 0);
    expect(nextSlots(first, cards, true, 1)).toBe(first);
  });
});

test.each([
  [9_000, '0:09'],
  [271_000, '4:31'],
  [7_500_000, '2:05:00'],
  [90_000_000, '1 day'],
  [-1, '0:00'],
] as const)('%d ms are %s', (ms, text) => expect(waitedText(ms)).toBe(text));
