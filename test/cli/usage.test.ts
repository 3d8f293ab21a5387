import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { routes } from '../../src/cli/app.js';
import { EXIT_STATUSES, STATUS_OF_OUTCOME, STATUS_OF_REASON, statusOfError } from '../../src/cli/exit-status.js';
import { failureText } from '../../src/cli/failure.js';
import { END_REASONS, ERROR_CODES, GlassboxError } from '../../src/event/index.js';
import { temporaryDirectory } from '../fake-agent/play.js';
import { CLI, glassbox } from './glassbox.js';

interface Flag {
  kind: string;
  parse?: (input: string) => unknown;
}

/** What each command takes. */
function commands(): [name: string, parameters: { flags?: Record<string, Flag> }][] {
  return routes
    .getAllEntries()
    .map(({ name, target }) => [name.original, 'parameters' in target ? target.parameters : {}]);
}

describe('how the program is asked', () => {
  test.each([['--version'], ['-v']])('%s', async (flag) => {
    expect(await glassbox([flag])).toMatchObject({ stdout: `${packageJson.version}\n`, stderr: '', status: 0 });
  });

  test.each([['--help'], ['-h'], ['help']])('%s teaches: commands, examples, where to read on', async (flag) => {
    const { stdout, status } = await glassbox([flag]);
    expect(status).toBe(0);
    expect(stdout).toContain('--output-format stream-json --verbose | glassbox');
    expect(stdout).toMatch(/run, loop, fork +Run an agent/);
    expect(stdout).toContain('glassbox help <command>');
  });

  test('every command has a help of its own', async () => {
    for (const command of ['show', 'replay', 'demo', 'pipe', 'export']) {
      const { stdout, status } = await glassbox([command, '--help']);
      expect([command, status, stdout.includes(`glassbox ${command}`)]).toEqual([command, 0, true]);
    }
  });

  test.each([
    ['an unknown command', ['shwo'], 'There is no command shwo. Did you mean show? See glassbox --help.'],
    [
      'an unknown flag',
      ['show', '--verbos', 'x'],
      'There is no flag --verbos. Did you mean --verbose? See glassbox show --help.',
    ],
    [
      'an unknown flag of the pipe',
      ['--verbos'],
      'There is no flag --verbos. Did you mean --verbose? See glassbox --help.',
    ],
    ['an unknown flag, near one that agrees', ['prune', '--yep'], 'There is no flag --yep. See glassbox prune --help.'],
    ['an unknown letter', ['sessions', '-v'], 'There is no flag -v. See glassbox sessions --help.'],
    [
      'a wrong value',
      ['show', '--color=red', 'x'],
      '--color is one of auto, always, never, not red. See glassbox show --help.',
    ],
    [
      'a value that is no day',
      ['sessions', '--since=foo'],
      '--since: Write a day as 2026-01-31, today or yesterday, or a time ago as 24h, 7d or 4w, not foo. See glassbox sessions --help.',
    ],
    [
      'a value that is empty',
      ['run', 'claude', 'x', '--model', ''],
      '--model is empty. Give it a value, or leave it out. See',
    ],
    [
      'a choice that is empty',
      ['run', 'claude', 'x', '--permission', ''],
      '--permission is empty. Give it a value, or leave it out. It is one of ask,',
    ],
    [
      'a value that is empty, written together',
      ['run', 'claude', 'x', '--model='],
      '--model is empty. Give it a value, or leave it out. See glassbox run --help.',
    ],
    ['an id that is empty', ['stop', ''], 'The id is empty. See glassbox sessions.'],
    ['a value that is missing', ['sessions', '--since'], '--since needs a value. See glassbox sessions --help.'],
    [
      'a flag twice',
      ['sessions', '--since=1d', '--since=2d'],
      '--since can be given once. See glassbox sessions --help.',
    ],
    ['a word that is missing from the command line', ['search'], 'Say which words. See glassbox search --help.'],
    ['a word too many', ['doctor', 'extra'], 'There is one word too many: extra. See glassbox doctor --help.'],
    ['a speed that is none', ['replay', 'x', '--speed=0'], 'above 0'],
    ['an agent that is none', ['--agent=nobody'], 'nobody'],
  ])('U-1.4 %s is wrong usage: status 2, one line, no stack', async (_name, args, message) => {
    const { stdout, stderr, status } = await glassbox(args, '{}\n');
    expect({ stdout, status }).toEqual({ stdout: '', status: 2 });
    expect(stderr).toContain(message);
    expect(stderr).toMatch(/^glassbox: [^\n]*\n$/);
  });

  test('no flag of any command takes an empty value', () => {
    const flags = commands().flatMap(([command, parameters]) =>
      Object.entries(parameters.flags ?? {}).map(([flag, facts]) => ({ name: `${command} --${flag}`, ...facts })),
    );
    const parsed = flags.filter(({ kind }) => kind === 'parsed');
    expect(parsed.length).toBeGreaterThan(100);
    const takes = ({ parse }: Flag) => {
      try {
        parse?.('');
        return true;
      } catch {
        return false;
      }
    };
    expect(parsed.filter(takes).map(({ name }) => name)).toEqual([]);
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

test.skipIf(process.platform === 'win32')('too few open files are told in one line, without a stack', () => {
  const command = 'ulimit -n "$1"; exec "$2" "$3" sessions';
  const folder = temporaryDirectory();
  // Its own state: what an earlier test left running would be ended, and told in another line.
  const env = { ...process.env, GLASSBOX_STORE: path.join(folder, 'store.db'), GLASSBOX_STATE_DIR: folder };
  for (const limit of ['20', '22', '24', '26']) {
    const args = ['-c', command, 'sh', limit, process.execPath, CLI];
    const { status, signal, stderr } = spawnSync('sh', args, { env, encoding: 'utf8' });
    // Node itself could not start, or not open the program.
    if (signal !== null || stderr.includes(CLI)) continue;
    expect([limit, stderr]).toEqual([limit, expect.stringMatching(/^glassbox: [^\n]*\n$/)]);
    // With a little more it is only the store that cannot be opened, and then there is enough.
    expect([0, 3, 70]).toContain(status);
    if (status === 70) expect(stderr).toContain('ulimit -n');
  }
});

test('too many open files are no bug to be reported', () => {
  expect(failureText(Object.assign(new Error('x'), { code: 'ENFILE' }))).toMatch(
    /^glassbox: Too many files .*ulimit -n/,
  );
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
