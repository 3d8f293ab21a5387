/** A session that went back and forth between programs is exported in the order in which it happened. */
import { expect, onTestFinished, test } from 'vitest';
import { exportKept } from '../../src/server/export-kept.js';
import { START, stamp } from '../../src/store/conformance/events.js';
import { openStore } from '../../src/store/index.js';

const turn = (number: number, text: string) => [
  { type: 'turn-start' as const, turn: number },
  { type: 'message-start' as const, messageId: `m${number}`, turn: number },
  { type: 'text-end' as const, messageId: `m${number}`, index: 0, text, turn: number },
  { type: 'message-end' as const, messageId: `m${number}`, turn: number },
  { type: 'turn-end' as const, outcome: 'success' as const, turn: number },
];

test.each(['markdown', 'html'] as const)('there, here and there again, as %s', async (format) => {
  const store = await openStore(':memory:');
  onTestFinished(() => store.close());
  const read = { runId: 'read', sessionId: 'a1' };
  await store.append(stamp({ ...read, at: START }, turn(1, 'first word')));
  await store.append(stamp({ runId: 'own', sessionId: 'a1', at: START + 5000 }, turn(1, 'second word')));
  await store.append(stamp({ ...read, at: START + 10_000, firstSeq: 6 }, turn(2, 'third word')));
  const [session] = (await store.list()).items;
  if (!session) throw new Error('nothing is kept');
  const { text } = await exportKept(store, session, format);
  const order = [...new Set(text.match(/(first|second|third) word/g))];
  expect(order).toEqual(['first word', 'second word', 'third word']);
});
