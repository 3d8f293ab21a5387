/** A run on a terminal is drawn while it goes on; questions, keys and every way to end leave the terminal as people expect it. */
import { readFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { delta, init, result, type Step, streamStart, text, toolResult, toolUse } from '../fake-agent/lines.js';
import { PATIENCE_MS } from '../support/patience.js';
import { createGate, openTerminal } from './fake-run.js';
import { expectSane, screenOf } from './screen-of.js';

const run = ['run', 'claude', 'Fix it', '--format=live'];
const PATIENCE = { timeout: PATIENCE_MS, interval: 20 };

describe('a run on a terminal', () => {
  test('answers as it is written, resolves its tools in place, and leaves what show tells', async () => {
    const gate = createGate();
    const screen = openTerminal(run, [
      init(),
      toolUse('t1', 'Bash', { command: 'npm test' }),
      toolResult('t1', 'one\nnot ok', true),
      ...streamStart('msg_2'),
      delta('It **fails**.\n\n- because'),
      gate.step,
      delta(' of you'),
      text('It **fails**.\n\n- because of you', 'msg_2'),
      result('ok'),
    ]);
    await screen.shows('because▌');
    expect(screen.text()).toContain('Writing');
    // Wider: what was wrapped for less still is one row each.
    screen.resize(140, 30);
    await screen.goesOn('\x1b[J');
    gate.open();
    expect(await screen.ended).toBe(0);
    const shown = await screenOf(screen.text());
    expect(shown).toContain('> Fix it');
    expect(shown).toMatch(/✖ Bash npm test.*\n {2}│ one\n {2}│ not ok\n\n {2}It fails\.\n\n {2}• because of you\n/);
    expect(shown).not.toMatch(/Writing|▌|Agent command/);
    expectSane(screen.text());
  });

  test('Ctrl-Z gives the terminal back, and going on brings it again', async () => {
    const gate = createGate();
    const screen = openTerminal(run, [init(), gate.step, text('Back.'), result('ok')]);
    await screen.shows('Waiting for the model');
    screen.type('\u001a');
    await screen.goesOn('\x1b[?25h');
    // Who wakes it before it sleeps would let it sleep for ever.
    await vi.waitFor(() => expect(readFileSync(`/proc/${screen.pid}/stat`, 'utf8')).toMatch(/\) T /), PATIENCE);
    screen.signal('SIGCONT');
    await screen.goesOn('Waiting for the model');
    gate.open();
    expect(await screen.ended).toBe(0);
    expect(await screenOf(screen.text())).toContain('  Back.');
    expectSane(screen.text());
  });

  test.each<[string, Step[], (screen: { signal(name: NodeJS.Signals): void }) => void, string]>([
    ['SIGTERM', [{ hang: true }], (screen) => screen.signal('SIGTERM'), 'Stopped'],
    ['an agent that is killed', [{ kill: 'SIGKILL' }], () => {}, 'The agent crashed'],
  ])('%s leaves a sane terminal', async (_, end, act, words) => {
    const screen = openTerminal(run, [init(), toolUse('t1', 'Bash', { command: 'sleep 99' }), ...end]);
    await screen.shows('Bash sleep 99');
    act(screen);
    expect(await screen.ended).not.toBe(0);
    expect(await screenOf(screen.text())).toContain(words);
    expectSane(screen.text());
  });

  test('--format plain says it in words, once, and moves nothing', async () => {
    const script = [
      init(),
      toolUse('t1', 'Bash', { command: 'npm test' }),
      toolResult('t1', 'ok'),
      text('Done.'),
      result('ok'),
    ];
    const screen = openTerminal(['run', 'claude', 'Fix it', '--format=plain'], script);
    expect(await screen.ended).toBe(0);
    expect(screen.text()).toMatch(/You: Fix it\r\n(.*\r\n)*Done: Bash npm test/);
    expect(screen.text()).not.toMatch(/[✔⠋│]/);
    expect(screen.text().match(/npm test/g)).toHaveLength(1);
  });
});
