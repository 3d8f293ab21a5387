/** What each tool of Amp is, in every generation of names, and what its results hide inside a string. */
import { defined, type FileChangeKind, type Todo } from '../../event/index.js';
import type { Note, OpenTool } from '../chronicle/chronicle.js';
import type { ResultReading, ToolResult } from '../claude-lines/tools.js';
import { readContent } from '../content.js';
import { anyString, type Json, lookUp, members, number, object, objects, parsed, string } from '../field.js';
import { hunksIn } from '../hunk.js';
import { atPaths, fetching, nothing, patching, replacing, running, searching, writing } from '../target.js';
import { type SummaryFields, summarizeBy, toolTable } from '../tool-table.js';

const SUMMARY: SummaryFields = {
  command: ['command', 'cmd'],
  path: ['path'],
  pattern: ['filePattern', 'pattern'],
  address: ['url', 'query'],
  task: ['description', 'task'],
};

export const TOOLS = toolTable({
  kinds: {
    read: ['Read', 'look_at', 'read_mcp_resource', 'read_thread'],
    edit: ['create_file', 'edit_file', 'apply_patch', 'undo_edit'],
    search: ['glob', 'Grep', 'finder', 'find_thread'],
    execute: ['Bash', 'shell_command', 'async_shell_command', 'shell_command_status', 'shell_command_kill'],
    fetch: ['read_web_page', 'web_search'],
    think: ['Task', 'oracle', 'librarian', 'skill', 'handoff', 'todo_write', 'todo_read', 'task_list'],
  },
  mcp: /^mcp__(.+?)__(.+)$/s,
  summary: (input, name) =>
    name === 'apply_patch' ? patchedFiles(string(input.patchText) ?? '').join(', ') : summarizeBy(SUMMARY, input),
  targets: {
    Read: atPaths('path'),
    look_at: atPaths('path', 'referenceFiles'),
    read_thread: nothing,
    create_file: writing('path', 'content'),
    edit_file: replacing({ path: 'path', before: 'old_str', after: 'new_str', all: 'replace_all' }),
    apply_patch: patching('patchText'),
    undo_edit: atPaths('path'),
    glob: searching(['path'], ['filePattern']),
    Grep: searching(['path']),
    finder: searching([]),
    find_thread: nothing,
    Bash: running('cmd', 'command'),
    shell_command: running('command'),
    async_shell_command: running('command'),
    read_web_page: fetching('url'),
    skill: nothing,
  },
});

/** A failing command and a refused one are both `is_error: false`: the truth is in the text. */
export function readResult({ text, failed }: ToolResult): ResultReading & { structured: Json | undefined } {
  if (REFUSED.test(text)) return { status: 'denied', output: text, structured: undefined };
  const value = parse(text);
  const status = failed ? 'failed' : 'ok';
  // MCP servers answer with blocks.
  if (Array.isArray(value)) {
    const { text: output, attachments } = readContent(value);
    return { status, output, attachments, structured: undefined };
  }
  const structured = object(value);
  const exitCode = number(structured?.exitCode);
  const output =
    anyString(structured?.output) ??
    anyString(structured?.content) ??
    string(structured?.summary) ??
    unfence(string(structured?.diff)) ??
    text;
  return { status: exitCode === undefined || exitCode === 0 ? status : 'failed', output, exitCode, structured };
}

const REFUSED = /^(Tool rejected by plugin:|Tool execution rejected by user|The user rejected|Tool .* was rejected)/;

export function fileChanges(tool: OpenTool, structured: Json | undefined): Note[] {
  if (tool.name === 'apply_patch') {
    return objects(structured?.files).flatMap((file) => {
      const path = string(file.uri)?.replace(/^file:\/\//, '') ?? string(file.path);
      if (path === undefined) return [];
      const kind = lookUp(PATCH_KINDS, string(file.type)) ?? 'edit';
      return [{ type: 'file-change', toolId: tool.id, path, kind, diff: hunksIn(string(file.diff)) }];
    });
  }
  const path = string(members(tool.input).path);
  if (tool.kind !== 'edit' || path === undefined) return [];
  const kind: FileChangeKind = tool.name === 'create_file' ? 'create' : 'edit';
  return [{ type: 'file-change', toolId: tool.id, path, kind, diff: hunksIn(unfence(string(structured?.diff))) }];
}

const PATCH_KINDS: Record<string, FileChangeKind> = { add: 'create', delete: 'delete', update: 'edit', move: 'move' };

function patchedFiles(patch: string): string[] {
  return [...patch.matchAll(/^\*\*\* (?:Add|Update|Delete) File: (.+)$/gm)].map((match) => match[1] ?? '');
}

function unfence(diff: string | undefined): string | undefined {
  return diff?.replace(/^```diff\n/, '').replace(/\n```\s*$/, '');
}

/** The object, or the list of blocks, that a text is; absent when it is only a text. */
function parse(text: string): unknown {
  return /^(\{|\[\{"type":)/.test(text) ? parsed(text) : undefined;
}

/** Amp's words for the states of a todo, up to January 2026. */
export function todosOf(value: unknown): Todo[] {
  return objects(value).map((item) =>
    defined({
      id: string(item.id),
      text: string(item.content) ?? '',
      status: item.status === 'completed' ? 'done' : item.status === 'in-progress' ? 'active' : 'pending',
    }),
  );
}
