/** `glassbox serve` as a person uses it: a link, the page behind it, Ctrl-C. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ask, init, result, toolUse } from '../fake-agent/lines.js';
import { FAKE_AGENT, processesOf, temporaryDirectory } from '../fake-agent/play.js';
import { comeIn } from '../server/as-browser.js';
import { startImpostor } from '../web/impostor.js';
import { environment } from './fake-run.js';
import { glassbox, type Started, start, temporaryFile } from './glassbox.js';

const json = { 'content-type': 'application/json' };
/** Above what Linux and macOS give. */
const NO_PROCESS = 99_999_999;

test('it prints a link that logs in once, serves the page, and ends with Ctrl-C', async () => {
  const { child, printed, ended } = start(['serve', '--port', '0', '--no-open']);
  const link = await linkOf(child, printed);
  const { origin } = new URL(link);

  const browser = await comeIn(origin, link);
  await expect(comeIn(origin, link)).rejects.toMatchObject({ status: 401 });
  expect(await (await fetch(origin)).text()).toContain('<div id="app">');
  const agents = await (await browser.fetch('/api/agents')).json();
  expect(agents).toContainEqual(expect.objectContaining({ name: 'claude', installed: expect.any(Boolean) }));

  child.kill('SIGINT');
  expect(await ended).toMatchObject({ status: 0, stderr: expect.stringContaining('Firefox on Linux was let in') });
});

test('another browser gets a link of the server that runs, and one that is forgotten is out', async () => {
  const env = { GLASSBOX_STATE_DIR: temporaryDirectory() };
  expect(await glassbox(['serve', '--link'], '', env)).toMatchObject({
    status: 3,
    stderr: expect.stringContaining('No server of yours is running'),
  });
  const { child, printed, ended } = start(['serve', '--port', '0', '--no-open', '--read-only'], env);
  const first = await linkOf(child, printed);
  const { origin } = new URL(first);
  // One that was killed had the same key and may have had the same address.
  const running = path.join(env.GLASSBOX_STATE_DIR, 'server', 'running');
  const note = JSON.parse(readFileSync(path.join(running, `${child.pid}.json`), 'utf8'));
  writeFileSync(path.join(running, `${NO_PROCESS}.json`), JSON.stringify({ ...note, token: 'of-before' }));
  const { stdout } = await glassbox(['serve', '--link'], '', env);
  expect(readdirSync(running)).toEqual([`${child.pid}.json`]);
  const link = linkIn(stdout);
  expect(link).not.toBe(first);
  expect(await glassbox(['serve', '--link'], '', { ...env, GLASSBOX_RUN_ID: 'own' })).toMatchObject({
    status: 3,
    stdout: '',
    stderr: expect.stringContaining('Nobody can let a browser in from inside a run'),
  });
  expect(new URL(link).origin).toBe(origin);
  const browser = await comeIn(origin, link);
  const { stdout: listed } = await glassbox(['serve', '--browsers'], '', env);
  expect(listed).toContain(`${browser.key.id}  now  since now  ${origin}  Firefox on Linux`);

  expect(await glassbox(['serve', '--forget', 'nobody'], '', env)).toMatchObject({ status: 3 });
  expect(await glassbox(['serve', '--forget', browser.key.id], '', env)).toMatchObject({ status: 0 });
  expect((await browser.fetch('/api/health')).status).toBe(401);
  child.kill('SIGINT');
  await ended;
  expect((await glassbox(['serve', '--link'], '', env)).status).toBe(3);
});

test('a terminal that is closed ends it properly: nobody reads its remarks, and nothing that it started goes on', async () => {
  const project = temporaryDirectory();
  const config = JSON.stringify({ agents: { claude: { program: FAKE_AGENT } } });
  const stateDir = temporaryDirectory();
  const { child, browser } = await served(['--project', project], {
    ...environment([init(), { hang: true }]),
    GLASSBOX_STATE_DIR: stateDir,
    GLASSBOX_CONFIG: temporaryFile('own.json', config),
  });
  const body = JSON.stringify({ agent: 'claude', prompt: 'go' });
  const started = await browser.fetch('/api/runs', { method: 'POST', headers: json, body });
  const { runId } = (await started.json()) as { runId: string };
  const status = new Promise((resolve) => child.on('exit', resolve));
  child.stdout.destroy();
  child.stderr.destroy();
  child.kill('SIGHUP');
  expect(await status).toBe(143);
  expect(processesOf(runId)).toEqual([]);
  expect(readdirSync(path.join(stateDir, 'server', 'running'))).toEqual([]);
});

test('the note of a server that was killed is worth nothing to whoever listens there next', async () => {
  const stateDir = temporaryDirectory();
  const env = { GLASSBOX_STATE_DIR: stateDir };
  const { child, printed, ended } = start(['serve', '--port', '0', '--no-open'], env);
  const { port } = new URL(await linkOf(child, printed));
  child.kill('SIGKILL');
  await ended;
  const running = path.join(stateDir, 'server', 'running');
  expect(readdirSync(running)).toHaveLength(1);
  await using impostor = await startImpostor(Number(port));
  expect((await glassbox(['serve', '--link'], '', env)).status).toBe(3);
  expect(impostor.heard).toHaveLength(1);
  expect(impostor.heard[0]?.headers.authorization).toBeUndefined();
  expect(readdirSync(running)).toEqual([]);
});

test('an agent that asks for nothing may be started only where the user’s own file says so', async () => {
  const project = temporaryDirectory();
  const allow = JSON.stringify({ serve: { bypass: true }, agents: { claude: { program: FAKE_AGENT } } });
  const start = async (config: string) => {
    const { child, origin, browser, ended } = await served(['--project', project], {
      ...environment([init(), result('ok')]),
      GLASSBOX_CONFIG: temporaryFile('own.json', config),
    });
    const body = JSON.stringify({ agent: 'claude', prompt: 'go', permission: 'bypass' });
    const response = await browser.fetch('/api/runs', { method: 'POST', headers: json, body });
    const answer = JSON.stringify(await response.json());
    child.kill('SIGINT');
    await ended;
    return { status: response.status, answer, origin };
  };
  expect(await start(allow)).toMatchObject({ status: 201 });
  expect(await start(JSON.stringify({ agents: { claude: { program: FAKE_AGENT } } }))).toMatchObject({
    status: 403,
    answer: expect.stringContaining('your own configuration file'),
  });
  writeFileSync(path.join(project, 'glassbox.json'), JSON.stringify({ serve: { bypass: true } }));
  expect((await start(JSON.stringify({ agents: { claude: { program: FAKE_AGENT } } }))).answer).toContain(
    'serve must not be set here',
  );
});

test('inside a run it serves nobody who could answer', async () => {
  const { status, stderr } = await glassbox(['serve', '--port=0', '--no-open'], '', { GLASSBOX_RUN_ID: 'r1' });
  expect(stderr).toContain('Nobody can start a server that takes answers from inside a run.');
  expect(status).not.toBe(0);
});

test('a run from the page has the settings of its agent and of its directory', async () => {
  const project = temporaryDirectory();
  const ours = temporaryFile('ours.json', JSON.stringify({ agents: { claude: { program: FAKE_AGENT } } }));
  writeFileSync(
    path.join(project, 'glassbox.json'),
    JSON.stringify({ rules: [{ decision: 'deny', command: 'rm *' }] }),
  );
  const input = { command: 'rm a' };
  const asking = [
    init(),
    toolUse('t', 'Bash', input),
    ask('asked-1', 't', 'Bash', input),
    { hear: 'asked-1' },
    result('ok'),
  ];
  const env = { ...environment(asking), GLASSBOX_CONFIG: ours };
  const { child, browser, ended } = await served(['--project', project], env);

  const started = await browser.fetch('/api/runs', {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ agent: 'claude', prompt: 'go', cwd: project }),
  });
  const { runId } = (await started.json()) as { runId: string };
  const events = await (await browser.fetch(`/api/runs/${runId}/events`)).text();
  expect(events).toMatch(/"type":"approval-resolve".*"by":"rule".*"decision":"deny"/);
  expect(events).toContain('"reason":"finished"');

  child.kill('SIGINT');
  expect(await ended).toMatchObject({ status: 0 });
});

test('with --log json everything on stderr is a line of JSON, also that it ends', async () => {
  const env = { GLASSBOX_STATE_DIR: temporaryDirectory() };
  const { child, printed, ended } = start(['serve', '--port', '0', '--no-open', '--no-watch', '--log', 'json'], env);
  await linkOf(child, printed);
  child.kill('SIGTERM');
  const { stderr } = await ended;
  const lines = stderr.trim().split('\n');
  expect(lines.map((line) => JSON.parse(line) as object)).toContainEqual(
    expect.objectContaining({ type: 'remark', text: expect.stringContaining('ending what was started here') }),
  );
});

test('a port that makes no sense is wrong usage', async () => {
  expect(await glassbox(['serve', '--port', 'many'])).toMatchObject({ status: 2 });
});

/** A server that runs, and a browser that is in. */
async function served(args: string[], env: NodeJS.ProcessEnv) {
  const { child, printed, ended } = start(['serve', '--port', '0', '--no-open', ...args], env);
  const link = await linkOf(child, printed);
  const { origin } = new URL(link);
  return { child, ended, origin, browser: await comeIn(origin, link) };
}

async function linkOf(child: Started['child'], printed: Started['printed']): Promise<string> {
  let output = '';
  child.stdout.on('data', (text: string) => {
    output += text;
  });
  await printed('/#login=');
  await printed('\n\n');
  return linkIn(output);
}

function linkIn(output: string): string {
  return /http:\S+/.exec(output)?.[0] ?? '';
}
