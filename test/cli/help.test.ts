import stringWidth from 'fast-string-width';
import { describe, expect, test } from 'vitest';
import { routes } from '../../src/cli/app.js';
import { EXIT_STATUSES } from '../../src/cli/exit-status.js';
import { COMMAND_GROUPS, DEEDS } from '../../src/cli/help/command-group.js';
import { helpAsked, helpText } from '../../src/cli/help/help-text.js';
import { unknownCommandText } from '../../src/cli/misuse.js';
import { glassbox } from './glassbox.js';

const entries = routes.getAllEntries();
const visible = entries.filter(({ hidden }) => !hidden).map(({ name }) => name.original);

/** As on a terminal of so many columns. */
const rows = (topic: string, columns = 80, env: NodeJS.ProcessEnv = { NO_COLOR: '1' }) =>
  helpText(topic, routes, { env, stdout: { columns, isTTY: true } as NodeJS.Process['stdout'] }) ?? [];

describe('glassbox --help', () => {
  test('is at most 40 rows', () => {
    const shown = rows('');
    expect(shown.length).toBeGreaterThan(30);
    expect(shown.length).toBeLessThanOrEqual(40);
  });

  test('names every command once', () => {
    const named = COMMAND_GROUPS.flatMap(([, lines]) => lines.flatMap(({ names }) => names));
    expect([...named].sort()).toEqual([...visible].sort());
    expect(visible).toEqual(expect.arrayContaining([...DEEDS]));
    for (const name of visible) expect(rows('').join('\n')).toMatch(new RegExp(`^  (.*, )?${name}(,|  )`, 'm'));
  });

  test('has headings that stand out, and none without colour', () => {
    const bold = rows('', 80, { FORCE_COLOR: '1' }).filter((row) => row.startsWith('\x1b[1m'));
    expect(bold).toHaveLength(COMMAND_GROUPS.length + 1);
    expect(rows('').join('')).not.toContain('\x1b');
  });
});

test.each(['', 'exit-status', ...entries.map(({ name }) => name.original)])(
  'the help of "%s" fits terminals of 30 to 250 columns and says the same in all of them',
  (topic) => {
    const words = (columns: number) => rows(topic, columns).join(' ').split(/\s+/).filter(Boolean).join('');
    for (const columns of [30, 44, 80, 250]) {
      const wide = rows(topic, columns).filter((row) => stringWidth(row) > columns);
      // A name that is longer than the terminal is wide has nowhere to be broken.
      expect(wide.filter((row) => row.trim().includes('  ') || stringWidth(row) > 40)).toEqual([]);
      expect(words(columns)).toBe(words(250));
    }
  },
);

test('every flag with a value names it', () => {
  const nameless = entries.flatMap(({ name, target }) =>
    Object.entries(('parameters' in target && target.parameters.flags) || {})
      .filter(([, flag]) => flag.kind === 'parsed' && flag.placeholder === undefined)
      .map(([flag]) => `${name.original} --${flag}`),
  );
  expect(nameless).toEqual([]);
  expect(rows('run').join('\n')).toMatch(/^ {2}-m, --model <name> +Model/m);
  expect(rows('cost').join(' ').replace(/ +/g, ' ')).toContain(
    'one of day, week, month, session, project, agent, model, tool, cause',
  );
});

test.each([
  [['--help'], ''],
  [['-h'], ''],
  [['help'], ''],
  [['help', '--help'], ''],
  [['help', 'run'], 'run'],
  [['run', 'claude', 'x', '-h'], 'run'],
  [['run', 'claude', '--', '-h'], undefined],
  [['run', 'claude', 'help'], undefined],
])('%j asks for the help of %j', (words, topic) => {
  expect(helpAsked(words)).toBe(topic);
});

test('help of what is no command says so, and leads nobody to what decides, ends or removes', async () => {
  expect(await glassbox(['help', 'shwo'])).toMatchObject({
    status: 2,
    stdout: '',
    stderr: 'glassbox: There is no command shwo. Did you mean show? See glassbox --help.\n',
  });
  const { stderr } = await glassbox(['prunee']);
  expect(stderr).toBe('glassbox: There is no command prunee. See glassbox --help.\n');
});

test.each([
  // What costs money is named only to who missed by one letter.
  ['typo', ''],
  ['lop', ' Did you mean loop?'],
  ['rnu', ' Did you mean run?'],
  ['runn', ' Did you mean run?'],
  ['rux', ' Did you mean run?'],
  ['resum', ' Did you mean resume?'],
  ['rseum', ''],
])('%s is no command, and leads to nothing that costs money by chance', (typed, meant) => {
  const text = unknownCommandText(typed, ['`run`', '`loop`', '`resume`', '`prune`']);
  expect(text).toBe(`glassbox: There is no command ${typed}.${meant} See glassbox --help.`);
});

test.each([
  [['version'], 'command version. Did you mean --version?'],
  [['list'], 'command list. Did you mean sessions?'],
  [['log'], 'command log. Did you mean show?'],
  [['sess'], 'command sess. Did you mean sessions?'],
  [['vesrion'], 'command vesrion.'],
  [['sessions', '--hlep'], 'flag --hlep. Did you mean --help?'],
  [['run', '--prog'], 'flag --prog. Did you mean --program?'],
  [['run', '--xyzzy'], 'flag --xyzzy.'],
])('%j leads to what is meant, or nowhere', async (words, said) => {
  const help = words.length > 1 ? `${words[0]} --help` : '--help';
  expect((await glassbox(words)).stderr).toBe(`glassbox: There is no ${said} See glassbox ${help}.\n`);
});

test('glassbox help exit-status tells all of them', async () => {
  const { stdout } = await glassbox(['help', 'exit-status']);
  for (const [code, meaning] of EXIT_STATUSES) expect(stdout).toMatch(new RegExp(`^ +${code} +${meaning}$`, 'm'));
});
