/**
 * What each tool of each agent is, what its calls touch and which of their arguments are told in a line. Rules of the user are judged by
 * it, also for tools that no recording has, so the lists beside this file are read when they change; `npx vitest run test/agent -u` writes them.
 */
import { expect, test } from 'vitest';
import { TOOLS as amp } from '../../src/agent/amp/tools.js';
import { TOOLS as claude } from '../../src/agent/claude/tools.js';
import { TOOLS as cline } from '../../src/agent/cline/tools.js';
import { TOOLS as copilot } from '../../src/agent/copilot/tools.js';
import { TOOLS as cursor } from '../../src/agent/cursor/tools.js';
import { TOOLS as droid } from '../../src/agent/droid/tools.js';
import { TOOLS as gemini } from '../../src/agent/gemini/tools.js';
import { TOOLS as kimi } from '../../src/agent/kimi/tools.js';
import { TOOLS as opencode } from '../../src/agent/opencode-family/tools.js';
import { TOOLS as pi } from '../../src/agent/pi/tools.js';
import { TOOLS as qwen } from '../../src/agent/qwen/tools.js';
import type { ToolTable } from '../../src/agent/tool-table.js';
import type { Edit, ToolKind } from '../../src/event/index.js';

const KINDS: Record<ToolKind, true> = {
  read: true,
  edit: true,
  delete: true,
  move: true,
  search: true,
  execute: true,
  fetch: true,
  think: true,
  other: true,
};

/** Every argument that is ever read; each says its own name, so that the list shows where something came from. */
const texts =
  `absolute_path agent_name cmd code command content description dir_path directory directory_path fileText file_path
  file_text filePath filepath folder name newString newText new_str new_string new_text notebook_path oldString oldText old_str old_string old_text
  path query question script shellId subject targetDirectory title`.split(/\s+/);
const patch = (file: string) => `*** Begin Patch\n*** Update File: ${file}\n@@\n-a\n+b\n*** End Patch`;
const flags = { allow_multiple: true, replace_all: true, replaceAll: true };
const replacement = {
  ...Object.fromEntries(
    'new newString newText new_str new_string old oldString oldText old_str old_string'
      .split(' ')
      .map((name) => [name, name]),
  ),
  ...flags,
};
const ARGUMENTS: Record<string, unknown> = {
  ...Object.fromEntries(texts.map((name) => [name, name])),
  ...flags,
  changes: [replacement],
  commands: ['commands', { command: 'commands.command' }],
  edit: replacement,
  edits: [replacement],
  filePattern: '/filePattern/*',
  files: ['files', { path: 'files.path' }],
  globPattern: '/globPattern/*',
  include: ['include'],
  input: patch('input'),
  paths: ['paths'],
  patchText: patch('patchText'),
  pattern: '/pattern/*',
  patterns: ['/patterns/*'],
  prompt: 'look at https://prompt.example/a',
  referenceFiles: ['referenceFiles'],
  requests: [{ url: 'https://requests.example' }],
  targetDirectories: ['targetDirectories'],
  url: 'https://url.example',
};

const UNKNOWN = 'unknown_tool';

const tables: Record<string, ToolTable> = {
  amp,
  claude,
  cline,
  copilot,
  cursor,
  droid,
  gemini,
  kimi,
  opencode,
  pi,
  qwen,
};

const whole = Object.entries(tables).map(([agent, table]) => {
  const names = Object.keys(KINDS).flatMap((kind) => table.names(kind as ToolKind));
  const hidden = ['EnterPlanMode', 'ExitPlanMode', 'exit_plan_mode', 'AskUserQuestion', 'ask_user_question'];
  const lines = [...names, ...hidden.filter(table.isHidden), UNKNOWN].map((name) => lineOf(table, name));
  return [agent, `${lines.join('\n')}\n`] as const;
});

test.each(whole)('%s', async (agent, list) => {
  await expect(list).toMatchFileSnapshot(`tool-table/${agent}.txt`);
});

/** Of what any tool of the agent would tell by the same arguments only the word. */
function lineOf(table: ToolTable, name: string): string {
  const [own, usual] = [factsOf(table, name), factsOf(table, UNKNOWN)];
  const isUsual = name !== UNKNOWN && own.touches === usual.touches;
  const touches = isUsual ? ', touches what its arguments are usually named for' : own.touches;
  const line = name !== UNKNOWN && own.line === usual.line ? '' : `\n  line: ${own.line}`;
  return `${name} ${table.isHidden(name) ? `(${table.asks(name)}, no card)` : table.kind(name)}${touches}${line}`;
}

function factsOf(table: ToolTable, name: string) {
  const { paths, hosts, command, edits } = table.targets(name, ARGUMENTS);
  const alone = Object.entries(ARGUMENTS).map(([field, value]) => [field, { [field]: value }] as const);
  const commands = alone.flatMap(([field, input]) => (table.targets(name, input).command === undefined ? [] : [field]));
  const touches: [string, string | undefined][] = [
    ['paths', paths?.join(' ')],
    ['hosts', hosts?.join(' ')],
    ['command', command === undefined ? undefined : commands.join(' ')],
    ['edits', edits?.map(editText).join('; ')],
  ];
  return {
    touches: touches.flatMap(([what, text]) => (text === undefined ? [] : [`\n  ${what}: ${text}`])).join(''),
    line: alone.flatMap(([field, input]) => (table.summary(name, input) === '' ? [] : [field])).join(' ') || 'none',
  };
}

function editText({ path: file, kind, ...parts }: Edit): string {
  return `${kind} ${file} ${JSON.stringify(parts)}`;
}
