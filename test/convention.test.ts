/** Holds the house rules that are not about who imports whom: sizes and names, the glossary, the law of event names, the gates, the shape of the package. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { entries } from '../scripts/build.mjs';
import { gates } from '../scripts/check.mjs';
import config from '../vitest.config.js';
import { LONG } from './support/longest-first.js';
import { literalTypesOf, readSources, type SourceFile } from './support/source.js';

/** Tables of data may be longer than code. */
const dataTables: readonly string[] = [];

const eventVerbs = 'start delta progress end update change retract request resolve withdraw deny'.split(' ');
const eventNouns = 'user-message plan-mode rate-limit agent-error decode-error status retry warning gap unknown'.split(
  ' ',
);

/** Words of the glossary's last column that mean something else here, too. */
const otherSenses =
  'account action amount answer backend chunk command exit filter frame history hook label log part price record result source step term thread token tool user'.split(
    ' ',
  );

type Rule = (files: SourceFile[]) => string[];

const filesAreSmall: Rule = (files) => {
  const sizes = files.map((file) => ({ path: file.path, lines: file.text.split('\n').length - 1 }));
  const code = sizes.filter(({ path }) => !dataTables.includes(path));
  const tooLong = code.filter(({ lines }) => lines > 400).map(({ path, lines }) => `${path} has ${lines} lines`);
  const sorted = code.map(({ lines }) => lines).sort((a, b) => a - b);
  const quantile = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0;
  if (quantile(0.5) >= 100) tooLong.push(`the median file has ${quantile(0.5)} lines`);
  if (quantile(0.9) >= 250) tooLong.push(`the 90th percentile has ${quantile(0.9)} lines`);
  return tooLong;
};

const fileNamesSaySomething: Rule = (files) =>
  files
    .filter(({ path }) => {
      const name = path.split('/').at(-1) ?? '';
      return !/^[a-z0-9]+(-[a-z0-9]+)*\.tsx?$/.test(name) || /\b(utils?|helpers?|common|manager|service)\b/.test(name);
    })
    .map(({ path }) => `${path} is not kebab-case, or says nothing`);

const eventsAreNounVerb: Rule = (files) => {
  // What is said to an agent is no event.
  const words = files.filter(({ path }) => path.startsWith('src/event/') && !/(answer|instruction)\.ts$/.test(path));
  const types = words.flatMap((file) => literalTypesOf(file, 'type'));
  const wrong = types.filter(
    (type) => !eventNouns.includes(type) && !eventVerbs.includes(type.split('-').at(-1) ?? ''),
  );
  const unfinished = types
    .filter((type) => type.endsWith('-delta'))
    .map((type) => type.replace(/(-input|-output)?-delta$/, '-end'))
    .filter((type) => !types.includes(type));
  return [
    ...wrong.map((type) => `${type} is not noun-verb`),
    ...unfinished.map((type) => `a delta has no ${type}`),
    ...(types.length === 0 ? ['no event type was found'] : []),
  ];
};

const namesAreThoseOfTheGlossary: Rule = (files) => {
  const [, glossary = ''] = readFileSync('ARCHITECTURE.md', 'utf8').split('## Glossary');
  const rows = [...glossary.matchAll(/^\| ([^|]+) \| [^|]+ \| ([^|]+) \|$/gm)].slice(1);
  const ours = new Set(rows.map(([, word]) => word));
  const synonyms = rows.flatMap(([, , words = '']) => words.split(', ')).filter((word) => !ours.has(word));
  const avoided = new Set(synonyms.filter((word) => /^[a-z]+$/.test(word) && !otherSenses.includes(word)));
  if (avoided.size < 20) return ['the glossary was not read'];
  return files.flatMap(({ path, text }) => {
    const names = [...text.matchAll(/^export (?:async )?(?:function|const|interface|type|class) (\w+)/gm)].map(
      ([, name]) => name,
    );
    const words = [path.split('/').at(-1), ...names]
      .join(' ')
      .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
      .toLowerCase();
    const found = new Set(
      words.match(/[a-z]+/g)?.filter((word) => avoided.has(word) || avoided.has(word.replace(/s$/, ''))),
    );
    return [...found].map((word) => `${path} says ${word}, for which the glossary has another word`);
  });
};

const exportsHaveNoWildcard = (packageJson: { exports: object }) =>
  Object.keys(packageJson.exports)
    .filter((subpath) => subpath.includes('*'))
    .map((subpath) => `package.json exports ${subpath}`);

const rules: { name: string; rule: Rule; broken: SourceFile[] }[] = [
  {
    name: 'no file has more than 400 lines',
    rule: filesAreSmall,
    broken: [source('src/run/run.ts', '\n'.repeat(401)), ...manySmallFiles(20)],
  },
  {
    name: 'the median file is under 100 lines',
    rule: filesAreSmall,
    broken: [source('src/run/a.ts', '\n'.repeat(120)), source('src/run/b.ts', '\n'.repeat(120))],
  },
  {
    name: 'the 90th percentile is under 250 lines',
    rule: filesAreSmall,
    broken: [...manySmallFiles(4), source('src/run/b.ts', '\n'.repeat(260))],
  },
  {
    name: 'files are kebab-case and named for what they hold',
    rule: fileNamesSaySomething,
    broken: [source('src/run/run-utils.ts', '')],
  },
  {
    name: 'files and what they export are named in the words of the glossary',
    rule: namesAreThoseOfTheGlossary,
    broken: [source('src/run/run.ts', 'export function createSanitiser(): void {}')],
  },
  {
    name: 'event types are nouns or noun-verb with a verb of the closed list',
    rule: eventsAreNounVerb,
    broken: [source('src/event/tool.ts', `type T = { type: 'tool-start' } | { type: 'tool-finished' };`)],
  },
  {
    name: 'what has deltas has an end',
    rule: eventsAreNounVerb,
    broken: [source('src/event/tool.ts', `type T = { type: 'text-delta' };`)],
  },
];

test.each(rules)('$name', ({ rule, broken }) => {
  expect(rule(readSources('src'))).toEqual([]);
  expect(rule(broken), 'the rule must see this violation').toHaveLength(1);
});

test('S0-37 every pure folder must keep 90 % of its lines covered', () => {
  const globs = Object.entries(config.test?.coverage?.thresholds ?? {});
  const pure: string[] = JSON.parse(readFileSync('tsconfig.pure.json', 'utf8')).include;
  expect(globs).toEqual(pure.map((folder) => [`${folder}/**`, { lines: 90 }]));
});

test('S2-22 the gates check types, the pure half, format, lint, promises and unused code', () => {
  const names = gates.map(({ name }) => name).join('\n');
  for (const gate of ['tsc -p tsconfig.json', 'tsc -p tsconfig.pure.json', 'biome', 'oxlint', 'knip'])
    expect(names).toContain(gate);
  const strict = (tool: string) => gates.find(({ name }) => name.startsWith(tool))?.args;
  expect(strict('biome')).toEqual(['check', '--error-on-warnings']);
  expect(strict('oxlint')).toEqual(['--type-aware', '--deny-warnings']);
});

describe('the package', () => {
  const packageJson = JSON.parse(readFileSync('package.json', 'utf8'));

  test('exports no wildcard', () => {
    expect(exportsHaveNoWildcard(packageJson)).toEqual([]);
    expect(exportsHaveNoWildcard({ exports: { './*': './dist/*.js' } })).toHaveLength(1);
  });

  test('exports exactly the doors that are built', () => {
    const built = new Set(readSources('src').map((file) => file.path));
    const doors = Object.entries(entries).filter(([name, door]) => name !== 'cli' && built.has(door));
    const expected = doors.map(([name, door]) => [
      name === 'index' ? '.' : `./${name}`,
      { types: door.replace(/^src/, './dist/types').replace(/\.ts$/, '.d.ts'), default: `./dist/${name}.js` },
    ]);
    expect(packageJson.exports).toEqual({ ...Object.fromEntries(expected), './package.json': './package.json' });
  });

  test('asks its users to install nothing', () => {
    expect(packageJson.dependencies).toBeUndefined();
    // Asked for by its name where it is used, and by nobody else.
    expect(packageJson.peerDependenciesMeta).toEqual({ pg: { optional: true } });
    expect(Object.keys(packageJson.peerDependencies)).toEqual(['pg']);
  });
});

function source(path: string, text: string): SourceFile {
  return { path, text };
}

function manySmallFiles(count: number): SourceFile[] {
  return Array.from({ length: count }, (_, index) => source(`src/run/part-${index}.ts`, '\n'));
}

test('the tests that are to come first are there', () => {
  expect(LONG.filter((file) => !existsSync(file))).toEqual([]);
});
