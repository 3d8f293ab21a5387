/** What Cline's own record of a session says of it: who has it, that it works, that it is over. */
import { expect, test } from 'vitest';
import { presence } from '../../../src/agent/cline/presence.js';

const record = {
  session_id: '17_a',
  pid: 8598,
  started_at: '2026-11-16T12:45:45.959Z',
  cwd: '/repo',
  interactive: false,
};
const begun = Date.parse(record.started_at);

test.each([
  ['works', { status: 'running' }, { process: { pid: 8598 }, says: 'working' }],
  ['works in a terminal', { status: 'running', interactive: true }, { process: { pid: 8598 }, says: 'working' }],
  [
    'rests in a terminal, or asks',
    { status: 'idle', interactive: true },
    { process: { pid: 8598 }, says: 'idle', isCoarse: true },
  ],
  [
    'asks',
    { status: 'pending', interactive: true },
    { process: { pid: 8598 }, says: 'waiting', for: { kind: 'approval', text: 'an answer' }, isCoarse: true },
  ],
  ['says nothing else', { status: 'idle' }, { process: { pid: 8598 } }],
  ['is over', { status: 'completed', ended_at: '2026-11-16T12:45:52.635Z' }, { says: 'ended', at: begun + 6676 }],
])('%s', (_, facts, told) => {
  const read = presence.registry?.read('17_a/17_a.json', { ...record, ...facts });
  expect(read).toMatchObject({ sessionId: '17_a', cwd: '/repo', text: facts.status, ...told });
  expect(read?.process === undefined).toBe(!('process' in told));
  expect(read?.says === undefined).toBe(!('says' in told));
});

test.each([[undefined], ['text'], [{}], [{ pid: 'x', started_at: record.started_at }], [{ pid: 1 }]])(
  'what is no record says nothing: %j',
  (value) => expect(presence.registry?.read('17_a/17_a.json', value)).toBeUndefined(),
);

test('only the record of a session is one', () => {
  const { files, read } = presence.registry ?? {};
  const names = ['17_a/17_a.json', '17_a/17_a.messages.json', '17_a/agent_18_b.json', '17_a/18_b.json'];
  expect(names.filter((name) => files?.test(name) && read?.(name, record))).toEqual(['17_a/17_a.json']);
});
