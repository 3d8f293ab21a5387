/** What the tools of the opencode family are, and what one that has ended did. */
import {
  type Attachment,
  defined,
  type FileChangeKind,
  type Todo,
  type ToolKind,
  type ToolStatus,
} from '../../event/index.js';
import type { ToolKnowledge } from '../acp/tools.js';
import { between } from '../between.js';
import type { Body, Note, ToolResult } from '../chronicle/chronicle.js';
import { anyString, type Json, members, number, objects, string } from '../field.js';
import { hunkOf, hunksIn } from '../hunk.js';
import {
  atPaths,
  fetching,
  nothing,
  patching,
  replacing,
  replacingEach,
  running,
  searching,
  together,
  writing,
} from '../target.js';
import { type SummaryFields, summarizeBy, toolTable } from '../tool-table.js';

export interface EndedTool {
  name: string;
  input: unknown;
  result: ToolResult;
  /** File changes and to-do lists that the call left behind. */
  effects: Note[];
  /** The sub-agent that it was. */
  task: (Body<'task-start'> & { summary: string | undefined }) | undefined;
}

const REPLACEMENT = { path: 'filePath', before: 'oldString', after: 'newString', all: 'replaceAll' };

/** Questions about a call name its file in a field of their own. */
const named = atPaths('filepath');

export const TOOLS = toolTable({
  kinds: {
    execute: ['bash', 'background_process'],
    read: ['read', 'lsp'],
    search: ['list', 'glob', 'grep', 'codesearch'],
    edit: ['edit', 'multiedit', 'write', 'patch', 'apply_patch'],
    fetch: ['webfetch', 'websearch'],
    think: ['task', 'todowrite', 'todoread', 'skill'],
  },
  summary: (input, name) => summarizeBy(SUMMARIES[TOOLS.kind(name)] ?? { path: ['filePath', 'path'] }, input),
  targets: {
    bash: running('command'),
    background_process: running('command'),
    read: together(atPaths('filePath'), named),
    lsp: atPaths('filePath'),
    list: searching(['path']),
    glob: searching(['path'], ['pattern']),
    grep: searching(['path']),
    codesearch: nothing,
    edit: together(replacing(REPLACEMENT), named),
    multiedit: together(replacingEach('edits', REPLACEMENT), named),
    write: together(writing('filePath', 'content'), named),
    patch: together(patching('patchText'), named),
    apply_patch: together(patching('patchText'), named),
    webfetch: fetching('url'),
    skill: nothing,
  },
});

const SUMMARIES: Partial<Record<ToolKind, SummaryFields>> = {
  execute: { command: ['command', 'description'] },
  search: { pattern: ['pattern', 'query', 'path'] },
  fetch: { address: ['url', 'query'] },
  think: { task: ['description', 'name'] },
};

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
  const output = anyString(state.output) ?? '';
  return {
    name,
    input: state.input,
    result: {
      status,
      output: state.status === 'error' ? anyString(state.error) : anyString(state.output),
      exitCode: number(metadata.exit),
      durationMs: (number(end) ?? Number.NaN) - (number(start) ?? Number.NaN) || undefined,
      attachments: attachmentsOf(state.attachments),
    },
    effects: status === 'ok' ? effectsOf(id, name, input, metadata) : [],
    task: status === 'ok' && name === 'task' ? taskOf(id, input, metadata, output) : undefined,
  };
}

/** The same tools in conversations: the first title of a call is the name of its tool, the metadata is that of `run`. */
export const toolKnowledge: ToolKnowledge = {
  name: (call) => string(call.title),
  table: TOOLS,
  effects: (id, name, input, rawOutput) => effectsOf(id, name, input, members(rawOutput.metadata)),
};

/** A shell command that failed is `completed`; its exit code is in the metadata, null when it ran out of time. */
function statusOf({ status, error }: Json, metadata: Json): ToolStatus {
  if (status === 'error') return REFUSED.test(anyString(error) ?? '') ? 'denied' : 'failed';
  if (status !== 'completed') return 'unknown';
  return 'exit' in metadata && metadata.exit !== 0 ? 'failed' : 'ok';
}

/** Words of the program, at their beginning: a server's tool may say the like. */
const REFUSED = /^(?:\w{1,40}Error: )?The user (?:rejected permission|has specified a rule which prevents|dismissed)/;

function effectsOf(toolId: string, name: string, input: Json, metadata: Json): Note[] {
  if (name === 'todowrite') return [{ type: 'todo-update', todos: todosOf(metadata.todos ?? input.todos) }];
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
  if (TOOLS.kind(name) !== 'edit' || path === undefined) return [];
  return [{ type: 'file-change', toolId, path, kind: 'edit', diff: hunksIn(string(metadata.diff) ?? string(patch)) }];
}

/** One file of an applied patch. */
function fileChange(toolId: string, { filePath, relativePath, type, movePath, diff, patch }: Json): Note[] {
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
function taskOf(toolId: string, input: Json, metadata: Json, output: string): EndedTool['task'] {
  const summary = between(output, '<task_result>', '</task_result>')?.trim();
  const [description, agentType] = [string(input.description), string(input.subagent_type)];
  return { id: string(metadata.sessionId) ?? toolId, kind: 'agent', toolId, description, agentType, summary };
}

function attachmentsOf(value: unknown): Attachment[] | undefined {
  const files = objects(value);
  if (files.length === 0) return undefined;
  return files.map(({ mime, url }) => {
    const mimeType = string(mime);
    const data = /^data:[^,]*;base64,(.*)$/s.exec(anyString(url) ?? '')?.[1];
    const kind = mimeType?.startsWith('image/') ? 'image' : 'other';
    return defined({ kind, mimeType, data, uri: data === undefined ? string(url) : undefined });
  });
}
