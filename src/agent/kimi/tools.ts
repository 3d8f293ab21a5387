/** What Kimi's tools are, how a call ended and what it changed. The older Kimi CLI had other names for the same tools. */
import type { Todo, ToolStatus } from '../../event/index.js';
import type { ToolKnowledge } from '../acp/tools.js';
import type { Note } from '../chronicle/chronicle.js';
import { anyString, type Json, lookUp, objects, string } from '../field.js';
import {
  atPaths,
  fetching,
  nothing,
  type ReadTargets,
  replacing,
  replacingEach,
  running,
  searching,
  writing,
} from '../target.js';
import { toolTable } from '../tool-table.js';

/** What is appended is not the whole file. */
const write: ReadTargets = (input) => (input.mode === 'append' ? atPaths('path') : writing('path', 'content'))(input);

export const TOOLS = toolTable({
  kinds: {
    execute: ['Bash', 'Shell'],
    read: ['Read', 'ReadFile', 'ReadMediaFile'],
    edit: ['Write', 'WriteFile', 'Edit', 'StrReplaceFile'],
    search: ['Glob', 'Grep'],
    fetch: ['WebSearch', 'SearchWeb', 'FetchURL'],
    think: ['TodoList', 'SetTodoList', 'Think', 'Task', 'Agent', 'AgentSwarm', 'Skill'],
  },
  summary: {
    command: ['command'],
    pattern: ['pattern'],
    path: ['path'],
    address: ['url'],
    task: ['query', 'description'],
  },
  targets: {
    Bash: running('command'),
    Shell: running('command'),
    Read: atPaths('path'),
    ReadFile: atPaths('path'),
    ReadMediaFile: atPaths('path'),
    Write: write,
    WriteFile: write,
    Edit: replacing({ path: 'path', before: 'old_string', after: 'new_string', all: 'replace_all' }),
    StrReplaceFile: replacingEach('edit', { path: 'path', before: 'old', after: 'new', all: 'replace_all' }),
    Glob: searching(['path', 'directory'], ['pattern']),
    Grep: searching(['path']),
    FetchURL: fetching('url'),
    Skill: nothing,
  },
});

/** The same tools in conversations: the first title of a call is the name of its tool. A new file's content comes without a difference. */
export const toolKnowledge: ToolKnowledge = {
  name: (call) => string(call.title),
  table: TOOLS,
  tellsArguments: true,
  result: readResult,
  effects: (id, name, input) => (name === 'Write' ? effectsOf(id, name, input) : []),
};

/** Nothing says how the call ended, other than the words of its result. */
export function readResult(name: string | undefined, output: string): { status: ToolStatus; exitCode?: number } {
  if (DENIED.test(output)) return { status: 'denied' };
  if (FAILED.test(output)) return { status: 'failed' };
  if (TOOLS.kind(name ?? '') !== 'execute') return { status: hasFailed(name, output) ? 'failed' : 'ok' };
  const code = /(?:^|\n)Command failed with exit code: (\d+)\.\s*$/.exec(output)?.[1];
  if (code !== undefined) return { status: 'failed', exitCode: Number(code) };
  if (/(?:^|\n)Interrupted by user\s*$/.test(output)) return { status: 'cancelled' };
  if (/(?:^|\n)(?:Command killed by timeout \(.*\)|Aborted before command started)\s*$/.test(output))
    return { status: 'failed' };
  return { status: 'ok' };
}

const DENIED = /^Tool "[^"\n]*" was (?:denied |not run because the user rejected )|^Plan rejected by user\./;
const FAILED =
  /^(?:<system>)?ERROR: |^Tool "[^"\n]*" (?:not found|failed)|^Invalid args for tool "|^Failed to |^ripgrep \(rg\) is not available|^(?:Grep|Glob) (?:aborted|timed out)|^Task not found: /;

function hasFailed(name: string | undefined, output: string): boolean {
  // A file's content comes with numbered lines, so these words are not those of a file.
  if (name === 'Read') return /^"[^\n]*" (?:does not exist\.|is )/.test(output);
  return lookUp(SUCCESS, name)?.test(output) === false;
}

/** Tools that always say so when they did what they were asked. */
const SUCCESS: Readonly<Record<string, RegExp>> = {
  Write: /^(?:Wrote|Appended) \d+ bytes to /,
  Edit: /^Replaced \d+ occurrence/,
};

export function effectsOf(toolId: string, name: string, { path, todos }: Json): Note[] {
  if (name === 'TodoList' || name === 'SetTodoList')
    return Array.isArray(todos) ? [{ type: 'todo-update', todos: objects(todos).map(todoOf) }] : [];
  const file = string(path);
  if (file === undefined || TOOLS.kind(name) !== 'edit') return [];
  return [{ type: 'file-change', toolId, path: file, kind: name.startsWith('Write') ? 'create' : 'edit' }];
}

function todoOf({ title, status }: Json): Todo {
  return { text: anyString(title) ?? '', status: lookUp(STATUS, anyString(status)?.toLowerCase()) ?? 'pending' };
}

const STATUS: Readonly<Record<string, Todo['status']>> = {
  done: 'done',
  'in progress': 'active',
  in_progress: 'active',
};
