/** Holds the architecture: every rule is a function over the source tree, and every rule is shown to catch a violation. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { entries } from '../scripts/build.mjs';
import { gates } from '../scripts/check.mjs';
import config from '../vitest.config.js';
import {
  freeNamesOf,
  type Import,
  importsOf,
  literalTypesOf,
  readSources,
  type SourceFile,
  tokensOf,
} from './support/source.js';

/** Who may import whom. `x contract` stands for the types of x, and for the agents also the files beside their list. */
const mayImport: Record<string, readonly string[]> = {
  event: [],
  jsonl: ['event'],
  agent: ['event'],
  guard: ['event'],
  decode: ['event', 'jsonl', 'agent', 'guard'],
  session: ['event'],
  run: ['event', 'decode', 'agent contract'],
  envelope: ['event', 'run'],
  store: ['event'],
  archive: ['event', 'jsonl', 'decode', 'agent contract', 'store contract'],
  server: ['event', 'session', 'run', 'export', 'client contract', 'store'],
  client: ['event', 'store contract'],
  export: ['event', 'session'],
  conform: ['event', 'jsonl', 'decode', 'agent contract'],
  'view/text': ['event', 'session', 'decode'],
  'view/web': ['event', 'session', 'client'],
  cli: ['*'],
  /** `src/*.ts`, the doors of the package. */
  '': ['*'],
};

const pureFolders = ['event', 'jsonl', 'agent', 'guard', 'decode', 'session', 'view/text'];

/** Packages that are bundled, and the only folders that may use them. */
const packagesOf: Record<string, readonly string[]> = {
  'view/text': ['fast-string-width', 'strip-ansi'],
  export: ['strip-ansi'],
  store: ['@photostructure/sqlite'],
  server: ['@hono/node-server', '@hono/zod-openapi', 'hono', 'hono/http-exception'],
  cli: ['@stricli/core', 'diff', 'fast-string-width'],
};

/** The one default clock of the pure half; whoever stamps may inject another. */
const clockFile = 'src/decode/stamp.ts';

/** Tables of data may be longer than code. */
const dataTables: readonly string[] = [];

const eventVerbs = 'start delta progress end update change retract request resolve withdraw deny'.split(' ');
const eventNouns = 'user-message plan-mode rate-limit agent-error decode-error status retry warning gap unknown'.split(
  ' ',
);

type Rule = (files: SourceFile[]) => string[];

const importTable: Rule = (files) =>
  files.flatMap((file) => {
    const folder = folderOf(file.path);
    const allowed = mayImport[folder] ?? [];
    return importsOf(file)
      .filter((used) => used.target && !isAllowed(folder, allowed, used))
      .map((used) => `${file.path} imports ${used.target}, which ${folder} may not`);
  });

const everyFolderIsInTheTable: Rule = (files) =>
  [...new Set(files.map((file) => folderOf(file.path)))]
    .filter((folder) => !(folder in mayImport))
    .map((folder) => `src/${folder} is not in the import table`);

const packagesWhereTheyBelong: Rule = (files) =>
  files.flatMap((file) => {
    const folder = folderOf(file.path);
    if (folder === 'view/web') return [];
    const allowed = packagesOf[folder] ?? [];
    return importsOf(file)
      .filter(({ target, specifier }) => !target && !specifier.startsWith('node:') && !allowed.includes(specifier))
      .map(({ specifier }) => `${file.path} imports the package ${specifier}`);
  });

/** Agents whose name says something else too: a cursor is a place in a list. */
const ordinaryWords = ['cursor'];

const agentsLiveInTheirFolder: Rule = (files) => {
  const agents = agentNames(files).filter((agent) => !ordinaryWords.includes(agent));
  return files
    .filter((file) => !file.path.startsWith('src/agent/') && !isDoor(file.path))
    .flatMap((file) => {
      const { identifiers, strings } = tokensOf(file);
      // The command line may name agents to people, in sentences and examples, but not decide by a name.
      const told = file.path.startsWith('src/cli/') ? strings.filter((text) => !/\s/.test(text)) : strings;
      const words = new Set([...identifiers, ...told].flatMap(wordsOf));
      return agents.filter((agent) => words.has(agent)).map((agent) => `${file.path} names the agent ${agent}`);
    });
};

const agentsDoNotKnowEachOther: Rule = (files) => {
  const agents = agentNames(files);
  return files.flatMap((file) => {
    const own = /^src\/agent\/([^/]+)\//.exec(file.path)?.[1];
    return importsOf(file)
      .map((used) => /^src\/agent\/([^/]+)\//.exec(used.target ?? '')?.[1])
      .filter((other) => own && other && other !== own && agents.includes(other))
      .map((other) => `${file.path} imports the agent ${other}`);
  });
};

const agentFoldersHaveOneDoor: Rule = (files) =>
  files
    .filter((file) => !file.path.startsWith('src/agent/') && !isDoor(file.path))
    .flatMap((file) =>
      importsOf(file)
        .filter((used) => /^src\/agent\/[^/]+\//.test(used.target ?? ''))
        .map((used) => `${file.path} reaches into ${used.target}`),
    );

const pureFoldersArePure: Rule = (files) =>
  files
    .filter((file) => pureFolders.includes(folderOf(file.path)))
    .flatMap((file) => {
      const impure = freeNamesOf(file).filter(
        (name) =>
          /^(Date\.now|new Date|Math\.random|performance|process|crypto|globalThis|setTimeout|setInterval|document|window)$/.test(
            name,
          ) && !(file.path === clockFile && name === 'Date.now'),
      );
      const builtins = importsOf(file).filter(({ specifier }) => specifier.startsWith('node:'));
      return [...impure, ...builtins.map(({ specifier }) => specifier)].map((name) => `${file.path} uses ${name}`);
    });

const agentsAreProgramsNotServices: Rule = (files) =>
  files
    .filter((file) => !['server', 'client', 'cli', 'view/web'].includes(folderOf(file.path)))
    .flatMap((file) => {
      const spoken = importsOf(file).filter(({ specifier }) => /^node:(https?|http2|net|tls|dgram)$/.test(specifier));
      const called = freeNamesOf(file).filter((name) => /^(fetch|WebSocket|EventSource|XMLHttpRequest)$/.test(name));
      return [...spoken.map(({ specifier }) => specifier), ...called].map((name) => `${file.path} uses ${name}`);
    });

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
  const types = files.filter((file) => folderOf(file.path) === 'event').flatMap((file) => literalTypesOf(file, 'type'));
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

const exportsHaveNoWildcard = (packageJson: { exports: object }) =>
  Object.keys(packageJson.exports)
    .filter((subpath) => subpath.includes('*'))
    .map((subpath) => `package.json exports ${subpath}`);

const rules: { name: string; rule: Rule; broken: SourceFile[] }[] = [
  {
    name: 'folders import only what the table allows',
    rule: importTable,
    broken: [source('src/event/event.ts', `import { run } from '../run/index.js';`)],
  },
  {
    name: 'a contract is types only',
    rule: importTable,
    broken: [source('src/archive/import.ts', `import { openStore } from '../store/index.js';`)],
  },
  {
    name: 'a dynamic import is an import too',
    rule: importTable,
    broken: [source('src/session/reduce.ts', `export const load = () => import('../store/index.js');`)],
  },
  {
    name: 'every folder of src is in the table',
    rule: everyFolderIsInTheTable,
    broken: [source('src/misc/thing.ts', '')],
  },
  {
    name: 'packages are used only where they belong',
    rule: packagesWhereTheyBelong,
    broken: [source('src/run/run.ts', `import execa from 'execa';`)],
  },
  {
    name: 'S3-01 no agent is named outside its folder, as a word of a string',
    rule: agentsLiveInTheirFolder,
    broken: [listOfAgents(), source('src/run/spawn.ts', `if (name === 'claude-code') wait();`)],
  },
  {
    name: 'S3-01 no agent is named outside its folder, as part of an identifier',
    rule: agentsLiveInTheirFolder,
    broken: [listOfAgents(), source('src/session/reduce.ts', 'const isClaudeTool = true;')],
  },
  {
    name: 'the command line does not decide by the name of an agent',
    rule: agentsLiveInTheirFolder,
    broken: [listOfAgents(), source('src/cli/app.ts', `const help = 'try claude -p'; if (agent === 'claude') wait();`)],
  },
  {
    name: 'two agents never import each other',
    rule: agentsDoNotKnowEachOther,
    broken: [listOfAgents(), source('src/agent/codex/index.ts', `import { tools } from '../claude/tools.js';`)],
  },
  {
    name: 'agents are reached through their list',
    rule: agentFoldersHaveOneDoor,
    broken: [source('src/decode/decode.ts', `import { claude } from '../agent/claude/index.js';`)],
  },
  ...['Date.now()', 'new Date(0)', 'Math.random()', 'performance.now()', 'process.env', 'setTimeout(f)'].map(
    (code) => ({
      name: `pure folders never say ${code}`,
      rule: pureFoldersArePure,
      broken: [source('src/session/reduce.ts', `const x = ${code};`)],
    }),
  ),
  {
    name: 'pure folders import nothing of Node',
    rule: pureFoldersArePure,
    broken: [source('src/view/text/line.ts', `import { EOL } from 'node:os';`)],
  },
  {
    name: 'S0-28 an agent is run as a program: only server and client speak to a network',
    rule: agentsAreProgramsNotServices,
    broken: [source('src/run/ask.ts', `export const ask = () => fetch('https://api.example.com/v1/messages');`)],
  },
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

describe('the source tree', () => {
  const files = readSources('src');

  test('is really read', () => {
    expect(files.length).toBeGreaterThan(15);
    expect(files.flatMap(importsOf).length).toBeGreaterThan(files.length / 2);
  });

  test('S3-02 line buffer, wire types, translation and tool kinds are files of their own', () => {
    const paths = files.map(({ path }) => path);
    const roles = ['jsonl/line-decoder', 'agent/claude/wire', 'agent/claude/protocol', 'agent/claude/tools'];
    expect(paths).toEqual(expect.arrayContaining(roles.map((role) => `src/${role}.ts`)));
  });

  test.each(rules)('$name', ({ rule, broken }) => {
    expect(rule(files)).toEqual([]);
    expect(rule(broken), 'the rule must see this violation').toHaveLength(1);
  });
});

test('S0-37 every pure folder must keep 90 % of its lines covered', () => {
  const globs = Object.entries(config.test?.coverage?.thresholds ?? {});
  expect(globs).toEqual(pureFolders.map((folder) => [`src/${folder}/**`, { lines: 90 }]));
});

test('S2-22 the gates check types, the pure half, format, lint, promises and unused code', () => {
  const names = gates.map(({ name }) => name).join('\n');
  for (const gate of ['tsc -p tsconfig.json', 'tsc -p tsconfig.pure.json', 'biome', 'oxlint', 'knip'])
    expect(names).toContain(gate);
});

test('ARCHITECTURE.md shows the import table', () => {
  const cell = (allowed: readonly string[]) =>
    allowed.includes('*') ? 'everything' : allowed.map((name) => `\`${name}\``).join(', ') || 'nothing';
  const rows = readFileSync('ARCHITECTURE.md', 'utf8').matchAll(/^\| `([\w/]+)` \|.*\| (.*) \|$/gm);
  const shown = Object.fromEntries([...rows].map(([, folder, allowed]) => [folder, allowed]));
  const held = Object.entries(mayImport).filter(([folder]) => folder !== '');
  expect(shown).toEqual(Object.fromEntries(held.map(([folder, allowed]) => [folder, cell(allowed)])));
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
    expect(packageJson.peerDependencies).toBeUndefined();
  });
});

/** `src/view/text/line.ts` → `view/text`; `src/run/spawn/spawn.ts` → `run`. */
/** The doors of the package lie beside the folders; one of them may be for one agent's own words. */
const isDoor = (path: string): boolean => folderOf(path) === '';

function folderOf(path: string): string {
  const parts = path.split('/').slice(1, -1);
  return parts[0] === 'view' ? parts.slice(0, 2).join('/') : (parts[0] ?? '');
}

function isAllowed(folder: string, allowed: readonly string[], { target = '', typeOnly }: Import): boolean {
  const other = folderOf(target);
  if (other === folder || allowed.includes('*') || allowed.includes(other)) return true;
  const besideTheList = /^src\/agent\/[^/]+\.ts$/.test(target) && target !== 'src/agent/index.ts';
  return allowed.includes(`${other} contract`) && (typeOnly || besideTheList);
}

/** Those that `src/agent/index.ts` lists; other folders there are shared speech. */
function agentNames(files: SourceFile[]): string[] {
  const list = files.find((file) => file.path === 'src/agent/index.ts');
  return (list ? importsOf(list) : []).flatMap(({ target }) => /^src\/agent\/([^/]+)\//.exec(target ?? '')?.[1] ?? []);
}

/** `isClaudeTool` → is, claude, tool. */
function wordsOf(text: string): string[] {
  const spaced = text.replace(/([a-z0-9])([A-Z])/g, '$1 $2');
  return spaced.toLowerCase().split(/[^a-z0-9]+/);
}

function source(path: string, text: string): SourceFile {
  return { path, text };
}

function listOfAgents(): SourceFile {
  return source('src/agent/index.ts', `import { claude } from './claude/index.js';\nexport const AGENTS = [claude];`);
}

function manySmallFiles(count: number): SourceFile[] {
  return Array.from({ length: count }, (_, index) => source(`src/run/part-${index}.ts`, '\n'));
}
