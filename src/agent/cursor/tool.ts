/** Cursor's tool calls, whose name is the key they come under, and whose outcome is the key of their result. */
import type { Payload, Todo, ToolKind } from '../../event/index.js';
import type { Body } from '../chronicle.js';
import { anyString, isObject, type Json, lookUp, members, number, objects, parsed, string } from '../field.js';
import { hunksIn } from '../hunk.js';
import { oneLine, SUMMARY_LIMITS } from '../summary.js';

export interface Call {
  name: string;
  input: Json;
  result: Json;
}

/** `{"shellToolCall":{"args":…,"result":…}}`, or `{"function":{"name":…,"arguments":"…"}}` for tools it does not know. */
export function callOf(value: unknown): Call {
  const call = members(value);
  const generic = members(call.function);
  if (string(generic.name) !== undefined)
    return {
      name: string(generic.name) ?? '',
      input: members(parsed(anyString(generic.arguments) ?? '')),
      result: members(generic.result),
    };
  const key = Object.keys(call).find((name) => name.endsWith('ToolCall'));
  const body = members(key === undefined ? undefined : call[key]);
  return { name: key?.slice(0, -'ToolCall'.length) || 'tool', input: members(body.args), result: members(body.result) };
}

export function kindOf(name: string): ToolKind {
  return lookUp(KINDS, name) ?? 'other';
}

const KINDS: Readonly<Record<string, ToolKind>> = {
  read: 'read',
  write: 'edit',
  edit: 'edit',
  delete: 'delete',
  shell: 'execute',
  ls: 'search',
  glob: 'search',
  grep: 'search',
  semSearch: 'search',
  webSearch: 'fetch',
  webFetch: 'fetch',
  fetch: 'fetch',
  updateTodos: 'think',
  readTodos: 'think',
  task: 'think',
};

export function summaryOf({ command, path, pattern, globPattern, url, query, description }: Json): string {
  if (string(command) !== undefined) return oneLine(string(command) ?? '', SUMMARY_LIMITS.command);
  if (string(path) !== undefined) return string(path) ?? '';
  const found = string(pattern) ?? string(globPattern);
  if (found !== undefined) return oneLine(found, SUMMARY_LIMITS.pattern);
  if (string(url) !== undefined) return oneLine(string(url) ?? '', SUMMARY_LIMITS.address);
  return oneLine(string(query) ?? string(description) ?? '', SUMMARY_LIMITS.task);
}

/** A command that fails is a success with an exit code. A call without a result has ended all the same. */
export function resultOf({ result }: Call): Omit<Body<'tool-end'>, 'id'> {
  const { success, rejected } = result;
  const [other] = Object.keys(result).filter((key) => key !== 'success' && key !== 'rejected');
  if (isObject(rejected)) return { status: 'denied', output: anyString(rejected.reason) };
  if (other !== undefined && !isObject(success)) return { status: 'failed', output: wordsOf(result[other]) };
  const { exitCode, stdout, stderr, content, executionTime } = members(success);
  const code = number(exitCode);
  const printed = [stdout, stderr].flatMap((text) => string(text) ?? []).join('');
  return {
    status: code === undefined || code === 0 ? 'ok' : 'failed',
    output: anyString(content) ?? (code === undefined ? undefined : printed),
    exitCode: code,
    durationMs: number(executionTime),
  };
}

function wordsOf(failure: unknown): string | undefined {
  const { error, errorMessage, message, reason } = members(failure);
  return string(failure) ?? string(error) ?? string(errorMessage) ?? string(message) ?? string(reason);
}

/** What a call that went well changed. */
export function effectsOf(toolId: string, { name, input, result }: Call): Payload[] {
  if (name === 'updateTodos') return [{ type: 'todo-update', todos: objects(input.todos).map(todoOf) }];
  const { path, diffString } = members(result.success);
  const file = string(input.path) ?? string(path);
  const kind = lookUp(CHANGES, name);
  if (file === undefined || kind === undefined) return [];
  return [{ type: 'file-change', toolId, path: file, kind, diff: hunksIn(string(diffString)) }];
}

const CHANGES = { write: 'create', edit: 'edit', delete: 'delete' } as const;

function todoOf({ id, content, status }: Json): Todo {
  const word = (anyString(status) ?? '').replace('TODO_STATUS_', '').toLowerCase();
  const state = word === 'completed' ? 'done' : word === 'in_progress' ? 'active' : 'pending';
  return { id: string(id), text: anyString(content) ?? '', status: state };
}
