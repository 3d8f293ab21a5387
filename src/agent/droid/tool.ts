/** Droid's tools: what each is, what a call changes, and what a result says; the exit code is only in its words. */
import type { Payload, Todo, ToolKind } from '../../event/index.js';
import type { Body, Chronicle } from '../chronicle.js';
import { readContent } from '../content.js';
import { anyString, type Json, lookUp, members, objects, string } from '../field.js';
import { oneLine, SUMMARY_LIMITS } from '../summary.js';
import { diffOf } from './diff.js';

export interface Tools {
  /** `input` is absent while the model still writes it. */
  start(id: string, name: string, input: unknown, messageId?: string): void;
  end(id: string, content: unknown, isError: boolean): void;
  /** Somebody refused this call. */
  deny(id: string): void;
  /** A report of background work, which comes as if the user had said it; false when it is something else. */
  readReport(messageId: string | undefined, text: string): boolean;
}

export function createTools(chronicle: Chronicle): Tools {
  const calls = new Map<string, { name: string; input: Json }>();
  const denied = new Set<string>();

  return {
    start(id, name, input, messageId) {
      const mcp = mcpOf(name);
      chronicle.startTool(id, { name, kind: kindOf(name), ...(mcp && { mcp }), messageId });
      if (input === undefined || !chronicle.isToolOpen(id)) return;
      chronicle.inputTool(id, input, summaryOf(members(input)));
      calls.set(id, { name, input: members(input) });
    },
    end(id, content, isError) {
      const call = calls.get(id);
      const { name, input } = call ?? { name: '', input: {} };
      calls.delete(id);
      const result = resultOf(content, isError, denied.delete(id));
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
    deny(id) {
      denied.add(id);
    },
    readReport(messageId, text) {
      if (!messageId?.startsWith('task-completion:')) return false;
      const reason = /^reason: (.*)$/m.exec(text)?.[1];
      const summary = /^output: ([\s\S]*?)\n\nBackground task/m.exec(text)?.[1];
      chronicle.write({ type: 'user-message', text, messageId, synthetic: true });
      chronicle.endTask(idIn(text) ?? '', { status: reason === 'completed' ? 'ok' : 'failed', summary });
      return true;
    },
  };
}

export function kindOf(name: string): ToolKind {
  return lookUp(KINDS, name) ?? 'other';
}

const KINDS: Readonly<Record<string, ToolKind>> = {
  Read: 'read',
  LS: 'search',
  Grep: 'search',
  Glob: 'search',
  ToolSearch: 'search',
  Execute: 'execute',
  Script: 'execute',
  Edit: 'edit',
  MultiEdit: 'edit',
  Create: 'edit',
  ApplyPatch: 'edit',
  WebSearch: 'fetch',
  FetchUrl: 'fetch',
  TodoWrite: 'think',
  Task: 'think',
  Skill: 'think',
};

/** Three underscores between the server and its tool. */
function mcpOf(name: string): { server: string; tool: string } | undefined {
  const [server, ...tool] = name.split('___');
  return server && tool.length > 0 ? { server, tool: tool.join('___') } : undefined;
}

export function summaryOf(input: Json): string {
  const { command, file_path, directory_path, pattern, patterns, url, query, description, input: patch } = input;
  if (string(command) !== undefined) return oneLine(string(command) ?? '', SUMMARY_LIMITS.command);
  const path = string(file_path) ?? string(directory_path) ?? filesIn(anyString(patch) ?? '')[0]?.path;
  if (path !== undefined) return path;
  const found = string(pattern) ?? string(patterns);
  if (found !== undefined) return oneLine(found, SUMMARY_LIMITS.pattern);
  if (string(url) !== undefined) return oneLine(string(url) ?? '', SUMMARY_LIMITS.address);
  return oneLine(string(query) ?? string(description) ?? '', SUMMARY_LIMITS.task);
}

function resultOf(content: unknown, isError: boolean, isDenied: boolean): Omit<Body<'tool-end'>, 'id'> {
  const { text, attachments } = typeof content === 'string' ? { text: content } : readContent(content);
  const code = EXIT.exec(text)?.[1];
  const exitCode = code === undefined ? undefined : Number(code);
  const failed = isError || (exitCode !== undefined && exitCode !== 0);
  const stopped = /^Error: Tool execution cancelled by user/.test(text) ? 'cancelled' : 'failed';
  const status = isDenied && failed ? 'denied' : failed ? stopped : 'ok';
  return { status, output: text.replace(EXIT, ''), attachments, exitCode };
}

const EXIT = /\n*\[Process exited with code (\d+)\]\s*$/;

const idIn = (text: string): string | undefined => /^task_id: (\S+)$/m.exec(text)?.[1];

function effectsOf(toolId: string, name: string, input: Json, output = ''): Payload[] {
  if (name === 'TodoWrite') {
    const todos = todosOf(input.todos);
    return todos.length > 0 ? [{ type: 'todo-update', todos }] : [];
  }
  if (name === 'ApplyPatch')
    return filesIn(anyString(input.input) ?? '').map((file) => ({ type: 'file-change', toolId, ...file }));
  const path = string(input.file_path);
  if (path === undefined || kindOf(name) !== 'edit') return [];
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
  const lines = anyString(todos)?.matchAll(/^\s*\d+\.\s*\[(\w+)\]\s*(.+)$/gm) ?? [];
  const written = [...lines].map(([, status, content]) => ({ content, status }));
  return [...written, ...objects(todos)].map(({ content, status }) => ({
    text: anyString(content) ?? '',
    status: lookUp(STATUS, anyString(status)) ?? 'pending',
  }));
}

const STATUS: Readonly<Record<string, Todo['status']>> = { completed: 'done', in_progress: 'active' };
