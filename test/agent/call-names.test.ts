import { expect, test } from 'vitest';
import { createChronicle } from '../../src/agent/chronicle/chronicle.js';

const tool = { name: 'Bash', kind: 'execute' } as const;

test('an id that is given to a second call names two calls', () => {
  const chronicle = createChronicle();
  for (const [messageId, output] of [
    ['m1', 'first'],
    ['m2', 'second'],
    ['m2', 'repeated'],
    ['m3', 'third'],
  ]) {
    chronicle.startTool('t', { ...tool, messageId });
    chronicle.inputTool('t', {});
    chronicle.ask(`ask-${output}`, { request: { kind: 'tool', toolId: 't' }, reply: () => ({}) }, () => {});
    chronicle.write({ type: 'status', code: 'of a sub-agent' }, 't');
    chronicle.endTool('t', { status: 'ok', output });
  }
  const drafts = chronicle.take();
  const ends = drafts.flatMap((draft) => (draft.type === 'tool-end' ? [`${draft.id}: ${draft.output}`] : []));
  expect(ends).toEqual(['t: first', 't#2: second', 't#3: third']);
  expect(drafts.flatMap((draft) => (draft.type === 'approval-request' ? [draft.toolId] : []))).toEqual([
    't',
    't#2',
    't#2',
    't#3',
  ]);
  expect(drafts.flatMap((draft) => (draft.type === 'status' ? [draft.parent] : []))).toEqual([
    't',
    't#2',
    't#2',
    't#3',
  ]);
});

test('a name that a call has already is given to no other', () => {
  const chronicle = createChronicle();
  for (const [id, messageId] of [
    ['t', 'm1'],
    ['t#2', 'm1'],
    ['t', 'm2'],
  ] as const) {
    chronicle.startTool(id, { ...tool, messageId });
    chronicle.endTool(id, { status: 'ok' });
  }
  const ids = chronicle.take().flatMap((draft) => (draft.type === 'tool-start' ? [draft.id] : []));
  expect(ids).toEqual(['t', 't#2', 't#3']);
});
