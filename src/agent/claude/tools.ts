/** What each tool of this agent is: its kind, and the argument worth a line. */
import type { ToolKind } from '../../event/index.js';
import type { ToolTable } from '../claude-lines/open-tools.js';
import { type Json, lookUp, string } from '../field.js';
import { cutText } from '../summary.js';

const KINDS: Record<string, ToolKind> = {
  Read: 'read',
  NotebookRead: 'read',
  ReadMcpResource: 'read',
  ReadMcpResourceTool: 'read',
  Edit: 'edit',
  MultiEdit: 'edit',
  Write: 'edit',
  NotebookEdit: 'edit',
  Glob: 'search',
  Grep: 'search',
  LS: 'search',
  ToolSearch: 'search',
  ListMcpResources: 'search',
  ListMcpResourcesTool: 'search',
  Bash: 'execute',
  PowerShell: 'execute',
  BashOutput: 'execute',
  KillShell: 'execute',
  KillBash: 'execute',
  TaskOutput: 'execute',
  TaskStop: 'execute',
  Monitor: 'execute',
  WebFetch: 'fetch',
  WebSearch: 'fetch',
  web_search: 'fetch',
  web_fetch: 'fetch',
  Task: 'think',
  Agent: 'think',
  Workflow: 'think',
  TodoWrite: 'think',
  TaskCreate: 'think',
  TaskGet: 'think',
  TaskList: 'think',
  TaskUpdate: 'think',
  Skill: 'think',
};

/** Tools that are told as plan mode or as a question to a person. */
export const PLAN_ENTER = 'EnterPlanMode';
export const PLAN_EXIT = 'ExitPlanMode';
const QUESTION = 'AskUserQuestion';

const NO_CARD = new Set([PLAN_ENTER, PLAN_EXIT, QUESTION]);

/** First argument that is a string wins, cut to the width. */
const SUMMARY: Record<string, { fields: readonly string[]; width?: number }> = {
  Read: { fields: ['file_path'] },
  Write: { fields: ['file_path'] },
  Edit: { fields: ['file_path'] },
  MultiEdit: { fields: ['file_path'] },
  NotebookEdit: { fields: ['notebook_path'] },
  Bash: { fields: ['command', 'description'], width: 60 },
  PowerShell: { fields: ['command', 'description'], width: 60 },
  Monitor: { fields: ['description', 'command'], width: 60 },
  Glob: { fields: ['pattern'], width: 40 },
  Grep: { fields: ['pattern'], width: 40 },
  LS: { fields: ['path'] },
  ToolSearch: { fields: ['query'], width: 40 },
  Task: { fields: ['description'], width: 40 },
  Agent: { fields: ['description'], width: 40 },
  Skill: { fields: ['skill', 'command'], width: 40 },
  WebFetch: { fields: ['url', 'query'], width: 50 },
  WebSearch: { fields: ['url', 'query'], width: 50 },
  web_search: { fields: ['query'], width: 50 },
  TaskStop: { fields: ['task_id', 'shell_id'] },
  TaskCreate: { fields: ['subject'], width: 40 },
};

export const toolTable: ToolTable = {
  kind: (name) => lookUp(KINDS, name) ?? 'other',
  mcp: splitMcpName,
  summary: summarizeInput,
  isCard: (name) => !NO_CARD.has(name),
  asks: (name) => (name === QUESTION ? 'question' : name === PLAN_EXIT ? 'plan' : 'tool'),
};

export function summarizeInput(name: string, input: Json): string {
  const rule = lookUp(SUMMARY, name);
  if (!rule) return '';
  for (const field of rule.fields) {
    const value = string(input[field]);
    if (value !== undefined) return rule.width === undefined ? value : cutText(value, rule.width);
  }
  return '';
}

/** `mcp__server__tool`: the server ends at the first `__` after the prefix, the tool may contain more. */
export function splitMcpName(name: string): { server: string; tool: string } | undefined {
  if (!name.startsWith('mcp__')) return undefined;
  const end = name.indexOf('__', 5);
  return end < 0 ? undefined : { server: name.slice(5, end), tool: name.slice(end + 2) };
}
