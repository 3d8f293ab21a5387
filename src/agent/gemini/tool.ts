/** What each tool of Gemini CLI is. Results are display text: no exit code, no diff (wire, §4). */
import type { FileChangeKind, Todo, ToolKind } from '../../event/index.js';
import { anyString, type Json, lookUp, objects, string } from '../field.js';
import { cutText } from '../summary.js';

const KINDS: Record<string, ToolKind> = {
  read_file: 'read',
  read_many_files: 'read',
  write_file: 'edit',
  replace: 'edit',
  list_directory: 'search',
  glob: 'search',
  grep_search: 'search',
  search_file_content: 'search',
  run_shell_command: 'execute',
  web_fetch: 'fetch',
  google_web_search: 'fetch',
  save_memory: 'think',
  write_todos: 'think',
  invoke_agent: 'think',
  delegate_to_agent: 'think',
  update_topic: 'think',
  activate_skill: 'think',
};

export const kindOf = (name: string): ToolKind => lookUp(KINDS, name) ?? 'other';

/** `mcp_<server>_<tool>` with single underscores, or the double ones of older releases. */
export function mcpOf(name: string): { server: string; tool: string } | undefined {
  const [, server, tool] = /^mcp_(?:_)?(.+?)_(?:_)?(.+)$/.exec(name) ?? [];
  return server !== undefined && tool !== undefined ? { server, tool } : undefined;
}

const SUMMARY: readonly { field: string; width?: number }[] = [
  { field: 'command', width: 60 },
  { field: 'file_path' },
  { field: 'absolute_path' },
  { field: 'dir_path' },
  { field: 'path' },
  { field: 'pattern', width: 40 },
  { field: 'url', width: 50 },
  { field: 'query', width: 50 },
  { field: 'prompt', width: 50 },
  { field: 'title', width: 50 },
  { field: 'agent_name', width: 40 },
  { field: 'description', width: 40 },
];

export function summarize(input: Json): string {
  for (const { field, width } of SUMMARY) {
    const value = string(input[field]);
    if (value !== undefined) return width === undefined ? value : cutText(value, width);
  }
  return '';
}

/** Only the arguments tell which file was written. */
export function changeOf(name: string, input: Json): { path: string; kind: FileChangeKind } | undefined {
  const path = string(input.file_path) ?? string(input.absolute_path);
  if (path === undefined || kindOf(name) !== 'edit') return undefined;
  // The stream does not say whether the file was there before.
  return { path, kind: 'edit' };
}

/** The list as it stands; what was given up is no longer on it. */
export function todosOf(value: unknown): Todo[] {
  return objects(value)
    .filter(({ status }) => status !== 'cancelled')
    .map(({ description, status }) => ({
      text: anyString(description) ?? '',
      status: status === 'completed' ? 'done' : status === 'in_progress' ? 'active' : 'pending',
    }));
}
