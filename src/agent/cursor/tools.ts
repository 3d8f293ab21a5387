/** Cursor's tool calls, whose name is the key they come under, and whose outcome is the key of their result. */
import { defined, type Todo } from '../../event/index.js';
import type { Note, ToolResult } from '../chronicle/chronicle.js';
import { anyString, isObject, type Json, lookUp, members, number, objects, parsed, string } from '../field.js';
import { hunksIn } from '../hunk.js';
import { atPaths, deleting, fetching, running, searching, writing } from '../target.js';
import { toolTable } from '../tool-table.js';

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

export const TOOLS = toolTable({
  kinds: {
    read: ['read'],
    edit: ['write', 'edit'],
    delete: ['delete'],
    execute: ['shell'],
    search: ['ls', 'glob', 'grep', 'semSearch'],
    fetch: ['webSearch', 'webFetch', 'fetch'],
    think: ['updateTodos', 'readTodos', 'task'],
  },
  summary: {
    command: ['command'],
    path: ['path'],
    pattern: ['pattern', 'globPattern'],
    address: ['url'],
    task: ['query', 'description'],
  },
  targets: {
    read: atPaths('path'),
    write: writing('path', 'fileText'),
    edit: atPaths('path'),
    delete: deleting('path'),
    shell: running('command'),
    ls: searching(['path']),
    glob: searching(['targetDirectory', 'path'], ['globPattern']),
    grep: searching(['path']),
    semSearch: searching(['targetDirectories']),
    webFetch: fetching('url'),
    fetch: fetching('url'),
  },
});

/** A command that fails is a success with an exit code. A call without a result has ended all the same. */
export function resultOf({ result }: Call): ToolResult {
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
export function effectsOf(toolId: string, { name, input, result }: Call): Note[] {
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
  return defined({ id: string(id), text: anyString(content) ?? '', status: state });
}
