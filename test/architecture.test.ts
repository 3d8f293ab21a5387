/** Holds the architecture: every rule is a function over the source tree, and every rule is shown to catch a violation. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { pureFolders } from '../scripts/pure-folders.mjs';
import { mayImport, packagesOf } from './support/import-table.js';
import { freeNamesOf, type Import, importsOf, readSources, type SourceFile, tokensOf } from './support/source.js';

/** The one default clock of the pure half; whoever stamps may inject another. */
const clockFile = 'src/decode/stamp.ts';

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

/** The roles that ARCHITECTURE.md lists; what stands behind a dash is a part of one. */
const roles = new Set(
  [
    ...(
      /\| file \| what it answers \|\n([\s\S]*?)\n\n/.exec(readFileSync('ARCHITECTURE.md', 'utf8'))?.[1] ?? ''
    ).matchAll(/^ *\| ([^|]*) \|/gm),
  ]
    .flatMap(([, names = '']) => [...names.matchAll(/`(\w+)`/g)])
    .map(([, name]) => name)
    .concat('stream', 'conversation'),
);

const agentFilesAreNamedByRole: Rule = (files) =>
  files.flatMap(({ path }) => {
    const [, folder, name = ''] = /^src\/agent\/([^/]+)\/([^/]+)\.ts$/.exec(path) ?? [];
    return folder === undefined ||
      folder === 'chronicle' ||
      folder === 'conformance' ||
      roles.has(name.replace(/-.*/, ''))
      ? []
      : [`${path} is not named by a role of ARCHITECTURE.md`];
  });

/** What promises that something ends is written in one place only. */
const agentsWriteThroughTheChronicle: Rule = (files) =>
  files
    .filter(({ path }) => /^src\/agent\/(?!chronicle\/)/.test(path))
    .flatMap((file) =>
      importsOf(file)
        .filter(({ target }) => /^src\/agent\/chronicle\/(?!chronicle\.ts)/.test(target ?? ''))
        .map(({ target }) => `${file.path} reaches into ${target}`),
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
    .filter((file) => !['store', 'hook', 'server', 'client', 'cli', 'view/web'].includes(folderOf(file.path)))
    .flatMap((file) => {
      const spoken = importsOf(file).filter(({ specifier }) => /^node:(https?|http2|net|tls|dgram)$/.test(specifier));
      const called = freeNamesOf(file).filter((name) => /^(fetch|WebSocket|EventSource|XMLHttpRequest)$/.test(name));
      return [...spoken.map(({ specifier }) => specifier), ...called].map((name) => `${file.path} uses ${name}`);
    });

/** Names of arguments that agents' tools have, and no word of ours. */
const argumentName =
  /\b(file_path|filePath|notebook_path|absolute_path|target_file|old_string|oldString|old_str|old_text|oldText|new_string|newString|new_str|new_text|newText|new_source|file_text|fileText|patchText|replace_all|replaceAll\s*:)\b/g;

/** Arguments whose names are words of ours too, which is no matter until they are looked for in an input. */
const argumentRead = [
  /\binput\??\.(command|cmd|script|paths?|content|url|pattern|query|prompt|description|edits|patch|diff)\b/g,
  /\binput(\?\.)?\[\s*['"`]/g,
  /\{[^{}]*\}\s*=\s*(\w+\??\.)*input\b(?!\s*[.(])/g,
  /\b(get|has|hasOwn)\(([^()]*,\s*)?['"`](command|cmd|script)['"`]\)/g,
  /(['"`])cmd\1|\bcommand\|(cmd|script)\b|\bcmd\|(command|script)\b/g,
];

const inputsAreOpaque: Rule = (files) =>
  files
    .filter(({ path }) => folderOf(path) !== 'agent')
    .flatMap(({ path, text }) =>
      [argumentName, ...argumentRead]
        .flatMap((pattern) => [...withoutComments(text).matchAll(pattern)])
        .map(([found]) => `${path} reads an argument: ${found}`),
    );

const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');

const nothingWatchesFiles: Rule = (files) =>
  files
    .filter((file) => ['run', 'decode', 'session', 'envelope', 'server'].includes(folderOf(file.path)))
    .flatMap((file) =>
      tokensOf(file)
        .identifiers.filter((name) => /^(fs\.)?(watch|watchFile|FSWatcher)$/.test(name))
        .filter(() => importsOf(file).some(({ specifier }) => /^node:fs/.test(specifier)))
        .slice(0, 1)
        .map((name) => `${file.path} uses ${name}`),
    );

const onlyTheCommandLineSpeaks: Rule = (files) =>
  files.flatMap((file) =>
    freeNamesOf(file)
      .filter((name) => /^console(\.|$)/.test(name))
      .slice(0, 1)
      .map(() => `${file.path} prints by itself`),
  );

/** Numbers of requirements, reviews and decisions: who reads the source has none of those papers. Requirements are cited by tests. */
const CITATION = /\b(?:LL-\d+|[SRT]\d?-\d{2,}|U-\d+\.\d+)\b|\bpitfalls? \d|\bdecision \d|§|\bthe seed\b/i;

const sourceCitesNoPaper: Rule = (files) =>
  files.flatMap((file) => {
    const line = file.text.split('\n').findIndex((text) => CITATION.test(text));
    return line < 0 ? [] : [`${file.path}:${line + 1} cites a paper`];
  });

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
  {
    name: 'files of agents are named by their role',
    rule: agentFilesAreNamedByRole,
    broken: [source('src/agent/claude/helper.ts', 'export const x = 1;')],
  },
  {
    name: 'agents reach the keeper of promises by its door',
    rule: agentsWriteThroughTheChronicle,
    broken: [
      source('src/agent/claude/protocol.ts', `import { createDraftWriter } from '../chronicle/draft-writer.js';`),
    ],
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
  ...[
    `const fields = ['file_path'];`,
    'const line = call.input?.command;',
    `const line = input['command'];`,
    'const { command } = event.input;',
    `const line = new Map(Object.entries(input)).get('command');`,
    'const isLine = /^(command|cmd|script)$/.test(name);',
  ].map((code) => ({
    name: `outside of the agents an input is opaque: no argument is read by its name (${code})`,
    rule: inputsAreOpaque,
    broken: [source('src/run/approval/rule.ts', code)],
  })),
  {
    name: 'S4-04 a run is told by its output alone: nothing on the way watches files',
    rule: nothingWatchesFiles,
    broken: [source('src/run/follow.ts', `import { watch } from 'node:fs'; watch;`)],
  },
  ...['/** As LL-33 wants. */', '// pitfall 11', '/** See decision 1. */', '/** The seed’s (S1-12). */'].map(
    (code) => ({
      name: `a reader needs no other paper (${code})`,
      rule: sourceCitesNoPaper,
      broken: [source('src/run/approval/rule.ts', code)],
    }),
  ),
  {
    name: 'S4-20 nothing is printed for debugging',
    rule: onlyTheCommandLineSpeaks,
    broken: [source('src/run/run.ts', `console.log('here');`)],
  },
];

describe('the source tree', () => {
  const files = readSources('src');

  test('is really read', () => {
    expect(files.length).toBeGreaterThan(15);
    expect(files.flatMap(importsOf).length).toBeGreaterThan(files.length / 2);
  });

  test('S3-02 line buffer, wire types, translation and tool kinds are files of their own', () => {
    const roles = {
      'jsonl/line-decoder': 'function createLineDecoder',
      'agent/claude/wire': 'interface WireEvent',
      'agent/claude/protocol': 'function createProtocol',
      'agent/claude/tools': 'const TOOLS',
    };
    for (const [role, main] of Object.entries(roles)) {
      const holders = files.filter(({ text }) => text.includes(`export ${main}`)).map(({ path }) => path);
      expect(holders.filter((path) => path.startsWith(`src/${role.split('/').slice(0, -1).join('/')}/`))).toEqual([
        `src/${role}.ts`,
      ]);
    }
  });

  /** Several rows show what one rule catches; the tree is asked once. */
  const violations = new Map<Rule, string[]>();
  const violationsOf = (rule: Rule): string[] => {
    const found = violations.get(rule) ?? rule(files);
    violations.set(rule, found);
    return found;
  };

  test.each(rules)('$name', ({ rule, broken }) => {
    expect(violationsOf(rule)).toEqual([]);
    expect(rule(broken), 'the rule must see this violation').toHaveLength(1);
  });
});

test('ARCHITECTURE.md shows the import table', () => {
  const cell = (allowed: readonly string[]) =>
    allowed.includes('*') ? 'everything' : allowed.map((name) => `\`${name}\``).join(', ') || 'nothing';
  const rows = readFileSync('ARCHITECTURE.md', 'utf8').matchAll(/^\| `([\w/]+)` \|.*\| (.*) \|$/gm);
  const shown = Object.fromEntries([...rows].map(([, folder, allowed]) => [folder, allowed]));
  const held = Object.entries(mayImport).filter(([folder]) => folder !== '');
  expect(shown).toEqual(Object.fromEntries(held.map(([folder, allowed]) => [folder, cell(allowed)])));
});

/** The doors of the package lie beside the folders; one of them may be for one agent's own words. */
const isDoor = (path: string): boolean => folderOf(path) === '';

/** `src/view/text/line.ts` → `view/text`; `src/run/spawn/spawn.ts` → `run`. */
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
