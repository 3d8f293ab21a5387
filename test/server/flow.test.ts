/** What people do with the server: start, watch, answer, continue, find, export. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { AgentEvent, ApprovalRecord, SessionsMessage } from '../../src/client/index.js';
import { keepRun } from '../../src/store/index.js';
import {
  answer,
  ask,
  delta,
  init,
  interruptedResult,
  result,
  streamStart,
  text,
  toolResult,
  toolUse,
} from '../fake-agent/lines.js';
import { FAKE_AGENT, play, scripted, temporaryDirectory } from '../fake-agent/play.js';
import { serve } from './serve.js';

async function collect(events: AsyncIterable<AgentEvent>): Promise<AgentEvent[]> {
  const all: AgentEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

const approvalScript = [
  init(),
  toolUse('t1', 'Bash', { command: 'touch x' }),
  ask('ask-1', 't1', 'Bash', { command: 'touch x' }),
  { hear: '"request_id":"ask-1"' },
  toolResult('t1', 'done'),
  result('finished'),
];

test('a run is started, streamed to its end, listed and found', async () => {
  const { client } = await serve(answer('The answer is a pelican.'));
  const { runId, session } = await client.start({ agent: 'claude', prompt: 'What is the bird?' });
  const events = await collect(client.events(runId));
  expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1));
  expect(events.at(-1)).toMatchObject({ type: 'run-end', reason: 'finished', schema: 1 });
  const record = await client.session(session);
  expect(record).toMatchObject({ id: session, agent: 'claude', state: 'ended', outcome: 'finished' });
  expect((await client.sessions()).items.map((item) => item.id)).toEqual([session]);
  expect(await client.search({ text: 'pelican' })).toMatchObject({ sessions: 1 });
  expect(await client.cost({ by: 'agent' })).toMatchObject([{ key: 'claude', sessions: 1 }]);
  expect(await client.health()).toMatchObject({ ok: true, readOnly: false, running: 0 });
});

test('deltas arrive while the run goes on, and a second reader who comes later gets everything', async () => {
  const gate = join(temporaryDirectory(), 'go');
  const { client } = await serve([
    init(),
    ...streamStart(),
    delta('one '),
    { file: gate },
    delta('two'),
    text('one two'),
    result('one two'),
  ]);
  const { runId } = await client.start({ agent: 'claude', prompt: 'go' });
  const early: AgentEvent[] = [];
  for await (const event of client.events(runId)) {
    early.push(event);
    if (event.type === 'text-delta' && !existsSync(gate)) (await import('node:fs')).writeFileSync(gate, '');
  }
  const late = await collect(client.events(runId));
  const whole = (events: AgentEvent[]) => events.flatMap((event) => (event.type === 'text-end' ? [event.text] : []));
  expect(whole(early)).toEqual(['one two']);
  expect(whole(late)).toEqual(['one two']);
  expect(late.at(-1)?.seq).toBe(early.at(-1)?.seq);
});

test('`Last-Event-ID` and `from` go on after what was seen', async () => {
  const { client, send } = await serve(answer('hello'));
  const { runId } = await client.start({ agent: 'claude', prompt: 'go' });
  const all = await collect(client.events(runId));
  const rest = await (await send(`/api/runs/${runId}/events`, { headers: { 'last-event-id': '3' } })).text();
  expect([...rest.matchAll(/^id: (\d+)$/gm)].map((match) => Number(match[1]))).toEqual(
    all.filter((event) => event.seq > 3).map((event) => event.seq),
  );
  expect((await collect(client.events(runId, { fromSeq: 4 })))[0]?.seq).toBe(4);
});

test('an approval is announced, answered once, and a second answer is too late', async () => {
  const { client, send } = await serve(approvalScript);
  const { runId } = await client.start({ agent: 'claude', prompt: 'go' });
  const events: AgentEvent[] = [];
  for await (const event of client.events(runId)) {
    events.push(event);
    if (event.type === 'approval-request') await client.approve(runId, event.id);
  }
  expect(events.find((event) => event.type === 'approval-resolve')).toMatchObject({ decision: 'allow', by: 'person' });
  const again = await send(`/api/runs/${runId}/approvals/ask-1/deny`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  expect(again.status).toBe(409);
  const unknown = await send(`/api/runs/${runId}/approvals/nothing/approve`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  expect(unknown.status).toBe(404);
});

test('a run of another process is live and approvable here', async () => {
  const { client, store } = await serve();
  const kept = keepRun(play(approvalScript), { store });
  const seen: SessionsMessage[] = [];
  let waiting: ApprovalRecord | undefined;
  const stop = new AbortController();
  for await (const message of client.watchSessions({ signal: stop.signal })) {
    seen.push(message);
    if (message.type === 'presence') continue;
    waiting = message.approvals.find((approval) => approval.runId === kept.handle.runId);
    if (waiting) break;
  }
  stop.abort();
  expect(seen[0]?.type).toBe('snapshot');
  await client.approve(kept.handle.runId, waiting?.request.id ?? '');
  expect(await kept.done).toMatchObject({ reason: 'finished', text: 'finished' });
});

test('a finished session is continued by a run that resumes it', async () => {
  const { client } = await serve(answer('first'));
  const { runId, session } = await client.start({ agent: 'claude', prompt: 'one' });
  await collect(client.events(runId));
  const next = await client.say(session, { text: 'two' });
  expect(next.session).toBe(session);
  await collect(client.events(next.runId));
  expect((await client.session(session)).runs).toHaveLength(2);
});

test('a session goes on under the terms that it was started with, and the files of today hold beside its rules', async () => {
  const told = join(temporaryDirectory(), 'told.json');
  const script = [{ tell: told }, ...answer('done')];
  const rule = { decision: 'deny', path: '**/.env' } as const;
  const other = { decision: 'ask', kind: 'fetch' } as const;
  const { store, client, project } = await serve(script, {
    runDefaults: { ...scripted(script), prompt: undefined, cwd: undefined, rules: [other] },
  });
  const handle = play(script, {
    agent: 'claude',
    cwd: project,
    permission: 'plan',
    model: 'opus',
    addDirs: ['/tmp'],
    rules: [rule],
  });
  const first = keepRun(handle, { store });
  await first.done;
  const { runId, session } = await client.say(first.handle.runId, { text: 'go on' });
  await collect(client.events(runId));
  const { argv } = JSON.parse(readFileSync(told, 'utf8')) as { argv: string[] };
  expect(argv).toEqual(expect.arrayContaining(['--model=opus', '--permission-mode=plan', '--add-dir=/tmp']));
  const terms = { permission: 'plan', followUp: true, model: 'opus', addDirs: ['/tmp'] };
  expect((await client.session(session)).runs).toMatchObject([
    { terms: { ...terms, rules: [rule] } },
    { terms: { ...terms, rules: [rule] } },
  ]);
});

/** Stops as it is told to, and ends with its input. */
const stopped = [{ hear: '"subtype":"interrupt"' }, interruptedResult(), { hearEnd: true }];

test('a session that took no messages while it worked takes them when it goes on here', async () => {
  const script = answer('done');
  const { store, client, project } = await serve(script);
  const first = keepRun(play(script, { agent: 'claude', cwd: project, permission: 'deny' }), { store });
  await first.done;
  const { runId, session } = await client.say(first.handle.runId, { text: 'go on' });
  await collect(client.events(runId));
  const terms = (await client.session(session)).runs.map((run) => run.terms);
  expect(terms).toMatchObject([
    { permission: 'deny', followUp: false },
    { permission: 'deny', followUp: true },
  ]);
});

test('an interrupt reaches the run, which ends its turn', async () => {
  const { client } = await serve([init(), text('working'), ...stopped]);
  const { runId } = await client.start({ agent: 'claude', prompt: 'go' });
  const events: AgentEvent[] = [];
  for await (const event of client.events(runId)) {
    events.push(event);
    if (event.type === 'text-end') await client.interrupt(runId);
  }
  expect(events.find((event) => event.type === 'turn-end')).toMatchObject({ outcome: 'interrupted' });
  await expect(client.interrupt(runId)).rejects.toMatchObject({ status: 409 });
});

test('a question is answered by its text', async () => {
  const question = { questions: [{ question: 'Which?', options: [{ label: 'A' }, { label: 'B' }] }] };
  const script = [init(), ask('ask-1', 't1', 'AskUserQuestion', question), { hear: '"Which?":"B"' }, result('B it is')];
  const { client } = await serve(script);
  const { runId } = await client.start({ agent: 'claude', prompt: 'go' });
  const events: AgentEvent[] = [];
  for await (const event of client.events(runId)) {
    events.push(event);
    if (event.type === 'approval-request') await client.answer(runId, event.id, { answers: { 'Which?': 'B' } });
  }
  expect(events.find((event) => event.type === 'turn-end')).toMatchObject({ text: 'B it is' });
  await expect(client.answer(runId, 'ask-1', { answers: {} })).rejects.toMatchObject({ status: 409 });
});

test('a message to a session that works here reaches its agent; of one without an id of its agent it is told', async () => {
  const { client } = await serve([init(), text('working'), { hear: 'and this' }, result('both')]);
  const { runId, session } = await client.start({ agent: 'claude', prompt: 'go' });
  for await (const event of client.events(runId)) {
    if (event.type === 'text-end') expect(await client.say(session, { text: 'and this' })).toEqual({ runId, session });
  }
  const mute = await serve([{ exit: 1 }]);
  const silent = await mute.client.start({ agent: 'claude', prompt: 'go' });
  await collect(mute.client.events(silent.runId));
  await expect(mute.client.say(silent.session, { text: 'more' })).rejects.toMatchObject({
    status: 409,
    message: expect.stringContaining('never told a session id'),
  });
});

test('a message to an agent whose turn is over, and that has not gone yet, goes on with the session when it has', async () => {
  const folder = temporaryDirectory();
  const [script, go] = [join(folder, 'script.json'), join(folder, 'go')];
  writeFileSync(script, JSON.stringify([init(), result('first'), { hearEnd: true }, { file: go }]));
  const { client, store } = await serve([], {
    runDefaults: { program: FAKE_AGENT, env: { FAKE_AGENT_SCRIPT: script } },
  });
  const { runId, session } = await client.start({ agent: 'claude', prompt: 'go' });
  const asked = vi.spyOn(store, 'session');
  for await (const event of client.events(runId)) {
    if (event.type !== 'turn-end') continue;
    writeFileSync(script, JSON.stringify([init(), { hear: 'and this' }, result('second')]));
    asked.mockClear();
    const said = client.say(session, { text: 'and this' });
    await Promise.race([said, expect.poll(() => asked.mock.calls.length).toBeGreaterThan(0)]);
    writeFileSync(go, '');
    const next = await said;
    expect(next).toMatchObject({ session, runId: expect.not.stringMatching(runId) });
    expect((await collect(client.events(next.runId))).at(-1)).toMatchObject({ reason: 'finished', text: 'second' });
  }
});

test('two messages at once to a session that has ended are for one agent', async () => {
  const script = join(temporaryDirectory(), 'script.json');
  writeFileSync(script, JSON.stringify([init(), result('first')]));
  const { client, store } = await serve([], {
    runDefaults: { program: FAKE_AGENT, env: { FAKE_AGENT_SCRIPT: script } },
  });
  const { runId, session } = await client.start({ agent: 'claude', prompt: 'go' });
  await collect(client.events(runId));
  // Whichever comes first is its prompt.
  const both = [{ hear: 'and this' }, { hear: 'and that' }, result('both')];
  writeFileSync(script, JSON.stringify([init(), ...both]));
  const [one, other] = await Promise.all([
    client.say(session, { text: 'and this' }),
    client.say(session, { text: 'and that' }),
  ]);
  expect(one).toEqual(other);
  expect((await collect(client.events(one.runId))).at(-1)).toMatchObject({ reason: 'finished' });
  expect((await store.session(session))?.runs).toHaveLength(2);
});

test('cancel reaches the run; afterwards it is too late', async () => {
  const { client } = await serve([init(), text('working'), ...stopped]);
  const { runId } = await client.start({ agent: 'claude', prompt: 'go' });
  const events: AgentEvent[] = [];
  for await (const event of client.events(runId)) {
    events.push(event);
    if (event.type === 'text-end') await client.cancel(runId);
  }
  const error = { category: 'interrupted', message: 'Ended by the user.' };
  expect(events.at(-1)).toMatchObject({ type: 'run-end', reason: 'cancelled', error });
  await expect(client.cancel(runId)).rejects.toMatchObject({ status: 409 });
  await expect(client.interrupt('no-such-run')).rejects.toMatchObject({ status: 404 });
});

test('the server stops: its runs end, say why, and the next start has them', async () => {
  const first = await serve([init(), text('working'), ...stopped]);
  const { runId, session } = await first.client.start({ agent: 'claude', prompt: 'go' });
  for await (const event of first.client.events(runId)) if (event.type === 'text-end') break;
  await first.server.close();
  const second = await serve([], { store: first.store });
  expect(await second.client.session(session)).toMatchObject({
    state: 'ended',
    outcome: 'cancelled',
    error: 'Glassbox was stopped.',
  });
});

test('many sessions at once, each with its own events', async () => {
  const { client } = await serve(answer('same words'));
  const started = await Promise.all(Array.from({ length: 8 }, () => client.start({ agent: 'claude', prompt: 'go' })));
  const streams = await Promise.all(started.map(({ runId }) => collect(client.events(runId))));
  for (const [index, events] of streams.entries()) {
    expect(new Set(events.map((event) => event.runId))).toEqual(new Set([started[index]?.runId]));
    expect(events.at(-1)?.type).toBe('run-end');
  }
  expect(new Set(started.map(({ session }) => session)).size).toBe(8);
});

test('a session is exported as one file without script', async () => {
  const { client, send } = await serve([init(), text('<script>alert(1)</script> & more'), result('x')]);
  const { runId, session } = await client.start({ agent: 'claude', prompt: 'go <b>' });
  await collect(client.events(runId));
  const html = await (await send(`/api/sessions/${session}/export?format=html`)).text();
  expect(html).toContain('&#60;script&#62;alert(1)&#60;/script&#62;');
  expect(html).not.toMatch(/<script/i);
  const markdown = await send(`/api/sessions/${session}/export?format=markdown`);
  expect(markdown.headers.get('content-disposition')).toContain(`glassbox-${session}.md`);
  expect(await markdown.text()).toContain('<script>alert(1)</script> & more');
});

test('a run that was piped in can be watched, not answered', async () => {
  const { client, store } = await serve();
  await store.startRun({ runId: 'piped', agent: 'claude', startedAt: Date.now(), piped: true });
  await store.append([
    {
      ...{ type: 'approval-request', id: 'q1', kind: 'tool' },
      ...{ seq: 1, at: 1, runId: 'piped', agent: 'claude', source: 'stream', turn: 1 },
    },
  ]);
  await expect(client.approve('piped', 'q1')).rejects.toMatchObject({
    status: 409,
    message: expect.stringContaining('watched, not answered'),
  });
  await expect(client.approve('nothing', 'q1')).rejects.toMatchObject({ status: 404 });
});

test('a removed session is gone', async () => {
  const { client } = await serve(answer('x'));
  const { runId, session } = await client.start({ agent: 'claude', prompt: 'go' });
  await collect(client.events(runId));
  await client.remove(session);
  await expect(client.session(session)).rejects.toMatchObject({ status: 404, code: 'not-found' });
});

test('the OpenAPI document names every route', async () => {
  const { send } = await serve();
  const document = (await (await send('/openapi.json')).json()) as { openapi: string; paths: object };
  expect(document.openapi).toBe('3.1.0');
  expect(Object.keys(document.paths)).toEqual(
    expect.arrayContaining([
      '/api/health',
      '/api/runs',
      '/api/runs/{run}/events',
      '/api/sessions/stream',
      '/api/search',
      '/api/cost',
    ]),
  );
});
