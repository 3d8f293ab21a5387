/** Many machines from the command line: tokens, budgets, a worker and work that is sent to it, over the hub of this machine. */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { answer } from '../fake-agent/lines.js';
import { FAKE_AGENT, scriptVariable, temporaryDirectory } from '../fake-agent/play.js';
import { comeIn } from '../server/as-browser.js';
import { glassbox, start } from './glassbox.js';

function home() {
  const folder = temporaryDirectory();
  return { folder, env: { GLASSBOX_STORE: path.join(folder, 'store.db'), HOME: folder, GLASSBOX_STATE_DIR: folder } };
}

describe('glassbox token', () => {
  test('makes one that is shown once, lists and revokes it, and tells who did', async () => {
    const { env, folder } = home();
    const token = (...words: string[]) => glassbox(['token', ...words], '', env);
    expect((await token('list')).stderr).toContain('nobody has a token yet');
    const made = await token('create', 'ann', '--scope', 'view,run', '--project', 'shop', '--expires', '12h');
    expect(made.stdout).toMatch(/^gb_[\w-]{43}\n$/);
    expect(made.stderr).toMatch(
      /token of ann, who may view, run for shop, until \d{4}-\d\d-\d\d\. It is not shown again/,
    );
    const file = path.join(folder, 'worker.token');
    expect(await token('create', 'builder', '--runner', '--out', file)).toMatchObject({ status: 0, stdout: '' });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await token('create', 'builder', '--runner', '--out', file)).toMatchObject({
      status: 3,
      stderr: expect.stringContaining('could not be written to'),
    });
    const listed = await token('list');
    expect(listed.stdout).toMatch(/ann +view run +shop/);
    expect(listed.stdout).toContain('revoked');
    expect(listed.stdout).not.toContain('gb_');
    const [, id = ''] = /^(\w+) +ann/m.exec(listed.stdout) ?? [];
    expect((await token('revoke', id)).stderr).toContain('the token of ann holds no longer');
    expect(await token('revoke', id)).toMatchObject({ status: 3 });
    const told = (await token('audit')).stdout;
    expect(told).toContain('token create');
    expect(told).toContain('token revoke');
  });

  test.each([
    [['create'], 2, /Say whose it is/],
    [['create', 'ann'], 2, /Say what it may do/],
    [['create', 'ann', '--scope', 'vew'], 2, /the nearest is "view"/],
    [['create', 'ann', '--runner', '--scope', 'view'], 2, /leave --scope out/],
    [['create', 'ann', '--scope', 'view', '--expires', 'soon'], 2, /12h, 90d or never/],
    [['revoke'], 2, /Say which one/],
    [['make'], 2, /create, list, revoke, audit/],
  ])('%j is refused with what to do', async (words, status, message) => {
    expect(await glassbox(['token', ...words], '', home().env)).toMatchObject({
      status,
      stderr: expect.stringMatching(message),
    });
  });

  test('nobody inside a run lets anybody in', async () => {
    const env = { ...home().env, GLASSBOX_RUN_ID: 'r1' };
    const made = await glassbox(['token', 'create', 'me', '--scope', 'view'], '', env);
    expect(made).toMatchObject({ status: 3, stdout: '' });
  });
});

test('glassbox budget sets, lists and removes', async () => {
  const { env } = home();
  const budget = (...words: string[]) => glassbox(['budget', ...words], '', env);
  expect((await budget('list')).stderr).toContain('there is no budget yet');
  expect(await budget('set', 'team')).toMatchObject({ status: 2, stderr: expect.stringContaining('Say how much') });
  const set = await budget('set', 'team', '--usd', '50', '--per', 'month', '--project', 'shop');
  expect(set.stderr).toContain('team: $50.00 a month for shop; $0.00, 0 % so far.');
  expect((await budget('list')).stdout).toMatch(/team +shop +all +\$50\.00 a month +open +\$0\.00, 0 %/);
  expect(JSON.parse((await budget('list', '--json')).stdout)).toMatchObject([{ id: 'team', state: 'open' }]);
  expect((await budget('remove', 'team')).status).toBe(0);
  const { stdout } = await glassbox(['token', 'audit'], '', env);
  expect(stdout).toMatch(/budget remove +team/);
  expect(stdout).toMatch(/budget set +team/);
  expect((await budget('remove', 'team')).status).toBe(3);
  const lines = [
    { type: 'system', subtype: 'init', session_id: 's', model: 'm', tools: [], cwd: '/x' },
    { type: 'result', subtype: 'success', session_id: 's', is_error: false, result: 'ok', total_cost_usd: 1.8 },
  ];
  await glassbox([], lines.map((line) => `${JSON.stringify(line)}\n`).join(''), env);
  expect((await budget('set', 'all', '--usd', '1.5')).stderr).toContain('$1.80, 120 % so far.');
});

test.each([
  [['worker'], 2, /Say which hub/],
  [['worker', '--hub', 'http://hub.example'], 2, /Plain http to hub\.example would show the token/],
  [['worker', '--hub', 'ftp://x'], 2, /https:\/\/hub\.example/],
  [['worker', '--hub', 'https://me:secret@hub.example'], 2, /holds no name and no password/],
  [['worker', '--hub', 'http://127.0.0.1:1'], 3, /The hub wants a token/],
  [['run', 'claude', 'go', '--hub', 'http://hub.example'], 2, /Plain http/],
  [['run', 'claude', 'go', '--project', 'shop'], 2, /say which hub with --hub/],
  [['fleet', 'dmo'], 2, /Write demo, not dmo/],
  [['serve', '--host', '0.0.0.0', '--no-open'], 2, /--tls-cert and --tls-key/],
  [['serve', '--tls-cert', 'c.pem'], 2, /A certificate needs its key/],
])('%j is refused with what to do', async (words, status, message) => {
  const said = await glassbox(words, '', home().env);
  expect(said).toMatchObject({ status, stderr: expect.stringMatching(message) });
  expect(said.stderr).not.toContain('secret');
});

test('the hub may stand in the environment', async () => {
  const env = { ...home().env, GLASSBOX_HUB: 'http://hub.example' };
  const said = await glassbox(['run', 'claude', 'go', '--project', 'shop'], '', env);
  expect(said).toMatchObject({ status: 2, stderr: expect.stringContaining('Plain http to hub.example') });
});

async function hub() {
  const { env, folder } = home();
  const started = start(['serve', '--port', '0', '--no-open', '--no-watch'], env, folder);
  await started.printed('127.0.0.1');
  const [note = ''] = readdirSync(path.join(folder, 'server', 'running'));
  const { url } = JSON.parse(readFileSync(path.join(folder, 'server', 'running', note), 'utf8')) as { url: string };
  return { env, folder, url };
}

test('who may administer a hub decides from afar who comes in, and sees its budgets; they are set where its store is', async () => {
  const { env, folder, url } = await hub();
  const tokens = { root: path.join(folder, 'root.token'), ann: path.join(folder, 'ann.token') };
  await glassbox(['token', 'create', 'root', '--scope', 'view,administer', '--out', tokens.root], '', env);
  await glassbox(['token', 'create', 'ann', '--scope', 'view', '--out', tokens.ann], '', env);
  const far = (file: string, ...words: string[]) =>
    glassbox([...words, '--store', url], '', { ...home().env, GLASSBOX_HUB_TOKEN_FILE: file });

  // Known to the hub at once, also when it has just looked.
  expect((await far(tokens.ann, 'budget', 'list')).stderr).toContain('there is no budget yet');
  await glassbox(['budget', 'set', 'team', '--usd', '50'], '', env);
  expect((await far(tokens.ann, 'budget', 'list')).stdout).toMatch(/team +all +all +\$50\.00 a day/);
  expect(await far(tokens.root, 'token', 'create', 'carl', '--scope', 'view')).toMatchObject({ status: 0 });
  const { stdout: listed } = await far(tokens.root, 'token', 'list');
  expect(listed).toMatch(/carl +view +all/);
  const [id = ''] = /^\S+(?= +carl)/m.exec(listed) ?? [];
  expect(await far(tokens.root, 'token', 'revoke', id)).toMatchObject({ status: 0 });
  expect(await far(tokens.root, 'token', 'revoke', id)).toMatchObject({ status: 3 });
  expect((await far(tokens.root, 'token', 'audit')).stdout).toMatch(new RegExp(`root +token revoke +${id}`));
  expect(await far(tokens.root, 'budget', 'set', 'team', '--usd', '1')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('Budgets are set in the store that the hub uses'),
  });
  const { stdout: link } = await far(tokens.root, 'serve', '--link');
  await comeIn(url, link.trim().split(/\s+/).at(-1) ?? '');
  const { stdout: browsers } = await far(tokens.root, 'serve', '--browsers');
  const [browser = ''] = /^\S+/.exec(browsers) ?? [];
  expect(await far(tokens.root, 'serve', '--forget', browser)).toMatchObject({ status: 0 });
  expect(await far(tokens.root, 'serve', '--forget', browser)).toMatchObject({ status: 3 });
  expect(await far(tokens.root, 'serve', '--browsers')).toMatchObject({ status: 0, stdout: '' });
  expect((await far(tokens.ann, 'token', 'list')).stderr).toContain('The hub refused it');
  expect(await far(tokens.ann, 'token', 'list')).not.toMatchObject({ status: 0 });
});

test('a worker does what is sent to the hub, and who sent it sees it', async () => {
  const { env, folder, url } = await hub();
  const tokens = { ann: path.join(folder, 'ann.token'), worker: path.join(folder, 'worker.token') };
  await glassbox(['token', 'create', 'ann', '--scope', 'view,run,operate', '--out', tokens.ann], '', env);
  await glassbox(['token', 'create', 'builder', '--runner', '--out', tokens.worker], '', env);

  const file = path.join(folder, 'worker.json');
  writeFileSync(file, JSON.stringify({ projects: { shop: temporaryDirectory() }, agents: ['claude'] }));
  const settings = path.join(folder, 'glassbox.json');
  const script = { FAKE_AGENT_SCRIPT: scriptVariable(answer('Hello from afar')) };
  writeFileSync(settings, JSON.stringify({ agents: { claude: { program: FAKE_AGENT, env: script } } }));
  const state = temporaryDirectory();
  const own = { ...env, GLASSBOX_STATE_DIR: state, GLASSBOX_CONFIG: settings, GLASSBOX_STORE: '' };
  const worker = start(['worker', '--hub', url, '--token-file', tokens.worker, '--file', file, '--labels', 'gpu'], own);
  const send = (...words: string[]) =>
    glassbox(['run', 'claude', 'go', '--hub', url, '--token-file', tokens.ann, '--format', 'lines', ...words], '', own);

  const done = await send('--project', 'shop', '--label', 'gpu');
  expect(done.stdout).toContain('Hello from afar');
  expect(done.stderr).toContain('it waits for a worker that knows shop and has gpu');
  expect(done.status).toBe(0);
  expect(await send('--project', 'shop', '--permission', 'bypass')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('refused: This worker allows ask at most, and not bypass.'),
  });
  expect(await send('--project', 'shop', '--cwd', '/')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('--cwd is not for --hub: the worker has its own.'),
  });
  worker.child.kill('SIGINT');
  const { status, stderr } = await worker.ended;
  expect(stderr).toMatch(/works for http:\/\/127\.0\.0\.1:\d+: 1 at a time; claude; projects shop; labels gpu\./);
  expect(status).toBe(0);
  expect(existsSync(path.join(state, 'spool'))).toBe(true);
});
