/** Work that was sent to a hub asks whoever sent it, at the terminal, as a run of this machine does; who cannot be asked there is told how to answer. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { createClient } from '../../src/client/index.js';
import { stamp } from '../../src/store/conformance/events.js';
import { openHub } from '../../src/store/index.js';
import { ask, init, result, toolUse } from '../fake-agent/lines.js';
import { temporaryDirectory } from '../fake-agent/play.js';
import { fleet } from '../worker/fleet.js';
import { environment, openTerminal } from './fake-run.js';
import { glassbox, start } from './glassbox.js';

const input = { command: 'touch x' };
const ASKS = [init(), toolUse('t', 'Bash', input), ask('q', 't', 'Bash', input), { hear: '"q"' }, result('Done afar')];

type Scope = 'view' | 'run' | 'operate' | 'approve';

async function hub(...scopes: Scope[]) {
  const { server, client, work } = await fleet(ASKS);
  work();
  const { token } = await client.createToken({ name: 'ann', scopes });
  const file = path.join(temporaryDirectory(), 'ann.token');
  writeFileSync(file, token, { mode: 0o600 });
  const send = (format: string) => [
    ...['run', 'claude', 'go', '--hub', server.url, '--token-file', file, '--project', 'shop', `--format=${format}`],
  ];
  const decisions = async () =>
    (await client.decisions()).map(({ resolution: { decision, who, via } }) => ({ decision, who, via }));
  return { client, send, decisions, url: server.url };
}

describe('at a terminal, with a token that may answer', () => {
  test('it is asked and answered on the spot', async () => {
    const { send, decisions } = await hub('view', 'run', 'approve');
    const screen = openTerminal(send('lines'), [], { isAlone: true });
    await screen.shows('Allow? [y]es');
    screen.type('y\r');
    expect(await screen.ended).toBe(0);
    expect(screen.text()).toContain('Done afar');
    expect(await decisions()).toEqual([{ decision: 'allow', who: 'ann', via: 'program' }]);
  });

  test('what somebody else answers meanwhile is asked no longer', async () => {
    const { client, send, decisions } = await hub('view', 'run', 'approve');
    const screen = openTerminal(send('lines'), [], { isAlone: true });
    await screen.shows('Allow? [y]es');
    const [session] = (await client.sessions()).items;
    await client.deny(session?.runs[0]?.runId ?? '', 'q', { message: 'Not now.' });
    expect(await screen.ended).toBe(0);
    expect(await decisions()).toMatchObject([{ decision: 'deny', who: 'program' }]);
  });

  test('the live view has the question and its keys', async () => {
    const { send, decisions } = await hub('view', 'run', 'operate', 'approve');
    const screen = openTerminal(send('live'), [], { isAlone: true });
    await screen.shows('one key answers');
    screen.type('y');
    expect(await screen.ended).toBe(0);
    expect(await decisions()).toEqual([{ decision: 'allow', who: 'ann', via: 'program' }]);
  });
});

describe('who cannot be asked is told how to answer', () => {
  test('a token that may not', async () => {
    const { client, send, url } = await hub('view', 'run');
    const screen = openTerminal(send('lines'), [], { isAlone: true, columns: 400 });
    await screen.shows(`This token may not answer (scope approve). Answer on the page of ${url}`);
    const [session] = (await client.sessions()).items;
    await client.approve(session?.runs[0]?.runId ?? '', 'q');
    expect(await screen.ended).toBe(0);
    expect(screen.text()).not.toContain('Allow?');
  });

  test('a command without a terminal', async () => {
    const { client, send, url } = await hub('view', 'run', 'approve');
    const ended = glassbox(send('lines'), '', environment([]));
    await expect.poll(async () => (await client.sessions()).items[0]?.state).toBe('waiting');
    const [session] = (await client.sessions()).items;
    await client.approve(session?.runs[0]?.runId ?? '', 'q');
    const { status, stdout, stderr } = await ended;
    expect({ status, stdout }).toMatchObject({ status: 0, stdout: expect.stringContaining('Done afar') });
    expect(stderr).toContain(`Answer on the page of ${url}, or: glassbox next --store ${url}`);
    expect(stderr).not.toContain('scope approve');
  });
});

test('work whose worker died is not waited for: who sent it hears that it was lost', async () => {
  const { server, client, token } = await fleet(ASKS);
  const file = path.join(temporaryDirectory(), 'ann.token');
  writeFileSync(file, (await client.createToken({ name: 'ann', scopes: ['view', 'run'] })).token, { mode: 0o600 });
  const { printed, ended } = start([
    'run',
    'claude',
    'go',
    '--hub',
    server.url,
    '--token-file',
    file,
    '--project',
    'shop',
  ]);
  const worker = createClient({ url: server.url, token });
  const offer = {
    name: 'w0',
    labels: [],
    projects: ['shop'],
    agents: ['claude'],
    capacity: 1,
    busy: 0,
    waitMs: 25_000,
  };
  const { job } = await worker.claimJob(offer);
  const { id = '', fence = 0 } = job ?? {};
  const runId = 'of-the-dead';
  await worker.tellJob(id, { type: 'begin', fence, runId });
  const store = openHub({ url: server.url, token });
  await store.startRun({ runId, agent: 'claude', startedAt: Date.now(), project: 'shop' });
  await store.append(stamp({ runId }, [{ type: 'text-end', messageId: 'm', index: 0, text: 'seen there' }]));
  await printed('seen there');
  await store.endRun(runId);
  await store.close();
  await worker.tellJob(id, { type: 'lose', fence, reason: 'Its worker fell silent.' });
  expect(await ended).toMatchObject({
    status: 4,
    stderr: expect.stringContaining('the worker w0 was lost with it: Its worker fell silent.'),
  });
});
