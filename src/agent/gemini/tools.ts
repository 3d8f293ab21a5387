/** What each tool of Gemini CLI is. Results are display text: no exit code, no diff. */
import type { Todo } from '../../event/index.js';
import type { Note } from '../chronicle/chronicle.js';
import { anyString, type Json, objects, string } from '../field.js';
import { atPaths, fetching, fetchingWithin, replacing, running, searching, together, writing } from '../target.js';
import { toolTable } from '../tool-table.js';

export const TOOLS = toolTable({
  kinds: {
    read: ['read_file', 'read_many_files'],
    edit: ['write_file', 'replace'],
    search: ['list_directory', 'glob', 'grep_search', 'search_file_content'],
    execute: ['run_shell_command'],
    fetch: ['web_fetch', 'google_web_search'],
    think: ['save_memory', 'write_todos', 'invoke_agent', 'delegate_to_agent', 'update_topic', 'activate_skill'],
  },
  // Single underscores, or the double ones of older releases.
  mcp: /^mcp_(?:_)?(.+?)_(?:_)?(.+)$/s,
  summary: {
    command: ['command'],
    path: ['file_path', 'absolute_path', 'dir_path', 'path'],
    pattern: ['pattern'],
    address: ['url', 'query', 'prompt', 'title'],
    task: ['agent_name', 'description'],
  },
  targets: {
    read_file: atPaths('file_path', 'absolute_path'),
    read_many_files: atPaths('paths', 'include'),
    write_file: writing('file_path', 'content'),
    replace: replacing({ path: 'file_path', before: 'old_string', after: 'new_string', all: 'allow_multiple' }),
    list_directory: searching(['dir_path', 'path']),
    glob: searching(['dir_path', 'path'], ['pattern']),
    grep_search: searching(['dir_path', 'path']),
    search_file_content: searching(['dir_path', 'path']),
    run_shell_command: running('command'),
    // Its addresses stand in a sentence.
    web_fetch: together(fetching('url'), fetchingWithin('prompt')),
  },
});

/** What a call that went well changed; only its arguments tell. */
export function effectsOf(toolId: string, name: string, input: Json): Note[] {
  if (name === 'write_todos') return [{ type: 'todo-update', todos: todosOf(input.todos) }];
  const path = string(input.file_path) ?? string(input.absolute_path);
  // The stream does not say whether the file was there before.
  return path === undefined || TOOLS.kind(name) !== 'edit' ? [] : [{ type: 'file-change', toolId, path, kind: 'edit' }];
}

/** The list as it stands; what was given up is no longer on it. */
function todosOf(value: unknown): Todo[] {
  return objects(value)
    .filter(({ status }) => status !== 'cancelled')
    .map(({ description, status }) => ({
      text: anyString(description) ?? '',
      status: status === 'completed' ? 'done' : status === 'in_progress' ? 'active' : 'pending',
    }));
}
