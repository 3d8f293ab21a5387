/** Nobody inside a run answers for the person, starts agents or lets browsers in; the attempt is told in the run. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { openPage } from '../../src/client/log-in.js';
import { createOwnRuns } from '../../src/server/own-runs.js';
import { socketIn } from '../../src/server/peer.js';
import { ask, init, result, toolUse } from '../fake-agent/lines.js';
import { scripted } from '../fake-agent/play.js';
import { comeIn, placeAt, WINDOW, welcomeIn } from './as-browser.js';
import { type Served, serve, smallPage } from './serve.js';

const input = { command: 'touch a' };
const asking = [init(), toolUse('t', 'Bash', input), ask('q1', 't', 'Bash', input), { hear: 'q1' }, result('ok')];

/** The same request as a process of its own, as an agent's shell would send it. */
async function post(served: Served, target: string, body: unknown, env: Record<string, string> = {}): Promise<number> {
  const init = {
    method: 'POST',
    headers: { authorization: `Bearer ${env.TOKEN ?? served.server.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
  const script = `fetch(${JSON.stringify(served.server.url + target)}, ${JSON.stringify(init)}).then((answer) => console.log(answer.status))`;
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', script], { env: { ...process.env, ...env } });
  return Number(stdout);
}

/** What a process of its own reads when it says that it is a window of a browser. */
async function readDocument(served: Served, { env = {}, ...as }: { env?: Record<string, string>; uid?: number } = {}) {
  const script = `require('node:http').get('${served.server.url}/', { headers: ${JSON.stringify(WINDOW)} }, (answer) => answer.pipe(process.stdout))`;
  const options = { env: { ...process.env, ...env }, cwd: '/', ...as };
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', script], options);
  return welcomeIn(stdout);
}

describe.runIf(process.platform === 'linux')('what makes a page ours', () => {
  test('is not for a process inside a run, which may have left a page in the browser', async () => {
    const served = await serve([], { pageFolder: smallPage(), log: () => {} });
    expect(await readDocument(served)).toBeDefined();
    expect(await readDocument(served, { env: { GLASSBOX_RUN_ID: 'any' } })).toBeUndefined();
  });

  test.runIf(process.getuid?.() === 0)('is worth nothing in the browser of another user', async () => {
    const served = await serve([], { pageFolder: smallPage(), log: () => {} });
    const { key } = await comeIn(served.server.url, await served.server.createLoginLink());
    const place = await placeAt(served.server.url);
    const [own, others] = [await readDocument(served), await readDocument(served, { uid: 65534 })];
    if (!own || !others) throw new Error('no document');
    await expect(openPage({ ...place, welcome: others }, key)).rejects.toMatchObject({ status: 401 });
    await openPage({ ...place, welcome: own }, key);
  });
});

describe.runIf(process.platform === 'linux')('a process inside a run', () => {
  test('cannot answer its own question, which the run tells; who is outside can', async () => {
    const served = await serve(asking);
    const { runId } = await served.client.start({ agent: 'claude', prompt: 'x' });
    const warnings: string[] = [];
    for await (const event of served.client.events(runId)) {
      if (event.type === 'warning') warnings.push(event.code);
      if (event.type !== 'approval-request') continue;
      const target = `/api/runs/${runId}/approvals/${event.id}/approve`;
      expect(await post(served, target, {}, { GLASSBOX_RUN_ID: runId })).toBe(403);
      expect(await post(served, target, {}, { GLASSBOX_RUN_ID: 'another' })).toBe(403);
      expect(await post(served, target, {}, { GLASSBOX_RUN_ID: runId, TOKEN: 'of-nobody' })).toBe(403);
      expect(await post(served, target, {})).toBe(200);
    }
    expect(warnings).toEqual(['answer-from-inside', 'answer-from-inside', 'answer-from-inside']);
  });

  test('cannot start an agent or make a link, which the run tells', async () => {
    const served = await serve([init(), { hang: true }]);
    const { runId } = await served.client.start({ agent: 'claude', prompt: 'x' });
    const inside = { GLASSBOX_RUN_ID: runId };
    for await (const event of served.client.events(runId)) {
      if (event.type === 'turn-start') {
        expect(await post(served, '/api/runs', { agent: 'claude', prompt: 'x' }, inside)).toBe(403);
        expect(await post(served, '/api/links', {}, inside)).toBeGreaterThanOrEqual(403);
      }
      if (event.type !== 'warning') continue;
      expect(event).toMatchObject({ code: 'act-from-inside', message: expect.stringContaining('refused') });
      break;
    }
  });
});

test('a run does not tell without end that something inside it tries to act', async () => {
  const { store, project } = await serve();
  const defaults = scripted([init(), { hang: true }]);
  const runs = createOwnRuns({ store, projects: [project], allowsBypass: async () => false, defaults });
  const { runId } = await runs.start({ agent: 'claude', prompt: 'x', cwd: project });
  for (let n = 0; n < 100; n++) runs.tellOfAttempt(runId, 'act through the server');
  await runs.close();
  let told = 0;
  for await (const event of store.read(runId)) if (event.type === 'warning') told += 1;
  expect(told).toBe(10);
});

test('a connection is found by its two ports', () => {
  const table = [
    '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode',
    '   0: 0100007F:1F90 0100007F:C350 01 00000000:00000000 00:00000000 00000000  1000        0 111 1 0',
    '   1: 0100007F:C350 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  1000        0 222 1 0',
  ].join('\n');
  expect(socketIn(table, 50000, 8080)).toEqual({ user: '1000', inode: '222' });
  expect(socketIn(table, 8080, 50000)).toEqual({ user: '1000', inode: '111' });
  expect(socketIn(table, 1, 2)).toBeUndefined();
});
