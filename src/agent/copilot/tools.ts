/** Tool calls of Copilot: what each tool is, and what its result says. Its own `success` only means that the tool could run. */
import type { Note, OpenTool, ToolResult } from '../chronicle/chronicle.js';
import { readContent } from '../content.js';
import { anyString, type Json, members, number, objects, string } from '../field.js';
import { hunksIn } from '../hunk.js';
import { atPaths, fetching, nothing, patching, replacing, running, searching, together, writing } from '../target.js';
import { type McpTool, type ToolTable, toolTable } from '../tool-table.js';
import { todosFrom } from './todo.js';

const REPLACEMENT = { path: 'path', before: 'old_str', after: 'new_str' };

const table = toolTable({
  kinds: {
    execute: ['bash', 'powershell', 'read_bash', 'write_bash', 'stop_bash'],
    read: ['view'],
    edit: ['create', 'edit', 'str_replace_editor', 'apply_patch'],
    search: ['glob', 'grep', 'rg'],
    fetch: ['web_fetch', 'web_search'],
    think: ['task', 'sql', 'report_intent', 'update_todo', 'task_complete'],
  },
  summary: {
    command: ['command'],
    path: ['path'],
    pattern: ['pattern'],
    address: ['url'],
    task: ['description', 'query', 'question', 'shellId'],
  },
  targets: {
    bash: running('command'),
    powershell: running('command'),
    // Typed into a shell that runs.
    write_bash: running('input'),
    view: atPaths('path'),
    create: writing('path', 'file_text'),
    edit: replacing(REPLACEMENT),
    str_replace_editor: together(replacing(REPLACEMENT), writing('path', 'file_text')),
    apply_patch: patching('input'),
    glob: searching(['path'], ['pattern']),
    grep: searching(['path', 'paths']),
    rg: searching(['path', 'paths']),
    web_fetch: fetching('url'),
    sql: nothing,
  },
});

export const TOOLS: ToolTable = {
  ...table,
  // A patch may be all that it is given.
  targets: (name, input) =>
    table.targets(name, name === 'apply_patch' && typeof input === 'string' ? { input } : input),
};

/** MCP tools are called `<server>-<tool>`; only the list of servers tells where the name of the server ends. */
export function mcpOf(name: string, servers: Iterable<string>): McpTool | undefined {
  for (const server of servers) {
    if (name.startsWith(`${server}-`)) return { server, tool: name.slice(server.length + 1) };
  }
  return undefined;
}

/** A command that fails is a success with an exit code; a refusal is a failure with the code `denied`. */
export function resultOf({ success, error, result, shellExecution }: Json): ToolResult {
  const exitCode = number(members(shellExecution).exitCode);
  const { code, message } = members(error);
  const { content, contents } = members(result);
  const { attachments } = readContent(contents);
  const failed = success === false || (exitCode !== undefined && exitCode !== 0);
  const output = (anyString(content) ?? anyString(message))?.replace(SHELL_NOTE, '');
  return { status: code === 'denied' ? 'denied' : failed ? 'failed' : 'ok', output, attachments, exitCode };
}

/** Written for the model; the exit code is told beside it. */
const SHELL_NOTE = /\n?<shellId: \S+ completed with exit code -?\d+>$/;

/** What a call that went well changed. */
export function effectsOf({ id: toolId, name, input: given }: OpenTool, { result, fileEdits }: Json): Note[] {
  const input = members(given);
  const { content, detailedContent } = members(result);
  if (name === 'sql') {
    const todos = todosFrom(string(input.query) ?? '', anyString(content) ?? '');
    return todos ? [{ type: 'todo-update', todos }] : [];
  }
  const told = objects(fileEdits);
  const edits = told.length > 0 || TOOLS.kind(name) !== 'edit' ? told : [{ path: input.path }];
  // A view has a diff too, in which nothing changes; only an edit is asked for one.
  const diff = edits.length === 1 ? hunksIn(anyString(detailedContent)) : undefined;
  return edits.flatMap((edit): Note[] => {
    const edited = string(edit.path);
    return edited === undefined
      ? []
      : [{ type: 'file-change', toolId, path: edited, kind: changeKind(string(edit.kind) ?? name), diff }];
  });
}

function changeKind(word: string): 'create' | 'edit' | 'delete' {
  if (/^(creat|add)/i.test(word)) return 'create';
  return /^(delet|remov)/i.test(word) ? 'delete' : 'edit';
}
