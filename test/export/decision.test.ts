/** What a person decided stands in an export, and is found by its words. */
import { expect, test } from 'vitest';
import type { Payload } from '../../src/event/index.js';
import { exportSession } from '../../src/export/index.js';
import { stamp } from '../../src/store/conformance/events.js';
import { openStore } from '../../src/store/index.js';

const decider = { by: 'person', who: 'ada', via: 'page' } as const;
const questions = [{ question: 'Which database shall the sessions live in?', header: 'Database' }];
const payloads: Payload[] = [
  { type: 'turn-start' },
  { type: 'approval-request', id: 'q1', kind: 'question', questions },
  {
    type: 'approval-resolve',
    id: 'q1',
    decision: 'answer',
    ...decider,
    answers: { [questions[0]?.question ?? '']: 'Redis' },
  },
  { type: 'tool-start', id: 't1', name: 'Bash', kind: 'execute' },
  { type: 'tool-input-end', id: 't1', input: { command: 'rm x' }, summary: 'rm x', command: 'rm x' },
  { type: 'approval-request', id: 'q2', kind: 'tool', toolId: 't1', toolName: 'Bash' },
  { type: 'approval-resolve', id: 'q2', decision: 'allow', ...decider, changes: { set: { '/command': 'ls zebra' } } },
  { type: 'tool-end', id: 't1', status: 'ok', output: 'done' },
];
const events = stamp({ runId: 'r' }, payloads);

test('who decided what, and how it was changed', () => {
  const text = exportSession(events, { format: 'markdown', title: 'Title' });
  expect(text).toContain('Answered by ada on the page · Which database shall the sessions live in? · Database: Redis');
  expect(text).toContain('Allowed with changes by ada on the page · command: ls zebra');
});

test.each(['redis', 'zebra', 'database'])('%s is found', async (words) => {
  const store = await openStore(':memory:');
  await store.append(events);
  expect((await store.search({ text: words })).items).toHaveLength(1);
  await store.close();
});
