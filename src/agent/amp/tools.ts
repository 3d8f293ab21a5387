/** What each tool of Amp is, in every generation of names, and what its results hide inside a string. */
import type { FileChangeKind, Payload, ToolKind } from '../../event/index.js';
import type { OpenTool, ToolTable } from '../claude-lines/open-tools.js';
import type { ResultReading, ToolResult } from '../claude-lines/tool-lines.js';
import { readContent } from '../content.js';
import { anyString, type Json, lookUp, number, object, objects, parsed, string } from '../field.js';
import { hunksIn } from '../hunk.js';
import { cutText } from '../summary.js';

const KINDS: Record<string, ToolKind> = {
  Read: 'read',
  look_at: 'read',
  read_mcp_resource: 'read',
  read_thread: 'read',
  create_file: 'edit',
  edit_file: 'edit',
  apply_patch: 'edit',
  undo_edit: 'edit',
  glob: 'search',
  Grep: 'search',
  finder: 'search',
  find_thread: 'search',
  Bash: 'execute',
  shell_command: 'execute',
  async_shell_command: 'execute',
  shell_command_status: 'execute',
  shell_command_kill: 'execute',
  read_web_page: 'fetch',
  web_search: 'fetch',
  Task: 'think',
  oracle: 'think',
  librarian: 'think',
  skill: 'think',
  handoff: 'think',
  todo_write: 'think',
  todo_read: 'think',
  task_list: 'think',
};

const SUMMARY: readonly { field: string; width?: number }[] = [
  { field: 'command', width: 60 },
  { field: 'cmd', width: 60 },
  { field: 'path' },
  { field: 'filePattern', width: 40 },
  { field: 'pattern', width: 40 },
  { field: 'url', width: 50 },
  { field: 'query', width: 50 },
  { field: 'description', width: 40 },
  { field: 'task', width: 40 },
];

export function toolsOfKind(kind: ToolKind): string[] {
  return Object.keys(KINDS).filter((name) => KINDS[name] === kind);
}

export const toolTable: ToolTable = {
  kind: (name) => lookUp(KINDS, name) ?? 'other',
  mcp(name) {
    const [, server, tool] = /^mcp__(.+?)__(.+)$/.exec(name) ?? [];
    return server !== undefined && tool !== undefined ? { server, tool } : undefined;
  },
  summary(name, input) {
    if (name === 'apply_patch') return patchedFiles(string(input.patchText) ?? '').join(', ');
    for (const { field, width } of SUMMARY) {
      const value = string(input[field]);
      if (value !== undefined) return width === undefined ? value : cutText(value, width);
    }
    return '';
  },
  isCard: () => true,
  asks: () => 'tool',
};

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

export function fileChanges(tool: OpenTool, structured: Json | undefined): Payload[] {
  if (tool.name === 'apply_patch') {
    return objects(structured?.files).flatMap((file) => {
      const path = string(file.uri)?.replace(/^file:\/\//, '') ?? string(file.path);
      if (path === undefined) return [];
      const kind = lookUp(PATCH_KINDS, string(file.type)) ?? 'edit';
      return [{ type: 'file-change', toolId: tool.id, path, kind, diff: hunksIn(string(file.diff)) }];
    });
  }
  const path = string(tool.input?.path);
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
