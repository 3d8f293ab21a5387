import { spawn } from '@lydell/node-pty';
import stringWidth from 'fast-string-width';
import { describe, expect, test } from 'vitest';
import { createProgressLine } from '../../src/cli/print/progress-line.js';
import { CLI, recording } from './glassbox.js';

interface Screen {
  output: string;
  status: number;
}

/** Runs the program in a terminal of its own; `type` is typed once `when` stands there. */
function onTerminal(
  args: readonly string[],
  options: { columns?: number; env?: Record<string, string>; when?: string; type?: string } = {},
): Promise<Screen> {
  const { NO_COLOR: _, FORCE_COLOR: __, CI: ___, ...inherited } = process.env;
  const terminal = spawn(process.execPath, [CLI, ...args], {
    cols: options.columns ?? 80,
    rows: 30,
    env: { ...inherited, TERM: 'xterm-256color', ...options.env },
  });
  let output = '';
  let typed = false;
  terminal.onData((data) => {
    output += data;
    if (typed || !options.when || !output.includes(options.when)) return;
    typed = true;
    terminal.write(options.type ?? '');
  });
  return new Promise((resolve) => terminal.onExit(({ exitCode }) => resolve({ output, status: exitCode })));
}

describe('on a terminal', () => {
  test('S1-26 colours are on', async () => {
    const { output, status } = await onTerminal(['show', recording('basic-text'), '--format', 'lines']);
    expect(output).toContain('\x1b[36m[claude]\x1b[39m \x1b[37m"Hello from the stub."\x1b[39m');
    expect(status).toBe(0);
  });

  test.each([
    ['NO_COLOR', [], { NO_COLOR: '1' }],
    ['--color=never', ['--color=never'], {}],
    ['a dumb terminal', [], { TERM: 'dumb' }],
  ])('S1-26 and off with %s', async (_name, flags, env) => {
    const { output } = await onTerminal(['show', recording('basic-text'), '--format', 'lines', ...flags], { env });
    expect(output).toBe('[claude] "Hello from the stub."\r\n[claude] Complete (cost: $0.0012)\r\n');
  });

  test('40 columns: what can be broken is broken, under its first word', async () => {
    const { output } = await onTerminal(['show', '--verbose', '--color=never', recording('perm-denied-default')], {
      columns: 40,
    });
    const rows = output.split('\r\n');
    const tooWide = rows.filter((row) => stringWidth(row) > 40 && row.trim().includes(' ', 9));
    expect(tooWide).toEqual([]);
    expect(rows.some((row) => row.startsWith('         '))).toBe(true);
  });

  test('without a command and without a pipe it explains itself, where nothing can be drawn', async () => {
    const { output, status } = await onTerminal([], { env: { TERM: 'dumb' } });
    expect(output).toContain('glassbox help <command>');
    expect(status).toBe(0);
  });

  test('Ctrl-C ends the demo: status 130, nothing left on the screen', async () => {
    const { output, status } = await onTerminal(['demo', '--color=never'], { when: 'Bash npm test', type: '\x03' });
    expect(status).toBe(130);
    expect(output).not.toContain('Complete');
    expect(output).not.toContain('    at ');
  });
});

describe('how far a large file has been read', () => {
  const file = { path: 'big', bytes: 4e9, read: () => process.stdin };
  const watch = (streams: { stdout: boolean; stderr: boolean }, moments: readonly [ms: number, bytes: number][]) => {
    const written: string[] = [];
    let now = 0;
    const stderr = { isTTY: streams.stderr, write: (text: string) => written.push(text) > 0 };
    const line = createProgressLine(file, { stdout: { isTTY: streams.stdout }, stderr }, () => now);
    for (const [ms, bytes] of moments) {
      now = ms;
      line.update(bytes);
    }
    line[Symbol.dispose]();
    return written;
  };

  test.each<[string, { stdout: boolean; stderr: boolean }, readonly [number, number][], string[]]>([
    [
      'is told after a second, then now and then, and wiped away',
      { stdout: false, stderr: true },
      [
        [500, 1],
        [1100, 1e9],
        [1150, 1e9],
        [1400, 3e9],
      ],
      ['\r\x1b[K25 % of 4.0 GB', '\r\x1b[K75 % of 4.0 GB', '\r\x1b[K'],
    ],
    ['is not told when it was quick', { stdout: false, stderr: true }, [[900, 4e9]], []],
    ['is not told among lines that scroll', { stdout: true, stderr: true }, [[5000, 1]], []],
    ['is not told into a log', { stdout: false, stderr: false }, [[5000, 1]], []],
  ])('%s', (_name, streams, moments, written) => {
    expect(watch(streams, moments)).toEqual(written);
  });
});
