import { describe, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { EXIT_STATUSES, STATUS_OF_OUTCOME, STATUS_OF_REASON, statusOfError } from '../../src/cli/exit-status.js';
import { END_REASONS, ERROR_CODES, GlassboxError } from '../../src/event/index.js';
import { glassbox } from './glassbox.js';

describe('how the program is asked', () => {
  test.each([['--version'], ['-v']])('%s', async (flag) => {
    expect(await glassbox([flag])).toMatchObject({ stdout: `${packageJson.version}\n`, stderr: '', status: 0 });
  });

  test.each([['--help'], ['-h']])('%s teaches: examples, commands, exit statuses', async (flag) => {
    const { stdout, status } = await glassbox([flag]);
    expect(status).toBe(0);
    expect(stdout).toContain('--output-format stream-json --verbose | glassbox');
    expect(stdout).toMatch(/show +Show runs again/);
    for (const [code, meaning] of EXIT_STATUSES) expect(stdout).toMatch(new RegExp(`^ +${code} +${meaning}$`, 'm'));
  });

  test('every command has a help of its own', async () => {
    for (const command of ['show', 'replay', 'demo', 'pipe', 'export']) {
      const { stdout, status } = await glassbox([command, '--help']);
      expect([command, status, stdout.includes(`glassbox ${command}`)]).toEqual([command, 0, true]);
    }
  });

  test.each([
    ['an unknown command', ['shwo'], 'did you mean `show`?'],
    ['an unknown flag', ['show', '--verbos', 'x'], 'did you mean --verbose?'],
    ['an unknown flag of the pipe', ['--verbos'], 'did you mean --verbose?'],
    ['a wrong value', ['show', '--color=red', 'x'], 'red'],
    ['a file that is missing from the command line', ['show'], 'file'],
    ['a speed that is none', ['replay', 'x', '--speed=0'], 'above 0'],
    ['an agent that is none', ['--agent=nobody'], 'nobody'],
  ])('U-1.4 %s is wrong usage: status 2, one line, no stack', async (_name, args, message) => {
    const { stdout, stderr, status } = await glassbox(args, '{}\n');
    expect({ stdout, status }).toEqual({ stdout: '', status: 2 });
    expect(stderr).toContain(message);
    expect(stderr).toMatch(/^glassbox: [^\n]*\n$/);
  });

  test('what follows -- is no flag', async () => {
    const { stderr, status } = await glassbox(['show', '--', '--json']);
    expect({ stderr, status }).toEqual({ stderr: 'glassbox: There is no file --json.\n', status: 3 });
  });

  test('LL-39 an argument cannot reach the terminal', async () => {
    const { stderr } = await glassbox(['show', '\x1b]0;owned\x07\x1b[2Jx', '\u202ey']);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what must not be there
    expect(stderr).not.toMatch(/[\x1b\x07\u202e]/);
  });
});

describe('the table of exit statuses', () => {
  const listed: number[] = EXIT_STATUSES.map(([status]) => status);

  test('holds every way to end, every outcome and every error, and each number once', () => {
    const used = [
      ...END_REASONS.map((reason) => STATUS_OF_REASON[reason]),
      ...Object.values(STATUS_OF_OUTCOME),
      ...ERROR_CODES.map((code) => statusOfError(new GlassboxError(code, 'x'))),
      statusOfError(new Error('a bug')),
    ];
    expect(used.filter((status) => !listed.includes(status))).toEqual([]);
    expect(new Set(listed).size).toBe(listed.length);
  });
});
