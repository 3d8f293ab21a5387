/** What the tools of the opencode family are, and what one that has ended did. */
import type { Attachment, FileChangeKind, Payload, Todo, ToolKind, ToolStatus } from '../../event/index.js';
import type { ToolKnowledge } from '../acp/tool-call.js';
import { anyString, type Json, lookUp, members, number, objects, string } from '../field.js';
import { hunkOf, hunksIn } from '../hunk.js';
import { oneLine, SUMMARY_LIMITS } from '../summary.js';

export interface EndedTool {
  name: string;
  kind: ToolKind;
  input: unknown;
  summary: string;
  status: ToolStatus;
  output: string | undefined;
  exitCode: number | undefined;
  durationMs: number | undefined;
  attachments: Attachment[] | undefined;
  /** File changes, to-do lists and sub-agents that the call left behind. */
  effects: Payload[];
}

/** Reads the part of a `tool_use` line, which is printed only when the tool has ended. */
export function readTool(id: string, part: Json): EndedTool {
  const state = members(part.state);
  const input = members(state.input);
  const metadata = members(state.metadata);
  // An unknown tool or bad arguments: the program calls a tool of its own that says so and "completes".
  const isInvalid = part.tool === 'invalid';
  const name = (isInvalid ? string(input.tool) : string(part.tool)) ?? 'tool';
  const status = isInvalid ? 'failed' : statusOf(state, metadata);
  const { start, end } = members(state.time);
  const kind = lookUp(KINDS, name) ?? 'other';
  return {
    name,
    kind,
    input: state.input,
    summary: summaryOf(kind, input),
    status,
    output: state.status === 'error' ? anyString(state.error) : anyString(state.output),
    exitCode: number(metadata.exit),
    durationMs: (number(end) ?? Number.NaN) - (number(start) ?? Number.NaN) || undefined,
    attachments: attachmentsOf(state.attachments),
    effects: status === 'ok' ? effectsOf(id, name, input, metadata, anyString(state.output) ?? '') : [],
  };
}

/** The same tools in conversations: the first title of a call is the name of its tool, the metadata is that of `run`. */
export const toolKnowledge: ToolKnowledge = {
  name: (call) => string(call.title),
  kind: (name) => lookUp(KINDS, name),
  effects: (id, name, input, rawOutput) =>
    effectsOf(id, name, input, members(rawOutput.metadata), anyString(rawOutput.output) ?? '').filter(
      ({ type }) => type === 'file-change' || type === 'todo-update',
    ),
};

/** A shell command that failed is `completed`; its exit code is in the metadata, null when it ran out of time. */
function statusOf({ status, error }: Json, metadata: Json): ToolStatus {
  if (status === 'error') return REFUSED.test(anyString(error) ?? '') ? 'denied' : 'failed';
  if (status !== 'completed') return 'unknown';
  return 'exit' in metadata && metadata.exit !== 0 ? 'failed' : 'ok';
}

const REFUSED = /user rejected permission|specified a rule which prevents|user dismissed/i;

const KINDS: Readonly<Record<string, ToolKind>> = {
  bash: 'execute',
  background_process: 'execute',
  read: 'read',
  lsp: 'read',
  list: 'search',
  glob: 'search',
  grep: 'search',
  codesearch: 'search',
  edit: 'edit',
  multiedit: 'edit',
  write: 'edit',
  patch: 'edit',
  apply_patch: 'edit',
  webfetch: 'fetch',
  websearch: 'fetch',
  task: 'think',
  todowrite: 'think',
  todoread: 'think',
  skill: 'think',
};

function summaryOf(kind: ToolKind, { command, filePath, path, pattern, url, query, description, name }: Json): string {
  if (kind === 'execute') return oneLine(string(command) ?? string(description) ?? '', SUMMARY_LIMITS.command);
  if (kind === 'search') return oneLine(string(pattern) ?? string(query) ?? string(path) ?? '', SUMMARY_LIMITS.pattern);
  if (kind === 'fetch') return oneLine(string(url) ?? string(query) ?? '', SUMMARY_LIMITS.address);
  if (kind === 'think') return oneLine(string(description) ?? string(name) ?? '', SUMMARY_LIMITS.task);
  return string(filePath) ?? string(path) ?? '';
}

function effectsOf(toolId: string, name: string, input: Json, metadata: Json, output: string): Payload[] {
  if (name === 'todowrite') return [{ type: 'todo-update', todos: todosOf(metadata.todos ?? input.todos) }];
  if (name === 'task') return taskOf(toolId, input, metadata, output);
  if (name === 'write') {
    const path = string(metadata.filepath) ?? string(input.filePath);
    const kind = metadata.exists === true ? 'edit' : 'create';
    const whole = metadata.exists === false ? hunkOf('', anyString(input.content) ?? '') : '';
    const diff = hunksIn(string(metadata.diff) ?? whole);
    return path === undefined ? [] : [{ type: 'file-change', toolId, path, kind, diff }];
  }
  const files = objects(metadata.files);
  if (files.length > 0) return files.flatMap((file) => fileChange(toolId, file));
  const { file, patch } = members(metadata.filediff);
  const path = string(file) ?? string(input.filePath);
  if (lookUp(KINDS, name) !== 'edit' || path === undefined) return [];
  return [{ type: 'file-change', toolId, path, kind: 'edit', diff: hunksIn(string(metadata.diff) ?? string(patch)) }];
}

/** One file of an applied patch. */
function fileChange(toolId: string, { filePath, relativePath, type, movePath, diff, patch }: Json): Payload[] {
  const path = string(filePath) ?? string(relativePath);
  if (path === undefined) return [];
  const to = string(movePath);
  const kind: FileChangeKind =
    to !== undefined ? 'move' : type === 'add' ? 'create' : type === 'delete' ? 'delete' : 'edit';
  return [{ type: 'file-change', toolId, path, kind, to, diff: hunksIn(string(diff) ?? string(patch)) }];
}

/** The list as it stands; what was given up is no longer on it. */
function todosOf(value: unknown): Todo[] {
  return objects(value)
    .filter(({ status }) => status !== 'cancelled')
    .map(({ content, status }) => ({
      text: anyString(content) ?? '',
      status: status === 'completed' ? 'done' : status === 'in_progress' ? 'active' : 'pending',
    }));
}

/** A sub-agent is seen only when it is done; its own events are not in the stream. */
function taskOf(toolId: string, input: Json, metadata: Json, output: string): Payload[] {
  const id = string(metadata.sessionId) ?? toolId;
  const summary = /<task_result>\s*(.*?)\s*<\/task_result>/s.exec(output)?.[1];
  return [
    {
      type: 'task-start',
      id,
      kind: 'agent',
      toolId,
      description: string(input.description),
      agentType: string(input.subagent_type),
    },
    { type: 'task-end', id, toolId, status: 'ok', summary },
  ];
}

function attachmentsOf(value: unknown): Attachment[] | undefined {
  const files = objects(value);
  if (files.length === 0) return undefined;
  return files.map(({ mime, url }) => {
    const mimeType = string(mime);
    const data = /^data:[^,]*;base64,(.*)$/s.exec(anyString(url) ?? '')?.[1];
    const kind = mimeType?.startsWith('image/') ? 'image' : 'other';
    return { kind, mimeType, ...(data === undefined ? { uri: string(url) } : { data }) };
  });
}
