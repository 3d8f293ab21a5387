/** Droid's tools: what each is, what a call changes, and what a result says; the exit code is only in its words. */
import type { Todo } from '../../event/index.js';
import { between } from '../between.js';
import type { Chronicle, Note, ToolResult } from '../chronicle/chronicle.js';
import { readContent } from '../content.js';
import { anyString, type Json, lookUp, members, number, objects, parsed, string } from '../field.js';
import { toUnified } from '../numbered-diff.js';
import {
  atPaths,
  fetching,
  nothing,
  patching,
  replacing,
  replacingEach,
  running,
  searching,
  writing,
} from '../target.js';
import { summarizeBy, toolTable } from '../tool-table.js';

export interface Tools {
  /** `input` is absent while the model still writes it. */
  start(id: string, name: string, input: unknown, messageId?: string): void;
  end(id: string, content: unknown, isError: boolean): void;
  /** A report of background work, which comes as if the user had said it; false when it is something else. */
  readReport(messageId: string | undefined, text: string): boolean;
}

export function createTools(chronicle: Chronicle): Tools {
  return {
    start(id, name, input, messageId) {
      chronicle.startTool(id, { name, messageId });
      if (input !== undefined) chronicle.inputTool(id, input);
    },
    end(id, content, isError) {
      const call = chronicle.tool(id);
      const name = call?.name ?? '';
      const input = members(call?.input);
      const result = resultOf(content, isError, call?.decision === 'deny');
      const taskId = name === 'Task' ? idIn(result.output ?? '') : undefined;
      if (call && result.status === 'ok')
        for (const effect of effectsOf(id, name, input, result.output)) chronicle.write(effect);
      if (call && result.status === 'denied')
        chronicle.write({ type: 'permission-deny', toolName: name, toolId: id, message: result.output });
      chronicle.endTool(id, { ...result, taskId });
      if (taskId === undefined) return;
      const [description, agentType] = [string(input.description), string(input.subagent_type)];
      chronicle.startTask({ id: taskId, kind: 'agent', toolId: id, description, agentType, background: true });
    },
    readReport(messageId, text) {
      if (!messageId?.startsWith('task-completion:')) return false;
      const reason = /^reason: (.*)$/m.exec(text)?.[1];
      const summary = between(`\n${text}`, '\noutput: ', '\n\nBackground task');
      chronicle.write({ type: 'user-message', text, messageId, synthetic: true });
      chronicle.endTask(idIn(text) ?? '', { status: reason === 'completed' ? 'ok' : 'failed', summary });
      return true;
    },
  };
}

const REPLACEMENT = { path: 'file_path', before: 'old_str', after: 'new_str', all: 'change_all' };

export const TOOLS = toolTable({
  kinds: {
    read: ['Read'],
    search: ['LS', 'Grep', 'Glob', 'ToolSearch'],
    execute: ['Execute', 'Script'],
    edit: ['Edit', 'MultiEdit', 'Create', 'ApplyPatch'],
    fetch: ['WebSearch', 'FetchUrl'],
    think: ['TodoWrite', 'Task', 'Skill'],
  },
  mcp: /^(.+?)___(.*)$/s,
  summary: (input) => summarizeBy(SUMMARY, { ...input, patched: filesIn(anyString(input.input) ?? '')[0]?.path }),
  targets: {
    Read: atPaths('file_path'),
    LS: searching(['directory_path']),
    Grep: searching(['path']),
    Glob: searching(['folder'], ['patterns']),
    Execute: running('command'),
    Script: running('script', 'code'),
    Edit: replacing(REPLACEMENT),
    MultiEdit: replacingEach('changes', REPLACEMENT),
    Create: writing('file_path', 'content'),
    ApplyPatch: patching('input'),
    FetchUrl: fetching('url'),
    Skill: nothing,
  },
});

const SUMMARY = {
  command: ['command'],
  path: ['file_path', 'directory_path', 'patched'],
  pattern: ['pattern', 'patterns'],
  address: ['url'],
  task: ['query', 'description'],
};

function resultOf(content: unknown, isError: boolean, isDenied: boolean): ToolResult {
  const { text, attachments } = typeof content === 'string' ? { text: content } : readContent(content);
  const code = EXIT.exec(text)?.[1];
  const exitCode = code === undefined ? undefined : Number(code);
  const failed = isError || (exitCode !== undefined && exitCode !== 0);
  const stopped = /^Error: Tool execution cancelled by user/.test(text) ? 'cancelled' : 'failed';
  const status = isDenied && failed ? 'denied' : failed ? stopped : 'ok';
  return { status, output: text.replace(EXIT, ''), attachments, exitCode };
}

const EXIT = /(?<!\n)\n*\[Process exited with code (\d+)\]\s*$/;

const idIn = (text: string): string | undefined => /^task_id: (\S+)$/m.exec(text)?.[1];

function effectsOf(toolId: string, name: string, input: Json, output = ''): Note[] {
  if (name === 'TodoWrite') {
    const todos = todosOf(input.todos);
    return todos.length > 0 ? [{ type: 'todo-update', todos }] : [];
  }
  if (name === 'ApplyPatch')
    return filesIn(anyString(input.input) ?? '').map((file) => ({ type: 'file-change', toolId, ...file }));
  const path = string(input.file_path);
  if (path === undefined || TOOLS.kind(name) !== 'edit') return [];
  return [{ type: 'file-change', toolId, path, kind: name === 'Create' ? 'create' : 'edit', diff: diffOf(output) }];
}

/** The files that a patch names. */
function filesIn(patch: string): { path: string; kind: 'create' | 'edit' | 'delete' }[] {
  return [...patch.matchAll(/^\*\*\* (Add|Update|Delete) File: (.+)$/gm)].map(([, verb, path = '']) => ({
    path,
    kind: verb === 'Add' ? 'create' : verb === 'Delete' ? 'delete' : 'edit',
  }));
}

/** A list of objects, or for some models a text with one numbered line each. */
function todosOf(todos: unknown): Todo[] {
  const lines = anyString(todos)?.matchAll(/^[ \t]*\d+\.[ \t]*\[(\w+)\][ \t]*(.+)$/gm) ?? [];
  const written = [...lines].map(([, status, content]) => ({ content, status }));
  return [...written, ...objects(todos)].map(({ content, status }) => ({
    text: anyString(content) ?? '',
    status: lookUp(STATUS, anyString(status)) ?? 'pending',
  }));
}

const STATUS: Readonly<Record<string, Todo['status']>> = { completed: 'done', in_progress: 'active' };

/** The result of an edit is JSON in a text, with the changed file line by line; this makes unified hunks of it. */
function diffOf(output: string): string | undefined {
  if (!output.startsWith('{')) return undefined;
  const lines = objects(members(parsed(output)).diffLines);
  return toUnified(lines.map(numbered).join('\n'));
}

/** Unchanged and removed lines carry the old number, added ones the new. */
function numbered({ type, content, lineNumber }: Json): string {
  const { old, new: now } = members(lineNumber);
  const sign = type === 'added' ? '+' : type === 'removed' ? '-' : ' ';
  return `${sign}${number(type === 'added' ? now : old) ?? '?'} ${anyString(content) ?? ''}`;
}
