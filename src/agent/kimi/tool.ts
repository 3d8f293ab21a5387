/** What Kimi's tools are and what a call changes. */
import type { Payload, Todo, ToolKind } from '../../event/index.js';
import { anyString, type Json, lookUp, objects, string } from '../field.js';
import { oneLine, SUMMARY_LIMITS } from '../summary.js';

export function kindOf(name: string): ToolKind {
  return lookUp(KINDS, name) ?? 'other';
}

const KINDS: Readonly<Record<string, ToolKind>> = {
  Shell: 'execute',
  ReadFile: 'read',
  ReadMediaFile: 'read',
  WriteFile: 'edit',
  StrReplaceFile: 'edit',
  Glob: 'search',
  Grep: 'search',
  SearchWeb: 'fetch',
  FetchURL: 'fetch',
  SetTodoList: 'think',
  Think: 'think',
  Task: 'think',
  Agent: 'think',
};

export function summaryOf({ command, path, pattern, url, query, description }: Json): string {
  if (string(command) !== undefined) return oneLine(string(command) ?? '', SUMMARY_LIMITS.command);
  if (string(pattern) !== undefined) return oneLine(string(pattern) ?? '', SUMMARY_LIMITS.pattern);
  if (string(path) !== undefined) return string(path) ?? '';
  if (string(url) !== undefined) return oneLine(string(url) ?? '', SUMMARY_LIMITS.address);
  return oneLine(string(query) ?? string(description) ?? '', SUMMARY_LIMITS.task);
}

/** Nothing says whether the call went well, other than the words of its result. */
export function isFailure(output: string): boolean {
  return /^(<system>)?ERROR: /.test(output);
}

export function effectsOf(toolId: string, name: string, { path, todos }: Json): Payload[] {
  if (name === 'SetTodoList') return [{ type: 'todo-update', todos: objects(todos).map(todoOf) }];
  const file = string(path);
  if (file === undefined || kindOf(name) !== 'edit') return [];
  return [{ type: 'file-change', toolId, path: file, kind: name === 'WriteFile' ? 'create' : 'edit' }];
}

function todoOf({ title, status }: Json): Todo {
  return { text: anyString(title) ?? '', status: lookUp(STATUS, anyString(status)?.toLowerCase()) ?? 'pending' };
}

const STATUS: Readonly<Record<string, Todo['status']>> = {
  done: 'done',
  'in progress': 'active',
  in_progress: 'active',
};
