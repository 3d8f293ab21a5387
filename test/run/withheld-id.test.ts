/** An approval whose id nobody may see is still answered, by the id that everybody sees. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { AgentEvent } from '../../src/event/index.js';
import type { RunHandle, RunRequest } from '../../src/run/index.js';
import { ask, init, result, toolResult, toolUse } from '../fake-agent/lines.js';
import { play, readAll, temporaryDirectory } from '../fake-agent/play.js';

const KEY = `sk-ant-${'api03'}-${'x1Y2z3'.repeat(10)}`;
const LONG = 'q'.repeat(10_000);
/** U+0000 is not shown, but what was asked is what is allowed. */
const input = { command: `echo ${KEY}`, content: 'a\0b' };

async function answered(id: string, onRequest: (id: string, handle: RunHandle) => void, request?: Partial<RunRequest>) {
  const log = path.join(temporaryDirectory(), 'log');
  const script = [
    init(),
    toolUse(id, 'Bash', input),
    ask(id, id, 'Bash', input),
    { hear: `"request_id":"${id}"` },
    toolResult(id, 'done'),
    result('done'),
  ];
  const handle = play(script, { ...request, env: { FAKE_AGENT_LOG: log } });
  const events = await readAll(handle, (event) => {
    if (event.type === 'approval-request') onRequest(event.id, handle);
  });
  const lines = readFileSync(log, 'utf8').trimEnd().split('\n');
  const replies = lines.map((line) => JSON.parse(line)).filter(({ type }) => type === 'control_response');
  return { events, replies };
}

test.each([
  ['a secret', KEY],
  ['too long', LONG],
])('an id that is %s', async (_, id) => {
  const { events, replies } = await answered(id, (shown, handle) => {
    expect(shown).toMatch(/^withheld-id-[0-9a-f]{32}$/);
    expect(handle.pending().map((request) => request.id)).toEqual([shown]);
    expect(handle.approve(shown)).toBe(true);
  });
  expect(replies).toMatchObject([
    { response: { request_id: id, response: { behavior: 'allow', updatedInput: input } } },
  ]);
  const ids = (type: AgentEvent['type']) =>
    new Set(events.filter((event) => event.type === type).map((event) => 'id' in event && event.id));
  expect(ids('approval-resolve')).toEqual(ids('approval-request'));
  expect(ids('tool-end')).toEqual(ids('tool-start'));
  expect(JSON.stringify(events)).not.toContain(id.slice(0, 300));
  expect(JSON.stringify(events)).not.toContain('\\u0000');
});

test('a rule judges it, and a denial reaches it', async () => {
  const { replies } = await answered(KEY, () => {}, { rules: [{ decision: 'deny', kind: 'execute' }] });
  expect(replies).toMatchObject([{ response: { request_id: KEY, response: { behavior: 'deny' } } }]);
});

test('a change leaves every other field its original', async () => {
  const { replies } = await answered(LONG, (shown, handle) => {
    handle.approve(shown, { changes: { set: { '/command': 'ls' } } });
  });
  expect(replies).toMatchObject([
    { response: { request_id: LONG, response: { updatedInput: { command: 'ls', content: 'a\0b' } } } },
  ]);
});
