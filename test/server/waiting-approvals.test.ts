/** What stands beside a question that waits: the last words of who asks, and what git says of the files that it would change. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { ApprovalRecord } from '../../src/client/api.js';
import { createWaitingApprovals } from '../../src/server/waiting-approvals.js';
import { START, stamp } from '../../src/store/conformance/events.js';
import { openStore } from '../../src/store/index.js';
import { temporaryDirectory } from '../fake-agent/play.js';

const said = (text: string, more: object = {}) =>
  ({ type: 'text-end', messageId: `m${text.length}`, index: 0, text, ...more }) as const;
const question = (more: object = {}) => ({ type: 'approval-request', id: 'q', kind: 'tool', ...more }) as const;

async function waiting(...payloads: Parameters<typeof stamp>[1]) {
  const store = await openStore(':memory:');
  await store.startRun({ runId: 'r', agent: 'fake', startedAt: START });
  await store.append(stamp({ runId: 'r' }, [{ type: 'turn-start' }, ...payloads]));
  const list = await createWaitingApprovals(store).list();
  await store.close();
  return list;
}

test.each([
  ['the last paragraph', [said('At first.'), said('One.\n\nTwo\nlines.\n \nThe last.\n'), question()], 'The last.'],
  ['as much as is wanted', [said('y'.repeat(600)), question()], 'y'.repeat(600)],
  ['the end of what is longer', [said(`a${'y'.repeat(600)}`), question()], `…${'y'.repeat(600)}`],
  ['nothing when only blanks were said', [said(' \n'), question()], undefined],
  ['nothing when nothing was said', [question()], undefined],
  ['not what was said later', [said('before'), question(), said('after')], 'before'],
  ['not what a sub-agent said', [said('mine'), said('its own', { parent: 't' }), question()], 'mine'],
  [
    'for a sub-agent what that one said',
    [said('mine'), said('its own', { parent: 't' }), said('again mine'), question({ parent: 't' })],
    'its own',
  ],
] as const)('of the words before: %s', async (_, payloads, words) => {
  const [first] = await waiting(...payloads);
  expect(first?.request.id).toBe('q');
  expect(first?.said).toBe(words);
});

test('words are looked for so far back, and a question of a run that is gone stands alone', async () => {
  const record = { runId: 'r', session: 's', request: { ...question(), seq: 500 } } as unknown as ApprovalRecord;
  const asked: unknown[] = [];
  const store = {
    approvals: async () => [record],
    read: (...args: unknown[]) => {
      asked.push(args);
      throw new Error('it was removed');
    },
    session: async () => undefined,
  };
  const approvals = createWaitingApprovals(store as never);
  expect(await approvals.list()).toEqual([record]);
  expect(asked).toEqual([['r', 380]]);
  // Looked up once: whoever decides must not see it change.
  expect(await approvals.list(new Set(['s']))).toEqual([record]);
  expect(await approvals.list(new Set(['another']))).toEqual([]);
  expect(asked).toHaveLength(1);
});

test.each<[what: string, request: object, isTold: boolean]>([
  ['an edit', { edits: [{ path: 'a', kind: 'write', after: { text: 'x' } }] }, true],
  ['a call that edits', { toolKind: 'edit', paths: ['a'] }, true],
  ['one that deletes', { toolKind: 'delete', paths: ['a'] }, true],
  ['one that moves', { toolKind: 'move', paths: ['a'] }, true],
  ['one that reads', { toolKind: 'read', paths: ['a'] }, false],
])('what git says of the files is told of %s, where the agent runs here', async (_, request, isTold) => {
  const directory = temporaryDirectory();
  execFileSync('git', ['init', '-q'], { cwd: directory });
  writeFileSync(path.join(directory, 'a'), '');
  const [here] = await waiting(question({ directory, ...request }));
  expect(here?.around !== undefined).toBe(isTold);
  const [nowhere] = await waiting(question(request));
  expect(nowhere).not.toHaveProperty('around');
});
