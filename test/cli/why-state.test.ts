/** What a session does and how that is known, for sessions that glassbox did not start and for its own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { init, result, text } from '../fake-agent/lines.js';
import { FAKE_AGENT, temporaryDirectory } from '../fake-agent/play.js';
import { PATIENCE_MS } from '../support/patience.js';
import { environment, newStore } from './fake-run.js';
import { glassbox, start } from './glassbox.js';

const ID = '51e8d126-ddd2-4f02-ba59-6439f2410eb3';

/** Only there the kernel tells where a process works, and since when. */
const isLinux = process.platform === 'linux';
const PATIENCE = { timeout: PATIENCE_MS, interval: 20 };

test.skipIf(!isLinux)(
  'a session that was started by hand is listed while its process lives, with what it waits for',
  async () => {
    const home = temporaryDirectory();
    const env = { HOME: home, CLAUDE_CONFIG_DIR: '', GLASSBOX_STORE: newStore() };
    const agent = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: ['pipe', 'ignore', 'ignore'] });
    const procStart = readFileSync(`/proc/${agent.pid}/stat`, 'utf8').replace(/.*\) /s, '').split(' ')[19];
    const entry = {
      pid: agent.pid,
      procStart,
      sessionId: ID,
      cwd: '/repo',
      status: 'waiting',
      waitingFor: 'permission prompt',
    };
    mkdirSync(path.join(home, '.claude/sessions'), { recursive: true });
    const file = path.join(home, `.claude/sessions/${agent.pid}.json`);
    writeFileSync(file, JSON.stringify({ ...entry, statusUpdatedAt: Date.now() }));

    const { stdout } = await glassbox(['ps'], '', env);
    expect(stdout).toMatch(/^51e8d126 .*claude .*◆ waiting .*\/repo .*\n {2}waits for: permission prompt\n$/);
    const listed = JSON.parse((await glassbox(['ps', '--json'], '', env)).stdout);
    expect(listed).toMatchObject({ schema: 1, agent: 'claude', agentSessionId: ID, presence: { state: 'waiting' } });

    const why = await glassbox(['why-state', '51e8'], '', env);
    expect(why.stdout).toMatch(/^51e8d126 \(claude\) is waiting for .*: permission prompt\n/);
    expect(why.stdout).toMatch(/ {2}waiting .* ago {2}registry: .*status waiting permission prompt/);
    expect(why.stdout).toMatch(/ {2}present .* ago {2}process: process \d+ lives/);

    // What the file does not say is read in the conversation, by code that is loaded for it.
    writeFileSync(file, JSON.stringify({ ...entry, status: undefined }));
    const said = { type: 'user', sessionId: ID, uuid: 'u1', parentUuid: null, cwd: '/repo', timestamp: new Date() };
    mkdirSync(path.join(home, '.claude/projects/-repo'), { recursive: true });
    writeFileSync(
      path.join(home, `.claude/projects/-repo/${ID}.jsonl`),
      `${JSON.stringify({ ...said, message: { role: 'user', content: 'Tidy up' } })}\n`,
    );
    expect((await glassbox(['ps'], '', env)).stdout).toMatch(/^51e8d126 .*claude .*● working .*\/repo .*\n$/);
    writeFileSync(file, JSON.stringify({ ...entry, statusUpdatedAt: Date.now() }));

    agent.kill('SIGKILL');
    await once(agent, 'exit');
    expect(await glassbox(['ps'], '', env)).toMatchObject({ stdout: '', stderr: expect.stringContaining('no agent') });
    const after = await glassbox(['why-state', ID], '', env);
    expect(after.stdout).toMatch(/^51e8d126 \(claude\) is ended for /);
    expect(after.stdout).toMatch(/ {2}absent .* process: process \d+, which .*sessions\/\d+\.json names, is gone\n/);
    expect(after.stdout).toMatch(/Against it:\n {2}waiting /);
    expect(await glassbox(['why-state', 'nobody'], '', env)).toMatchObject({
      status: 3,
      stderr: expect.stringContaining('none is live by that name'),
    });
  },
);

test('of its own sessions the run itself tells', async () => {
  const env = { HOME: temporaryDirectory(), GLASSBOX_STORE: newStore() };
  const script = [init(), text('working'), { hearEnd: true }, result('ok')];
  const { ended, printed } = start(['run', 'claude', 'Tidy up', '--program', FAKE_AGENT], environment(script, env));
  await printed('working');
  // It is printed before it is kept.
  const found = await vi.waitFor(async () => {
    const { stdout } = await glassbox(['why-state', '--json', 'latest'], '', env);
    expect(stdout).toContain('"state":"working"');
    return JSON.parse(stdout);
  }, PATIENCE);
  expect(found).toMatchObject({ schema: 1, agent: 'claude', state: 'working' });
  expect(found.because[0]).toMatchObject({ source: 'run', says: 'working' });
  await glassbox(['stop'], '', env);
  await ended;
  const why = await glassbox(['why-state', found.id], '', env);
  expect(why.stdout).toMatch(new RegExp(`^${found.id} \\(claude\\) is ended for .*\\n.*run: its run ended: cancelled`));
});

test('who is not there is said to be not there', async () => {
  const env = { HOME: temporaryDirectory(), GLASSBOX_STORE: newStore() };
  expect(await glassbox(['why-state'], '', env)).toMatchObject({
    stderr: expect.stringContaining('No agent is live here'),
  });
});
