/** Codex items that are tool calls: what they are called for people, what they were asked, how they ended. */

import {
  defined,
  type Edit,
  type FileChangeKind,
  pointerTo,
  type Targets,
  type ToolKind,
  type ToolStatus,
} from '../../event/index.js';
import { oneLine } from '../../word/index.js';
import type { Body, Chronicle } from '../chronicle/chronicle.js';
import { readContent } from '../content.js';
import { anyString, type Json, list, lookUp, members, number, string, strings } from '../field.js';
import { hunkOf } from '../hunk.js';
import { fetching, ofEdits } from '../target.js';
import { SUMMARY_LIMITS, toolTable } from '../tool-table.js';
import { commandInside, member, snakeCase } from './wire.js';

export type Phase = 'started' | 'updated' | 'completed';

interface Description {
  name: string;
  kind: ToolKind;
  mcp?: { server: string; tool: string };
  remote?: boolean;
  input: unknown;
  summary: string;
  targets?: Targets;
}

/** Writes a tool item; false when the item is not a tool. Some releases print no `started`, so every phase may open the tool. */
export function writeToolItem(
  chronicle: Chronicle,
  type: string,
  id: string,
  item: Json,
  phase: Phase,
  parent?: string,
): boolean {
  const describe = lookUp(DESCRIPTIONS, type);
  if (!describe) return false;
  const { input, summary, targets, ...tool } = describe(item);
  chronicle.startTool(id, tool, parent);
  chronicle.inputTool(id, input, { summary, targets });
  if (phase !== 'completed' || !chronicle.tool(id)) return true;
  const status = statusOf(item);
  if (type === 'file_change' && status === 'ok') writeChanges(chronicle, id, item, parent);
  chronicle.endTool(id, {
    status,
    ...resultOf(type, item),
    exitCode: number(member(item, 'exit_code')),
    durationMs: number(item.durationMs),
  });
  return true;
}

const DESCRIPTIONS: Readonly<Record<string, (item: Json) => Description>> = {
  command_execution(item) {
    const command = anyString(item.command) ?? '';
    const [action, ...others] = list(item.commandActions);
    // One action holds the command as the model wrote it; several are fragments of a pipe.
    const raw = others.length === 0 ? anyString(members(action).command) : undefined;
    const cwd = string(item.cwd);
    const summary = oneLine(raw ?? commandInside(command), SUMMARY_LIMITS.command);
    const input = defined<Json>({ command, cwd });
    return { name: 'Bash', kind: 'execute', input, summary, targets: commandTargets(command) };
  },
  file_change(item) {
    const changes = list(item.changes);
    const paths = strings(changes.map((change) => members(change).path)) ?? [];
    const targets = changeTargets(changes);
    return { name: 'Edit', kind: 'edit', input: { changes }, summary: paths.join(', '), targets };
  },
  mcp_tool_call(item) {
    const mcp = { server: anyString(item.server) ?? '', tool: anyString(item.tool) ?? '' };
    return { name: `mcp__${mcp.server}__${mcp.tool}`, kind: 'other', mcp, input: item.arguments, summary: '' };
  },
  dynamic_tool_call(item) {
    return { name: anyString(item.tool) ?? 'tool', kind: 'other', input: item.arguments, summary: '' };
  },
  collab_tool_call: describeCollaboration,
  collab_agent_tool_call: describeCollaboration,
  web_search(item) {
    const query = anyString(item.query) ?? '';
    const summary = oneLine(query, SUMMARY_LIMITS.address);
    const input = defined<Json>({ query, action: item.action });
    return { name: 'WebSearch', kind: 'fetch', remote: true, input, summary, targets: searchTargets(item.action) };
  },
  image_view(item) {
    return {
      name: 'ViewImage',
      kind: 'read',
      input: defined<Json>({ path: item.path }),
      summary: anyString(item.path) ?? '',
    };
  },
  image_generation(item) {
    const prompt = anyString(member(item, 'revised_prompt')) ?? '';
    return {
      name: 'ImageGeneration',
      kind: 'other',
      remote: true,
      input: defined<Json>({ prompt }),
      summary: oneLine(prompt, SUMMARY_LIMITS.task),
    };
  },
  sleep(item) {
    const durationMs = number(item.durationMs);
    return {
      name: 'Sleep',
      kind: 'other',
      input: defined<Json>({ durationMs }),
      summary: durationMs === undefined ? '' : `${durationMs} ms`,
    };
  },
};

function describeCollaboration(item: Json): Description {
  const prompt = anyString(item.prompt);
  const agents = strings(member(item, 'receiver_thread_ids')) ?? [];
  return {
    name: snakeCase(anyString(item.tool) ?? 'agent'),
    kind: 'other',
    input: defined<Json>({ prompt, agents: agents.length > 0 ? agents : undefined }),
    summary: oneLine(prompt ?? '', SUMMARY_LIMITS.task),
  };
}

/** A `completed` that hides an exit code other than 0 has failed. */
function statusOf(item: Json): ToolStatus {
  const exitCode = number(member(item, 'exit_code'));
  const status = anyString(item.status);
  if (status === 'declined') return 'denied';
  if (status === 'interrupted') return 'cancelled';
  // MCP tools that a person declined end as `failed` with these words only.
  if (/^user (rejected|cancelled) MCP tool call/.test(anyString(members(item.error).message) ?? '')) return 'denied';
  const isBroken = item.success === false || (item.failure !== null && item.failure !== undefined);
  if (status === 'failed' || isBroken || (exitCode !== undefined && exitCode !== 0)) return 'failed';
  // Searches, images and the like have no status at all: being printed as completed is all they say.
  return status === undefined || status === 'completed' || exitCode === 0 ? 'ok' : 'unknown';
}

function resultOf(type: string, item: Json): Pick<Body<'tool-end'>, 'output' | 'attachments'> {
  if (type === 'command_execution') return { output: anyString(member(item, 'aggregated_output')) };
  const error = anyString(members(item.error).message);
  if (error !== undefined) return { output: error };
  if (type.startsWith('collab_')) return { output: reportsOf(item) };
  const content = members(item.result).content ?? item.contentItems;
  if (content === undefined) return {};
  const { text, attachments } = readContent(content);
  return { output: text, attachments };
}

/** What the agents that were waited for had to say. */
function reportsOf(item: Json): string | undefined {
  const reports = Object.values(members(member(item, 'agents_states'))).flatMap(
    (state) => string(members(state).message) ?? [],
  );
  return reports.length > 0 ? reports.join('\n') : undefined;
}

function writeChanges(chronicle: Chronicle, toolId: string, item: Json, parent?: string): void {
  for (const entry of list(item.changes)) {
    const change = members(entry);
    const path = string(change.path);
    if (path === undefined) continue;
    // exec: `kind` is a word and a move loses its target; app-server: an object with `move_path`.
    const kind = anyString(change.kind) ?? anyString(members(change.kind).type) ?? '';
    const to = string(members(change.kind).move_path);
    const changeKind = to === undefined ? (lookUp(CHANGE_KINDS, kind) ?? 'edit') : 'move';
    const diff = diffOf(kind, anyString(change.diff));
    chronicle.write({ type: 'file-change', toolId, path, kind: changeKind, to, diff }, parent);
  }
}

/** The diff of a new or deleted file is its bare content, not hunks. */
function diffOf(kind: string, diff: string | undefined): string | undefined {
  if (diff === undefined || diff === '') return undefined;
  if (kind === 'add') return hunkOf('', diff);
  return kind === 'delete' ? hunkOf(diff, '') : diff;
}

const CHANGE_KINDS: Readonly<Record<string, FileChangeKind>> = { add: 'create', delete: 'delete', update: 'edit' };

/** Tools of MCP servers and of clients name what they touch in the usual ways. */
export const { targets: targetsOf } = toolTable({});

/** `input` has the command in `command`, with the shell that is given it. */
export function commandTargets(display: string): Targets {
  if (display === '') return {};
  const command = commandInside(display);
  return { command, ...(command !== display && { commandAt: pointerTo('command') }) };
}

/** `input` is `{ changes }`. */
export function changeTargets(changes: readonly unknown[]): Targets {
  return ofEdits(changes.flatMap((change, index) => editOf(members(change), pointerTo('changes', index, 'diff'))));
}

function searchTargets(action: unknown): Targets {
  return fetching('url')(members(action));
}

/** exec: `kind` is a word and there is no diff; app-server: an object with the target of a move. */
function editOf(change: Json, at: string): Edit[] {
  const path = string(change.path);
  if (path === undefined) return [];
  const kind = anyString(change.kind) ?? anyString(members(change.kind).type);
  const to = string(members(change.kind).move_path);
  const text = typeof change.diff === 'string' ? { at } : undefined;
  if (kind === 'delete') return [{ path, kind: 'delete' }];
  // The diff of a new file is its bare content.
  if (kind === 'add') return [{ path, kind: 'write', ...(text && { after: text }) }];
  if (to !== undefined) return [{ path, kind: 'move', to, ...(text && change.diff !== '' && { diff: text }) }];
  return [{ path, kind: 'patch', ...(text && { diff: text }) }];
}
