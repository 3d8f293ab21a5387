/** What each tool of Qwen Code is, and what the words of its results mean. */
import type { ToolKind } from '../../event/index.js';
import type { OpenTool, ToolTable } from '../claude-lines/open-tools.js';
import type { ResultReading, ToolResult } from '../claude-lines/tool-lines.js';
import { type Json, lookUp, string } from '../field.js';
import { cutText } from '../summary.js';

const KINDS: Record<string, ToolKind> = {
  read_file: 'read',
  read_many_files: 'read',
  read_mcp_resource: 'read',
  zoom_image: 'read',
  write_file: 'edit',
  edit: 'edit',
  notebook_edit: 'edit',
  grep_search: 'search',
  glob: 'search',
  list_directory: 'search',
  tool_search: 'search',
  run_shell_command: 'execute',
  monitor: 'execute',
  task_stop: 'execute',
  web_fetch: 'fetch',
  web_search: 'fetch',
  agent: 'think',
  task: 'think',
  skill: 'think',
  todo_write: 'think',
};

export const PLAN_EXIT = 'exit_plan_mode';
const QUESTION = 'ask_user_question';

const SUMMARY: readonly { field: string; width?: number }[] = [
  { field: 'command', width: 60 },
  { field: 'file_path' },
  { field: 'absolute_path' },
  { field: 'path' },
  { field: 'pattern', width: 40 },
  { field: 'url', width: 50 },
  { field: 'query', width: 50 },
  { field: 'description', width: 40 },
];

export const toolTable: ToolTable = {
  kind: (name) => lookUp(KINDS, name) ?? 'other',
  mcp: splitMcpName,
  summary: summarize,
  isCard: (name) => name !== PLAN_EXIT && name !== QUESTION,
  asks: (name) => (name === QUESTION ? 'question' : name === PLAN_EXIT ? 'plan' : 'tool'),
};

/** Failures of a command carry its exit code in prose; refusals and interrupts are told by words only. */
export function readResult({ text, failed }: ToolResult, tool: OpenTool | undefined): ResultReading {
  if (!failed) return { status: 'ok', output: text, taskId: BACKGROUND.exec(text)?.[1] };
  const code = tool?.kind === 'execute' ? /\nExit Code: (\d+)/.exec(text)?.[1] : undefined;
  if (code !== undefined) return { status: 'failed', output: text, exitCode: Number(code) };
  if (tool?.denied || /requires permission to use|permission was declined|deny rule/i.test(text)) {
    return { status: 'denied', output: text };
  }
  if (!text.startsWith('[Operation Cancelled]')) return { status: 'failed', output: text };
  // The reason is either the host's words of refusal or Qwen's own about an interrupt.
  return { status: /Reason:.*(cancel|abort)/i.test(text) ? 'cancelled' : 'denied', output: text };
}

/** The id under which a shell or an agent goes on. */
const BACKGROUND = /^Background (?:shell |agent launched.*?\btask_id: )(\S+)/s;

function summarize(_: string, input: Json): string {
  for (const { field, width } of SUMMARY) {
    const value = string(input[field]);
    if (value !== undefined) return width === undefined ? value : cutText(value, width);
  }
  return '';
}

function splitMcpName(name: string): { server: string; tool: string } | undefined {
  const [, server, tool] = /^mcp__(.+?)__(.+)$/.exec(name) ?? [];
  return server !== undefined && tool !== undefined ? { server, tool } : undefined;
}
