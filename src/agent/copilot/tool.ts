/** Tool calls of Copilot: what each tool is, and what its result says. Its own `success` only means that the tool could run. */
import type { Payload, ToolKind } from '../../event/index.js';
import type { Body } from '../chronicle.js';
import { readContent } from '../content.js';
import { anyString, type Json, lookUp, members, number, objects, string } from '../field.js';
import { hunksIn } from '../hunk.js';
import { oneLine, SUMMARY_LIMITS } from '../summary.js';
import { todosFrom } from './todo.js';

export interface Call {
  name: string;
  input: Json;
}

export function kindOf(name: string): ToolKind {
  return lookUp(KINDS, name) ?? 'other';
}

const KINDS: Readonly<Record<string, ToolKind>> = {
  bash: 'execute',
  powershell: 'execute',
  read_bash: 'execute',
  write_bash: 'execute',
  stop_bash: 'execute',
  view: 'read',
  create: 'edit',
  edit: 'edit',
  str_replace_editor: 'edit',
  apply_patch: 'edit',
  glob: 'search',
  grep: 'search',
  rg: 'search',
  web_fetch: 'fetch',
  web_search: 'fetch',
  task: 'think',
  sql: 'think',
  report_intent: 'think',
  update_todo: 'think',
  task_complete: 'think',
};

/** MCP tools are called `<server>-<tool>`; only the list of servers tells where the name of the server ends. */
export function mcpOf(name: string, servers: Iterable<string>): { server: string; tool: string } | undefined {
  for (const server of servers) {
    if (name.startsWith(`${server}-`)) return { server, tool: name.slice(server.length + 1) };
  }
  return undefined;
}

export function summaryOf({ command, path, pattern, url, description, query, question, shellId }: Json): string {
  if (string(command) !== undefined) return oneLine(string(command) ?? '', SUMMARY_LIMITS.command);
  if (string(path) !== undefined) return string(path) ?? '';
  if (string(pattern) !== undefined) return oneLine(string(pattern) ?? '', SUMMARY_LIMITS.pattern);
  if (string(url) !== undefined) return oneLine(string(url) ?? '', SUMMARY_LIMITS.address);
  return oneLine(
    string(description) ?? string(query) ?? string(question) ?? string(shellId) ?? '',
    SUMMARY_LIMITS.task,
  );
}

/** A command that fails is a success with an exit code; a refusal is a failure with the code `denied`. */
export function resultOf({ success, error, result, shellExecution }: Json): Omit<Body<'tool-end'>, 'id'> {
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
export function effectsOf(toolId: string, { name, input }: Call, { result, fileEdits }: Json): Payload[] {
  const { content, detailedContent } = members(result);
  if (name === 'sql') {
    const todos = todosFrom(string(input.query) ?? '', anyString(content) ?? '');
    return todos ? [{ type: 'todo-update', todos }] : [];
  }
  const told = objects(fileEdits);
  const edits = told.length > 0 || kindOf(name) !== 'edit' ? told : [{ path: input.path }];
  // A view has a diff too, in which nothing changes; only an edit is asked for one.
  const diff = edits.length === 1 ? hunksIn(anyString(detailedContent)) : undefined;
  return edits.flatMap((edit): Payload[] => {
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
