/** What a person types as a secret reaches the agent and nothing else: no event, no file of the store. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { AgentEvent, Answer } from '../../src/event/index.js';
import { keepRun, openStore } from '../../src/store/index.js';
import { ask, init, result, say, toolUse } from '../fake-agent/lines.js';
import { play, temporaryDirectory } from '../fake-agent/play.js';

const PIN = 'needle one two three';
const TOKEN = 'needle four five six';
const schema = {
  type: 'object',
  properties: { pin: { type: 'string', format: 'password' }, note: { type: 'string' } },
};
const form = { subtype: 'elicitation', mcp_server_name: 'vault', message: 'Your pin?', requested_schema: schema };
const input = { command: 'login', env: { API_TOKEN: 'old' } };
const script = [
  init(),
  say({ type: 'control_request', request_id: 'q1', request: form }),
  { hear: PIN },
  toolUse('t1', 'Bash', input),
  ask('q2', 't1', 'Bash', input),
  { hear: TOKEN },
  result('ok'),
];

test('answers of another process', async () => {
  const folder = temporaryDirectory();
  const [owner, other] = [await openStore(path.join(folder, 'a.db')), await openStore(path.join(folder, 'a.db'))];
  const events: AgentEvent[] = [];
  const kept = keepRun(play(script), { store: owner, onEvent: (event) => events.push(event) });
  const person = { by: 'person', who: 'ada', via: 'page' } as const;
  const until = async (id: string) => {
    while (!(await other.approvals()).some(({ request }) => request.id === id));
  };
  const tell = (approval: string, answer: Answer) =>
    other.tell(kept.handle.runId, { type: 'answer', approval, answer }, person);
  await until('q1');
  const answers = { pin: PIN, note: 'seen' };
  expect(await tell('q1', { type: 'answer', answers })).toEqual({ outcome: 'done' });
  await until('q2');
  const changes = { set: { '/env/API_TOKEN': TOKEN } };
  expect(await tell('q2', { type: 'approve', changes })).toEqual({ outcome: 'done' });
  expect((await kept.done).reason).toBe('finished');

  const resolves = events.filter((event) => event.type === 'approval-resolve');
  expect(resolves).toMatchObject([
    { decision: 'answer', answers: { note: 'seen' }, ...person },
    { decision: 'allow', changes: { set: { '/env/API_TOKEN': '[redacted:credential]' } }, ...person },
  ]);
  expect(resolves[0]).not.toHaveProperty('answers.pin');
  const files = readdirSync(folder);
  expect(files).toContain('a.db-wal');
  for (const file of files) {
    const bytes = readFileSync(path.join(folder, file));
    expect([file, bytes.includes(PIN), bytes.includes(TOKEN)]).toEqual([file, false, false]);
  }
  await owner.close();
  await other.close();
});
