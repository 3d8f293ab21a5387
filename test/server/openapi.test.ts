/** The OpenAPI document tells the truth: whatever a real server says is what it describes, for every route. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { AgentEvent, Presence } from '../../src/client/index.js';
import { comparisonDirectory, writeComparison } from '../../src/compare/record.js';
import { parkingDirectory } from '../../src/parking/index.js';
import { writeParked } from '../../src/parking/record.js';
import { thisProcess } from '../../src/run/process/reaper.js';
import type { PresenceSource } from '../../src/server/presence-source.js';
import { comparedIn } from '../compare/compared.js';
import { ask, init, interruptedResult, result, text, toolResult, toolUse } from '../fake-agent/lines.js';
import { PICTURE } from '../fake-agent/picture.js';
import { type ApiDocument, createCheck, type DescribedOperation, operationsOf } from '../support/described.js';
import { PATIENCE_MS } from '../support/patience.js';
import { ownRecordings } from '../support/recordings.js';
import { comeBack, comeIn } from './as-browser.js';
import { type Served, serve, smallPage } from './serve.js';

const question = { questions: [{ question: 'Which?', header: 'Colour', options: [{ label: 'A' }, { label: 'B' }] }] };

/** Asks three times and then works until it is interrupted. */
const script = [
  init(),
  toolUse('t1', 'Bash', { command: 'touch x' }),
  ask('q1', 't1', 'Bash', { command: 'touch x' }),
  { hear: '"request_id":"q1"' },
  toolResult('t1', 'done'),
  toolUse('t2', 'Bash', { command: 'rm x' }),
  ask('q2', 't2', 'Bash', { command: 'rm x' }),
  { hear: '"request_id":"q2"' },
  toolResult('t2', 'refused', true),
  ask('q3', 't3', 'AskUserQuestion', question),
  { hear: '"request_id":"q3"' },
  text('A pelican.'),
  { hear: 'and this' },
  { files: { 'made.txt': 'made' } },
  result('done'),
  text('again', 'msg_2'),
  { hear: '"subtype":"interrupt"' },
  interruptedResult(),
  { hearEnd: true },
];

function park(store: string, runId: string): void {
  const moments = { parkedAt: Date.now(), until: 9_000_000_000_000 };
  const who = { runId, agent: 'claude', agentSessionId: 's', cwd: '/', store, window: 'five_hour' };
  writeParked(parkingDirectory(), { ...who, ...moments, timesLeft: 1 });
}

async function documentOf({ send }: Served): Promise<ApiDocument> {
  return (await send('/openapi.json')).json() as Promise<ApiDocument>;
}

const presence: Presence = {
  state: 'waiting',
  for: { kind: 'question', text: 'Which?' },
  since: 1,
  because: [{ source: 'registry', says: 'waiting', at: 1, process: { pid: 2, began: 0 }, text: 'a file' }],
  against: [{ source: 'hook', says: 'idle', at: 0, text: 'told' }],
};

const onePresence: PresenceSource = {
  of: async () => presence,
  async *watch() {
    yield [{ session: 'k7qd', presence }];
  },
};

test('every route replies what the document says, and nothing that it does not say', async () => {
  const heard = listen();
  const served = await serve(script, {
    pageFolder: smallPage(),
    log: () => {},
    presences: onePresence,
    keepsFiles: async () => true,
    behindProxy: true,
    allowHosts: ['phone.example'],
  });
  const { client, server, store } = served;
  const document = await documentOf(served);
  const check = createCheck(document);
  const operations = operationsOf(document);
  const replyOf = (name: string, media: string) =>
    operations.find(({ operationId }) => operationId === name)?.responses[200]?.content?.[media]?.schema ?? {};

  const { runId, session } = await client.start({ agent: 'claude', prompt: 'go', model: 'opus', budgetUsd: 3 });
  const events: AgentEvent[] = [];
  for await (const event of client.events(runId)) {
    events.push(event);
    if (event.type === 'approval-request') await decide(served, runId, event.id);
    if (event.type === 'text-end') {
      if (event.text === 'A pelican.') {
        // The agent goes on when what was there before is kept.
        const isKept = async () => expect((await client.turns(session))[0]?.isKeptBefore).toBe(true);
        await vi.waitFor(isKept, { timeout: PATIENCE_MS });
        await client.say(session, { text: 'and this' });
      } else await client.interrupt(runId);
    }
  }
  expect(events.at(-1)).toMatchObject({ type: 'run-end' });
  // Of an interrupted run nobody knows whether it is still there; one that asks is.
  const { runId: asking } = await client.start({ agent: 'claude', prompt: 'stop' });
  for await (const event of client.events(asking)) if (event.type === 'approval-request') await client.cancel(asking);
  expect(events.flatMap((event) => check(replyOf('events', 'text/event-stream'), event))).toEqual([]);
  for await (const message of client.watchSessions()) {
    expect(check(replyOf('watchSessions', 'text/event-stream'), message)).toEqual([]);
    if (message.type === 'presence') break;
  }
  await client.health();
  await client.agents();
  await client.sessions({ limit: 1 });
  await client.session(session);
  await client.openCommand(session);
  await client.export(session, 'markdown');
  expect(await client.turns(session)).toMatchObject([{ turn: 1, isKept: true }, {}, {}]);
  expect(await client.changes(session)).toMatchObject({
    files: [{ path: 'made.txt', change: 'added', lines: { added: 1, removed: 0 }, turns: [1], state: 'as-left' }],
    more: 0,
  });
  expect(await client.changeLines(session, { turn: 1 })).toEqual({
    files: [{ path: 'made.txt', hunks: [{ oldStart: 0, newStart: 1, lines: ['+made'] }], cut: 0 }],
  });
  expect(await client.changeMakers(session, { turn: 1 })).toMatchObject({ files: [{ path: 'made.txt' }] });
  const place = { path: 'made.txt', side: 'new', start: 1, end: 1, quote: ['+made'] } as const;
  const { id: comment } = await client.comment(session, { ...place, quote: [...place.quote], text: 'Why?' });
  await client.changeComment(session, comment, { text: 'Why so?' });
  expect(await client.comments(session)).toMatchObject([{ ...place, text: 'Why so?', state: 'unchanged' }]);
  await client.removeComment(session, comment);
  const said = await client.comment(session, { ...place, quote: [...place.quote], text: 'Once more.' });
  const { runId: answering, count } = await client.sendComments(session, { comments: [said.id] });
  expect(count).toBe(1);
  await client.cancel(answering);
  for await (const _ of client.events(answering));
  const { fingerprint, files } = await client.planRewind(session, { turn: 0 });
  expect(files).toEqual([{ path: 'made.txt', change: 'removed', lines: { added: 0, removed: 1 } }]);
  expect(await client.rewindHunks(session, 'made.txt', { turn: 1, before: true })).toHaveLength(1);
  const stale = { turn: 0, fingerprint: 'another' };
  await expect(client.rewind(session, stale)).rejects.toMatchObject({ status: 409 });
  expect(await client.rewind(session, { turn: 0, fingerprint, paths: ['made.txt'] })).toMatchObject({ files: 1 });
  expect(await client.undoRewind(session)).toMatchObject({ files: 1 });
  park(store.location, (await client.session(session)).runs.at(-1)?.runId ?? '');
  expect(await client.parked()).toMatchObject([{ session }]);
  await writeComparison(comparisonDirectory(), comparedIn(session), await thisProcess());
  expect(await client.comparisons()).toMatchObject([{ id: 'x4kd2p', standings: [{ passed: 1 }, { passed: 0 }] }]);
  expect(await client.goOn(session, { at: 9_000_000_000_000 })).toEqual({ at: 9_000_000_000_000 });
  await client.neverGoOn(session);
  for (const by of ['day', 'project', 'agent', 'model', 'tool'] as const) await client.cost({ by });
  expect(await client.decisions()).not.toEqual([]);
  expect(await client.label(session, { name: 'A name', pinned: true, archived: true })).toMatchObject({
    title: 'A name',
    pinned: true,
    archived: true,
  });
  expect((await client.sessions({ archived: true })).items).toMatchObject([{ id: session }]);
  expect(await client.search({ text: 'pelican' })).toMatchObject({ sessions: 1 });
  const { link } = await client.createLink();
  const { key } = await comeIn(server.url, link);
  await comeBack(server.url, key);
  const guest = comeIn(server.url, (await client.createGuestLink()).link);
  await expect.poll(() => client.guests()).toHaveLength(1);
  await client.answerGuest((await client.guests())[0]?.id ?? '', true);
  await guest;
  await served.send(`/api/hello?origin=${server.url}&nonce=abc`, { token: null });
  const [browser] = await client.browsers();
  await client.forgetBrowser(browser?.id ?? '');
  await expect(client.interrupt(runId)).rejects.toMatchObject({ status: 409 });
  await client.remove(session);
  await expect(client.session(session)).rejects.toMatchObject({ status: 404 });
  await client.decisions({ limit: 2 });
  await client.startChoices({ agent: 'claude' });
  await client.findFiles({ text: '' });
  await client.attach({ name: 'shot.png', data: PICTURE.toString('base64') });
  await askAboutFleet(served);
  await served.send('/api/cost?by=nothing');
  await served.send('/api/health', { token: 'wrong' });

  const judged = await Promise.all(heard.map((response) => judge(response, operations, check)));
  expect(judged.flatMap(({ wrong }) => wrong)).toEqual([]);
  const done = new Set(judged.flatMap(({ done }) => done));
  expect(operations.map(({ operationId }) => operationId).filter((name) => !done.has(name))).toEqual([]);
});

async function askAboutFleet({ client, store }: Served): Promise<void> {
  const { record } = await client.createToken({ name: 'ci', scopes: ['view'], projects: ['shop'], lifeMs: 1000 });
  await client.tokens();
  await client.revokeToken(record.id);
  await store.fleet?.budgets.put({ id: 'b', project: 'x', period: 'day', usd: 1, running: 'end', unknown: 'count' });
  await client.budgets();
  const job = { agent: 'claude', prompt: 'go', project: 'shop' };
  const { id } = await client.postJob({ ...job, again: true, labels: ['gpu'], host: 'w' });
  const offer = { name: 'w', labels: ['gpu'], projects: ['shop'], agents: ['claude'], capacity: 1, busy: 0 };
  const { job: claimed } = await client.claimJob(offer);
  await client.tellJob(id, { type: 'begin', fence: claimed?.fence ?? 0, runId: 'r1' });
  await client.beatJobs({ holds: [{ id, fence: 1 }] });
  await client.cancelJob(id);
  await client.tellJob(id, { type: 'end', fence: 1, outcome: 'cancelled' });
  await client.job(id);
  await client.jobs();
  await client.workers();
  await client.audit({ limit: 3 });
}

test('every event of every recording is one that the document describes', async () => {
  const document = await documentOf(await serve());
  const check = createCheck(document);
  const { AgentEvent: schema = {} } = document.components.schemas;
  const seen = new Set<string>();
  const wrong: string[] = [];
  for (const { folder, name } of ownRecordings()) {
    const lines = readFileSync(path.join(folder, 'events.jsonl'), 'utf8').split('\n');
    for (const line of lines.filter(Boolean)) {
      const event = JSON.parse(line) as { type: string };
      seen.add(event.type);
      // The expected results are written without what is the same in all of them.
      const issues = check(schema, { seq: 1, at: 1, runId: 'r', agent: 'a', source: 'stream', ...event });
      wrong.push(...issues.map((issue) => `${name}: ${line.slice(0, 300)}: ${issue}`));
    }
  }
  expect(wrong).toEqual([]);
  expect(seen.size).toBeGreaterThan(30);
});

test('a reply with a field too many, or of another type, is noticed', async () => {
  const served = await serve();
  const document = await documentOf(served);
  const check = createCheck(document);
  const { ServerHealth: schema = {}, AgentEvent: event = {} } = document.components.schemas;
  const health = await served.client.health();
  expect(check(schema, health)).toEqual([]);
  expect(check(schema, { ...health, more: 1 })).not.toEqual([]);
  expect(check(schema, { ...health, pid: 'one' })).not.toEqual([]);
  const stamp = { seq: 1, at: 1, runId: 'r', agent: 'a', source: 'stream', turn: 1 };
  expect(check(event, { type: 'tool-end', id: 't', status: 'ok', ...stamp })).toEqual([]);
  expect(check(event, { type: 'tool-end', id: 't', status: 'fine', ...stamp })).not.toEqual([]);
  expect(check(event, { type: 'tool-end', id: 't', status: 'ok', more: 1, ...stamp })).not.toEqual([]);
});

async function decide({ client }: Served, runId: string, id: string): Promise<void> {
  if (id === 'q1') await client.approve(runId, id, { changes: { set: { '/command': 'touch y' } } });
  else if (id === 'q2') await client.deny(runId, id, { message: 'No.' });
  else await client.answer(runId, id, { answers: { 'Which?': 'B' } });
}

/** Everything that is fetched from now on. A stream is judged by who reads it. */
function listen(): Response[] {
  const heard: Response[] = [];
  const original = globalThis.fetch;
  const spy = vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const response = await original(input, init);
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
    const copy = isStream ? new Response(null, response) : response.clone();
    const { url } = response;
    heard.push(Object.defineProperties(copy, { url: { value: url }, method: { value: init?.method ?? 'GET' } }));
    return response;
  });
  onTestFinished(() => spy.mockRestore());
  return heard;
}

async function judge(
  response: Response,
  operations: readonly DescribedOperation[],
  check: ReturnType<typeof createCheck>,
): Promise<{ done: string[]; wrong: string[] }> {
  const method = (response as Response & { method: string }).method.toLowerCase();
  const { pathname } = new URL(response.url);
  if (!pathname.startsWith('/api/')) return { done: [], wrong: [] };
  const fitting = operations.filter((one) => one.method === method && pattern(one.path).test(pathname));
  // A route without a parameter goes before one with it, as `/api/sessions/stream`.
  const operation = fitting.toSorted((a, b) => a.path.split('{').length - b.path.split('{').length)[0];
  const place = `${method} ${pathname} ${response.status}`;
  const media = response.headers.get('content-type')?.split(';')[0] ?? '';
  const schema = operation?.responses[response.status]?.content?.[media]?.schema;
  if (!operation || !schema) return { done: [], wrong: [`${place} ${media} is not described`] };
  const done = response.ok ? [operation.operationId] : [];
  if (media === 'text/event-stream') return { done, wrong: [] };
  const value: unknown = media === 'application/json' ? await response.json() : await response.text();
  return { done, wrong: check(schema, value).map((issue) => `${place}: ${issue}`) };
}

function pattern(template: string): RegExp {
  return new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`);
}
