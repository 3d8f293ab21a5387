/** A `tool_result` block: what became of the call, and which files it changed. */
import type { FileChangeKind, Payload, ToolStatus } from '../../event/index.js';
import type { OpenTool } from '../claude-lines/open-tools.js';
import { type Json, number, object, objects, string } from '../field.js';

/** What the line says about one of its results. */
export interface ResultFacts {
  failed: boolean;
  output: string;
  tool: OpenTool | undefined;
  /** `tool_use_result` of the line; only what is needed is read, it is the heaviest key of most lines (pitfall 3). */
  structured: unknown;
  /** Its entry in `tool_result_meta` (since 2.1.2xx). */
  meta: Json | undefined;
  /** An ask for this call was still open when the result came. */
  asked: boolean;
}

export function resultStatus({ failed, output, tool, structured, meta, asked }: ResultFacts): ToolStatus {
  if (!failed) return object(structured)?.interrupted === true ? 'cancelled' : 'ok';
  if (tool?.denied || object(meta?.permission_decision)?.decision === 'reject') return 'denied';
  if (meta?.non_execution_kind === 'user-rejected') return 'cancelled';
  if (INTERRUPTED.test(output)) return 'cancelled';
  // Versions without `tool_result_meta`: the text is all there is.
  if (REFUSED.test(output)) return 'denied';
  return asked && !meta && !FAILED_WHILE_RUNNING.test(output) ? 'denied' : 'failed';
}

export function exitCode(tool: OpenTool | undefined, failed: boolean, output: string): number | undefined {
  if (!failed || tool?.kind !== 'execute') return undefined;
  const code = /^Exit code (\d+)/.exec(output)?.[1];
  return code === undefined ? undefined : Number(code);
}

/** What a failed call says, without the mark that tells the model that it failed. */
export function withoutMark(output: string): string {
  return /^<tool_use_error>([\s\S]*)<\/tool_use_error>$/.exec(output)?.[1] ?? output;
}

/** The id under which the work goes on in the background. */
export function backgroundTask(tool: OpenTool | undefined, structured: unknown): string | undefined {
  const result = object(structured);
  if (!result) return undefined;
  if (result.isAsync === true || result.status === 'async_launched')
    return string(result.agentId) ?? string(result.taskId);
  return string(result.backgroundTaskId) ?? (tool?.name === 'Monitor' ? string(result.taskId) : undefined);
}

export function fileChange(tool: OpenTool, structured: unknown): Payload | undefined {
  if (tool.kind !== 'edit') return undefined;
  const result = object(structured);
  const path =
    string(result?.filePath) ??
    string(result?.notebook_path) ??
    string(tool.input?.file_path) ??
    string(tool.input?.notebook_path);
  if (path === undefined) return undefined;
  const kind: FileChangeKind = result?.type === 'create' ? 'create' : 'edit';
  return { type: 'file-change', toolId: tool.id, path, kind, diff: diffOf(result, kind) };
}

const INTERRUPTED = /^(\[Request interrupted by user|The user doesn't want to (proceed|take this action))/;
const REFUSED =
  /^(Claude requested permissions? to |Permission to use |This command requires approval|\w+ operation blocked by hook|PreToolUse:\w+ hook error)/;
const FAILED_WHILE_RUNNING = /^(Exit code \d|<tool_use_error>|Error)/;

function diffOf(result: Json | undefined, kind: FileChangeKind): string | undefined {
  const hunks = objects(result?.structuredPatch).map((hunk) => {
    const lines = Array.isArray(hunk.lines) ? hunk.lines.filter((line) => typeof line === 'string') : [];
    const before = `${number(hunk.oldStart) ?? 0},${number(hunk.oldLines) ?? 0}`;
    const after = `${number(hunk.newStart) ?? 0},${number(hunk.newLines) ?? 0}`;
    return [`@@ -${before} +${after} @@`, ...lines].join('\n');
  });
  if (hunks.length > 0) return hunks.join('\n');
  const content = kind === 'create' ? result?.content : undefined;
  if (typeof content !== 'string' || content === '') return undefined;
  const lines = content.replace(/\n$/, '').split('\n');
  return [`@@ -0,0 +1,${lines.length} @@`, ...lines.map((line) => `+${line}`)].join('\n');
}
