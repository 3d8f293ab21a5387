/** Ctrl-T: a session goes on in the agent's own program and comes back, and nothing of it is lost: what was done here, there, and what was typed. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { run } from '../../src/run/index.js';
import { keepRun, openStore } from '../../src/store/index.js';
import { ask, init, type Step, text, toolUse } from '../fake-agent/lines.js';
import { scripted, temporaryDirectory } from '../fake-agent/play.js';
import { PATIENCE_MS } from '../support/patience.js';
import { newStore, openTerminal, type Screen } from './fake-run.js';
import { expectSane, screenOf } from './screen-of.js';

const OWN_PROGRAM = path.resolve(import.meta.dirname, '../fake-agent/own-program.mjs');
const SESSION = '11111111-2222-4333-8444-555555555555';
const CTRL_T = '\u0014';
const CTRL_D = '\u0004';

/** An agent that works until it is ended, in whichever run. */
const working: Step[] = [init(), text('I work.'), { hearEnd: true }];

function open(script: readonly Step[], flags: readonly string[] = []) {
  const location = newStore();
  const [home, cwd] = [temporaryDirectory(), temporaryDirectory()];
  const env = { HOME: home, GLASSBOX_STORE: location, TERM: 'xterm-256color' };
  const words = ['run', 'claude', 'Begin', '--program', OWN_PROGRAM, '--cwd', cwd, '--format=live', ...flags];
  const screen = openTerminal(words, script, { isAlone: true, env });
  return { screen, location };
}

async function handOver(screen: Screen): Promise<void> {
  screen.type(CTRL_T);
  await screen.goesOn('Once more interrupts it');
  screen.type(CTRL_T);
  await screen.goesOn(`OWN PROGRAM of ${SESSION}`);
}

describe('H2 Ctrl-T hands over to the agent’s own program', () => {
  test('and back: what happened there is shown and kept, what was typed is still there, and the session goes on', async () => {
    const { screen, location } = open(working);
    await screen.shows('I work.');
    screen.type('a wish\rhalf a line');
    await screen.goesOn('half a line');
    await handOver(screen);
    screen.type('done by hand\r');
    await screen.goesOn('There I heard: done by hand');
    await screen.goesOn('back from Claude Code');
    await screen.goesOn('half a line▌');
    screen.type(' more\r');
    await screen.goesOn('> a wish');
    await screen.goesOn('I work.');
    screen.type('\u0003');
    await screen.goesOn('again ends it');
    screen.type('\u0003');
    await screen.ended;
    const store = await openStore(location);
    onTestFinished(() => store.close());
    const { items } = await store.list();
    expect(items).toHaveLength(1);
    const said: string[] = [];
    for (const { runId } of items[0]?.runs ?? [])
      for await (const event of store.read(runId)) if (event.type === 'user-message') said.push(event.text ?? '');
    expect(said).toEqual(['Begin', 'done by hand', 'a wish\nhalf a line more']);
  });

  test('from a question by T, which is then asked no more; nothing said there is told, and Ctrl-D leaves', async () => {
    const input = { command: 'touch ok.txt' };
    const script = [init(), toolUse('t1', 'Bash', input), ask('q1', 't1', 'Bash', input), { hearEnd: true }];
    const { screen, location } = open(script);
    await screen.shows('one key answers');
    screen.type('T');
    await screen.goesOn('Once more interrupts it');
    // Another key is no.
    screen.type('w');
    await screen.goesOn('one key answers');
    screen.type('T');
    await screen.goesOn('Once more interrupts it');
    screen.type('T');
    await screen.goesOn('OWN PROGRAM');
    screen.type('\r');
    await screen.goesOn('nothing was said there');
    screen.type(CTRL_D);
    expect(await screen.ended).toBe(0);
    expect(screen.text()).toMatch(/kept as \w+\. Go on with/);
    const store = await openStore(location);
    onTestFinished(() => store.close());
    expect(await store.approvals()).toEqual([]);
    expect((await store.list()).items[0]?.runs).toMatchObject([{ outcome: 'cancelled' }]);
  });

  test('a program that dies leaves no screen of its own behind, and one that stops is stopped with', async () => {
    const { screen } = open(working);
    await screen.shows('I work.');
    await handOver(screen);
    screen.type('stop\r');
    await vi.waitFor(() => expect(readFileSync(`/proc/${screen.pid}/stat`, 'utf8')).toMatch(/\) T /), {
      timeout: PATIENCE_MS,
    });
    screen.signal('SIGCONT');
    await screen.goesOn('AWAKE AGAIN');
    screen.type('die\r');
    await screen.goesOn('back from Claude Code');
    // Opened once more from there.
    screen.type(CTRL_T);
    await screen.goesOn('OWN PROGRAM');
    screen.type('\r');
    await screen.goesOn('back from Claude Code');
    screen.type(CTRL_D);
    expect(await screen.ended).toBe(0);
    const output = screen.text().replaceAll('\x1b[?1049h', '').replaceAll('\x1b[?1049l', '');
    expect(screen.text().lastIndexOf('\x1b[?1049l')).toBeGreaterThan(screen.text().lastIndexOf('\x1b[?1049h'));
    expectSane(output);
    expect(await screenOf(screen.text())).not.toContain('OWN PROGRAM');
  });

  test('is refused before the agent said how to go on with it', async () => {
    const { screen } = open([{ hearEnd: true }]);
    await screen.shows('Starting claude');
    screen.type(CTRL_T);
    await screen.goesOn('try again in a moment');
    screen.signal('SIGTERM');
    expect(await screen.ended).toBe(143);
  });

  test('without a store it goes on as well', async () => {
    const { screen } = open(working, ['--no-store']);
    await screen.shows('I work.');
    await handOver(screen);
    screen.type('x\r');
    await screen.goesOn('nothing is kept');
    screen.signal('SIGTERM');
    expect(await screen.ended).toBe(143);
  });
});

test('T in the panels ends a run of another process, opens its own program, and goes on with what is said next', async () => {
  const location = newStore();
  const store = await openStore(location);
  onTestFinished(() => store.close());
  const [home, config] = [temporaryDirectory(), path.join(temporaryDirectory(), 'glassbox.json')];
  writeFileSync(config, JSON.stringify({ agents: { claude: { program: OWN_PROGRAM } } }));
  const { done } = keepRun(run(scripted(working, { prompt: 'Write a test' })), { store });
  const env = { HOME: home, GLASSBOX_STORE: location, GLASSBOX_CONFIG: config, TERM: 'xterm-256color' };
  const screen = openTerminal(['tui'], working, { isAlone: true, env });
  const shows = (words: string) =>
    vi.waitFor(async () => expect(await screenOf(screen.text())).toContain(words), {
      timeout: PATIENCE_MS,
      interval: 100,
    });
  /** A key is dead for a moment after something else came under it. */
  const press = (key: string, opens: string) =>
    vi.waitFor(
      async () => {
        const isOpen = async () => (await screenOf(screen.text())).includes(opens);
        if (!(await isOpen())) screen.type(key);
        await vi.waitFor(async () => expect(await isOpen()).toBe(true), { timeout: 3000, interval: 100 });
      },
      { timeout: PATIENCE_MS, interval: 100 },
    );
  await shows('I work.');
  await press('T', 'T again interrupts it');
  // Looking elsewhere is no.
  screen.type('2');
  await shows('[2 Tools]');
  screen.type('1');
  await shows('[1 Conversation]');
  await press('T', 'T again interrupts it');
  screen.type('T');
  await screen.goesOn(`OWN PROGRAM of ${SESSION}`);
  expect(await done).toMatchObject({ reason: 'cancelled' });
  screen.type('done by hand\r');
  await shows('There I heard: done by hand');
  await shows('go on: ');
  // On a busy machine it is noticed late that its program is gone; until then it is refused.
  await vi.waitFor(async () => expect((await store.list({})).items[0]?.state).toBe('ended'), { timeout: PATIENCE_MS });
  screen.type('and more\r');
  await shows('> and more');
  screen.type('q');
  await screen.goesOn('q again quits');
  screen.type('q');
  expect(await screen.ended).toBe(0);
  const [session] = (await store.list({})).items;
  expect(session?.runs.map(({ outcome }) => outcome)).toEqual(['cancelled', 'finished', 'cancelled']);
});
