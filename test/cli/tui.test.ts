/** The panels in a real terminal: agents of another process decided by keys, and a terminal that is as it was whatever ends them. */
import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Terminal } from '@xterm/headless';
import { expect, onTestFinished, test, vi } from 'vitest';
import { run } from '../../src/run/index.js';
import { keepRun, openStore, type Store } from '../../src/store/index.js';
import { ask, init, result, type Step, text, toolUse } from '../fake-agent/lines.js';
import { FAKE_AGENT, scripted, temporaryDirectory } from '../fake-agent/play.js';
import { PATIENCE_MS } from '../support/patience.js';
import { environment, newStore, openTerminal } from './fake-run.js';
import { glassbox, temporaryFile } from './glassbox.js';

const SESSION = '11111111-2222-4333-8444-555555555555';
const PATIENCE = { timeout: PATIENCE_MS, interval: 50 };
const SIZE = { columns: 120, rows: 40 };

/** An agent that this process runs. */
function startAgent(store: Store, prompt: string, script: readonly Step[]) {
  const own = JSON.parse(JSON.stringify(script).replaceAll(SESSION, randomUUID())) as Step[];
  const { handle, done } = keepRun(run(scripted(own, { prompt, attended: true })), { store });
  return { handle, done };
}

const asking = (command: string): Step[] => [
  init(),
  toolUse('t1', 'Bash', { command }),
  ask('q1', 't1', 'Bash', { command }),
  { hear: '"request_id":"q1"' },
  result('ok'),
];

async function openOwnStore(): Promise<{ location: string; store: Store }> {
  const location = newStore();
  const store = await openStore(location);
  onTestFinished(() => store.close());
  return { location, store };
}

/** What stands there now. */
async function screenOf(output: string): Promise<string> {
  const terminal = new Terminal({ cols: SIZE.columns, rows: SIZE.rows, allowProposedApi: true });
  await new Promise<void>((resolve) => terminal.write(output, resolve));
  const { active } = terminal.buffer;
  return Array.from({ length: SIZE.rows }, (_, row) => active.getLine(row)?.translateToString(true) ?? '').join('\n');
}

/** The last word about each is that it is as it was, and nothing was erased. */
function expectRestored(output: string): void {
  for (const mode of ['?1049', '?2004', '?2026'])
    expect(output.lastIndexOf(`\x1b[${mode}l`), mode).toBeGreaterThan(output.lastIndexOf(`\x1b[${mode}h`));
  for (const mode of ['?25', '?7'])
    expect(output.lastIndexOf(`\x1b[${mode}h`), mode).toBeGreaterThan(output.lastIndexOf(`\x1b[${mode}l`));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for
  expect(output).not.toMatch(/\x1b\[\d*[JK]|\x1bc/);
}

test('twelve sessions, three wait: all three are decided rightly with six keys, and SIGTERM leaves a sane terminal', async () => {
  const { location, store } = await openOwnStore();
  const prompts = ['Clean the build', 'Remove the cache', 'Drop the tables'] as const;
  const agents = [];
  for (const [index, prompt] of prompts.entries()) {
    const agent = startAgent(store, prompt, asking(`rm -r part-${index}`));
    agents.push(agent);
    // One after the other, so that the oldest is known.
    await vi.waitFor(() => expect(agent.handle.pending()).toHaveLength(1), PATIENCE);
  }
  for (let index = 0; index < 9; index += 1) {
    const runId = randomUUID();
    await store.startRun({ runId, agent: 'claude', startedAt: Date.now() });
    if (index > 4) await store.endRun(runId);
  }
  const screen = openTerminal([], [], { isAlone: true, env: { GLASSBOX_STORE: location } });
  await screen.shows('3 waiting · 5 working');
  for (const [index, keys] of [['y'], ['n', '\r'], ['y']].entries()) {
    await screen.goesOn(`part-${index}`);
    await screen.goesOn('one key answers');
    for (const key of keys) screen.type(key);
    await agents[index]?.done;
    if (index < 2) screen.type('\t');
  }
  const decisions = [];
  for (const { handle } of agents) {
    for await (const event of store.read(handle.runId))
      if (event.type === 'approval-resolve') decisions.push([event.decision, event.by, event.via]);
  }
  expect(decisions).toEqual([
    ['allow', 'person', 'terminal'],
    ['deny', 'person', 'terminal'],
    ['allow', 'person', 'terminal'],
  ]);
  await vi.waitFor(async () => expect(await screenOf(screen.text())).toContain('▸✔ Drop the tables'), PATIENCE);
  screen.signal('SIGTERM');
  expect(await screen.ended).toBe(143);
  expectRestored(screen.text());
});

test('an agent is spoken to, is killed, and is resumed from here; leaving ends only what was started here', async () => {
  const { location, store } = await openOwnStore();
  const config = path.join(temporaryDirectory(), 'glassbox.json');
  writeFileSync(config, JSON.stringify({ agents: { claude: { program: FAKE_AGENT } } }));
  const { done } = startAgent(store, 'Write a test', [
    init(),
    { hear: 'with love' },
    text('I heard.'),
    { kill: 'SIGKILL' },
  ]);
  const again = [init(), text('I go on.'), { hearEnd: true }] as Step[];
  const env = { GLASSBOX_STORE: location, GLASSBOX_CONFIG: config };
  const screen = openTerminal(['tui'], again, { isAlone: true, env });
  const shows = (words: string) =>
    vi.waitFor(async () => expect(await screenOf(screen.text())).toContain(words), PATIENCE);
  /** A key is dead for a moment after another session came under the cursor. */
  const press = (key: string, opens: string) =>
    vi.waitFor(async () => {
      const isOpen = async () => (await screenOf(screen.text())).includes(opens);
      if (!(await isOpen())) screen.type(key);
      expect(await isOpen()).toBe(true);
    }, PATIENCE);
  await shows('Waiting for the model');
  await press('s', 'say: ');
  screen.type('with love\r');
  expect(await done).toMatchObject({ reason: 'crashed' });
  await shows('I heard.');
  await shows('▸✖ Write a test');
  await press('r', 'go on: ');
  screen.type('and more\r');
  await shows('I go on.');
  // A resize is another picture of the same.
  screen.resize(80, 24);
  await screen.goesOn(/│ {3}I go on\. {36}/);
  screen.type('q');
  await screen.goesOn('q again quits');
  screen.type('q');
  expect(await screen.ended).toBe(0);
  expectRestored(screen.text());
  const [session] = (await store.list({})).items;
  expect(session?.runs.map(({ outcome }) => outcome)).toEqual(['crashed', 'cancelled']);
});

test('Ctrl-Z gives the terminal back; an exception leaves it as it was, with its words', async () => {
  const throwing = temporaryFile('throw.mjs', "process.on('SIGUSR2', () => { throw new Error('by accident'); });");
  const screen = openTerminal(['tui'], [], { isAlone: true, env: { NODE_OPTIONS: `--import=${throwing}` } });
  await screen.shows('No agent is at work');
  screen.type('\u001a');
  await screen.goesOn('\x1b[?1049l');
  await vi.waitFor(() => expect(readFileSync(`/proc/${screen.pid}/stat`, 'utf8')).toMatch(/\) T /), PATIENCE);
  screen.signal('SIGCONT');
  await screen.goesOn('No agent is at work');
  screen.signal('SIGUSR2');
  expect(await screen.ended).not.toBe(0);
  expectRestored(screen.text());
  expect(screen.text().slice(screen.text().lastIndexOf('\x1b[?1049l'))).toContain('by accident');
});

test('a window that is closed leaves nothing behind', async () => {
  const screen = openTerminal(['tui'], [], { isAlone: true });
  await screen.shows('No agent is at work');
  screen.signal('SIGHUP');
  expect(await screen.ended).toBe(143);
  expectRestored(screen.text());
});

test('without a terminal it says what does without; nobody opens it inside a run', async () => {
  expect(await glassbox(['tui'])).toMatchObject({ status: 2, stderr: expect.stringContaining('glassbox next') });
  expect(await glassbox(['tui'], '', environment([], { GLASSBOX_RUN_ID: 'own' }))).toMatchObject({
    stdout: '',
    stderr: expect.stringContaining('from inside a run'),
  });
});
