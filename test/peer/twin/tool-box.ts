/** The tools of real agents that scenes need, beside shell and writing. */
import type { ModelTurn } from '../model/turn.js';

type Call = NonNullable<ModelTurn['tools']>[number];

export interface ToolBox {
  read?(path: string): Call;
  edit?(path: string, before: string, after: string): Call;
  /** Each with its status in front. */
  todos?(items: readonly string[]): Call;
  delegate?(prompt: string): Call;
  /** Where it would not wait for the other one by itself. */
  delegateAndWait?(prompt: string): Call;
}

const split = (item: string): { status: string; content: string } => {
  const [status = '', ...words] = item.split(' ');
  return { status, content: words.join(' ') };
};

const family: ToolBox = {
  read: (filePath) => ({ name: 'read', input: { filePath } }),
  edit: (filePath, oldString, newString) => ({ name: 'edit', input: { filePath, oldString, newString } }),
  todos: (items) => ({
    name: 'todowrite',
    input: { todos: items.map((item) => ({ ...split(item), priority: 'high' })) },
  }),
  delegate: (prompt) => ({ name: 'task', input: { description: 'print a line', prompt, subagent_type: 'general' } }),
};

export const TOOL_BOXES: Readonly<Record<string, ToolBox>> = {
  opencode: family,
  kilo: family,
  claude: {
    read: (file_path) => ({ name: 'Read', input: { file_path } }),
    edit: (file_path, old_string, new_string) => ({ name: 'Edit', input: { file_path, old_string, new_string } }),
    delegate: (prompt) => ({
      name: 'Task',
      input: { description: 'print a line', prompt, subagent_type: 'general-purpose' },
    }),
    delegateAndWait: (prompt) => ({
      name: 'Task',
      input: { description: 'wait for it', prompt, subagent_type: 'general-purpose', run_in_background: false },
    }),
  },
  codex: {
    edit: (path, before, after) => ({
      name: 'apply_patch',
      input: { freeform: `*** Begin Patch\n*** Update File: ${path}\n@@\n-${before}\n+${after}\n*** End Patch` },
    }),
    todos: (items) => ({
      name: 'update_plan',
      input: { plan: items.map(split).map(({ status, content }) => ({ status, step: content })) },
    }),
  },
  gemini: {
    read: (file_path) => ({ name: 'read_file', input: { file_path } }),
    edit: (file_path, old_string, new_string) => ({
      name: 'replace',
      input: { file_path, old_string, new_string, instruction: 'change' },
    }),
    todos: (items) => ({
      name: 'write_todos',
      input: { todos: items.map(split).map(({ status, content }) => ({ status, description: content })) },
    }),
    delegate: (prompt) => ({ name: 'invoke_agent', input: { agent_name: 'generalist', prompt } }),
  },
  qwen: {
    read: (file_path) => ({ name: 'read_file', input: { file_path } }),
    edit: (file_path, old_string, new_string) => ({ name: 'edit', input: { file_path, old_string, new_string } }),
    todos: (items) => ({
      name: 'todo_write',
      input: { todos: items.map((item, at) => ({ ...split(item), id: String(at) })) },
    }),
    delegate: (prompt) => ({
      name: 'agent',
      input: { description: 'print a line', prompt, subagent_type: 'general-purpose' },
    }),
  },
  pi: {
    read: (path) => ({ name: 'read', input: { path } }),
    edit: (path, oldText, newText) => ({ name: 'edit', input: { path, oldText, newText } }),
  },
  copilot: {
    read: (path) => ({ name: 'view', input: { path } }),
    edit: (path, old_str, new_str) => ({ name: 'edit', input: { path, old_str, new_str } }),
    delegate: (prompt) => ({
      name: 'task',
      input: { name: 'printer', description: 'print a line', prompt, agent_type: 'general-purpose', mode: 'sync' },
    }),
  },
  droid: {
    read: (file_path) => ({ name: 'Read', input: { file_path } }),
    edit: (file_path, old_str, new_str) => ({ name: 'Edit', input: { file_path, old_str, new_str } }),
    todos: (items) => ({
      name: 'TodoWrite',
      input: {
        todos: items
          .map(split)
          .map(({ status, content }, at) => `${at + 1}. [${status}] ${content}`)
          .join('\n'),
      },
    }),
    delegate: (prompt) => ({ name: 'Task', input: { subagent_type: 'worker', description: 'print a line', prompt } }),
  },
  cline: {
    read: (path) => ({ name: 'read_files', input: { files: [{ path }] } }),
    edit: (path, old_text, new_text) => ({ name: 'editor', input: { path, old_text, new_text } }),
    delegate: (task) => ({ name: 'spawn_agent', input: { systemPrompt: 'You print a line.', task } }),
  },
  kimi: {
    read: (path) => ({ name: 'Read', input: { path } }),
    edit: (path, old_string, new_string) => ({ name: 'Edit', input: { path, old_string, new_string } }),
    todos: (items) => ({
      name: 'TodoList',
      input: { todos: items.map(split).map(({ status, content }) => ({ status, title: content })) },
    }),
    delegate: (prompt) => ({
      name: 'Agent',
      input: { description: 'print a line', prompt, subagent_type: 'coder' },
    }),
  },
};
