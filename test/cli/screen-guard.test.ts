/** A glassbox that is killed without a chance to say anything leaves a terminal as it was: its screen, its cursor, its keys. */
import { readFileSync } from 'node:fs';
import { spawn } from '@lydell/node-pty';
import { expect, test, vi } from 'vitest';
import { init, text } from '../fake-agent/lines.js';
import { FAKE_AGENT, temporaryDirectory } from '../fake-agent/play.js';
import { PATIENCE_MS } from '../support/patience.js';
import { environment } from './fake-run.js';
import { CLI } from './glassbox.js';

const PATIENCE = { timeout: PATIENCE_MS, interval: 50 };

test.each([
  ['the panels', ['tui'], 'No agent is at work', '\x1b[?1049l'],
  [
    'the live view',
    ['run', 'claude', 'x', '--format=live', '--program', FAKE_AGENT, '--cwd', temporaryDirectory()],
    'I work.',
    '\x1b[?25h',
  ],
])('%s', async (_, args, shown, restored) => {
  const env = { ...process.env, ...environment([init(), text('I work.'), { hearEnd: true }]), NO_COLOR: '1' };
  // As in a shell, which tells afterwards how keys are treated.
  const words = ['-c', '"$@"; read -r go; stty -a; echo AFTER', 'sh', process.execPath, CLI, ...args];
  const terminal = spawn('/bin/sh', words, { cols: 80, rows: 24, env });
  const ended = new Promise<void>((resolve) => terminal.onExit(() => resolve()));
  let output = '';
  terminal.onData((data) => {
    output += data;
  });
  await vi.waitFor(() => expect(output).toContain(shown), PATIENCE);
  const child = readFileSync(`/proc/${terminal.pid}/task/${terminal.pid}/children`, 'utf8').trim();
  const before = output.length;
  process.kill(Number(child), 'SIGKILL');
  await vi.waitFor(() => expect(output.slice(before)).toContain(restored), PATIENCE);
  terminal.write('\r');
  await vi.waitFor(() => expect(output).toContain('AFTER'), PATIENCE);
  await ended;
  expect(output.slice(before)).toContain('\x1b[?2004l');
  expect(output).toMatch(/[^-]icanon/);
  expect(output).toMatch(/[^-]echo /);
});
