/** What each tool of this agent is, what became of a call, and which files it changed. */
import type { FileChangeKind, ToolStatus } from '../../event/index.js';
import { oneLine } from '../../word/index.js';
import type { Note, OpenTool, Shown } from '../chronicle/chronicle.js';
import { type Json, members, number, object, objects, string } from '../field.js';
import { atPaths, fetching, nothing, replacing, replacingEach, running, searching, writing } from '../target.js';
import { SUMMARY_LIMITS, type SummaryFields, summarizeBy, toolTable } from '../tool-table.js';

/** Tools that are told as plan mode or as a question to a person. */
export const PLAN_ENTER = 'EnterPlanMode';
export const PLAN_EXIT = 'ExitPlanMode';
const QUESTION = 'AskUserQuestion';

const REPLACEMENT = { path: 'file_path', before: 'old_string', after: 'new_string', all: 'replace_all' };

export const TOOLS = toolTable({
  kinds: {
    read: ['Read', 'NotebookRead', 'ReadMcpResource', 'ReadMcpResourceTool'],
    edit: ['Edit', 'MultiEdit', 'Write', 'NotebookEdit'],
    search: ['Glob', 'Grep', 'LS', 'ToolSearch', 'ListMcpResources', 'ListMcpResourcesTool'],
    execute: ['Bash', 'PowerShell', 'BashOutput', 'KillShell', 'KillBash', 'TaskOutput', 'TaskStop', 'Monitor'],
    fetch: ['WebFetch', 'WebSearch', 'web_search', 'web_fetch'],
    think: ['Task', 'Agent', 'Workflow', 'TodoWrite', 'TaskCreate', 'TaskGet', 'TaskList', 'TaskUpdate', 'Skill'],
  },
  hidden: { [PLAN_ENTER]: 'tool', [PLAN_EXIT]: 'plan', [QUESTION]: 'question' },
  // The server ends at the first `__` after the prefix, the tool may contain more.
  mcp: /^mcp__(.*?)__(.*)$/s,
  summary: (input, name) =>
    name === 'TaskUpdate' ? entryChange(input) : summarizeBy(SUMMARY.get(name) ?? NO_SUMMARY, input),
  targets: {
    Read: atPaths('file_path'),
    NotebookRead: atPaths('notebook_path'),
    Edit: replacing(REPLACEMENT),
    MultiEdit: replacingEach('edits', REPLACEMENT),
    Write: writing('file_path', 'content'),
    // A cell of a notebook is no text that stands in its file.
    NotebookEdit: atPaths('notebook_path'),
    Glob: searching(['path'], ['pattern']),
    Grep: searching(['path']),
    LS: searching(['path']),
    Bash: running('command'),
    PowerShell: running('command'),
    Monitor: running('command'),
    WebFetch: fetching('url'),
    web_fetch: fetching('url'),
    Skill: nothing,
    Workflow: nothing,
  },
});

const FILE: SummaryFields = { path: ['file_path'] };
const COMMAND: SummaryFields = { command: ['command', 'description'] };
const PATTERN: SummaryFields = { pattern: ['pattern'] };
const TASK: SummaryFields = { task: ['description'] };
const ADDRESS: SummaryFields = { address: ['url', 'query'] };

const NO_SUMMARY: SummaryFields = {};

const SUMMARY: ReadonlyMap<string, SummaryFields> = new Map(
  Object.entries<SummaryFields>({
    Read: FILE,
    Write: FILE,
    Edit: FILE,
    MultiEdit: FILE,
    NotebookEdit: { path: ['notebook_path'] },
    Bash: COMMAND,
    PowerShell: COMMAND,
    Monitor: { command: ['description', 'command'] },
    Glob: PATTERN,
    Grep: PATTERN,
    LS: { path: ['path'] },
    ToolSearch: { pattern: ['query'] },
    Task: TASK,
    Agent: TASK,
    Skill: { task: ['skill', 'command'] },
    WebFetch: ADDRESS,
    WebSearch: ADDRESS,
    web_search: { address: ['query'] },
    TaskStop: { path: ['task_id', 'shell_id'] },
    TaskCreate: { task: ['subject'] },
    TaskGet: { path: ['taskId'] },
  }),
);

/** Which entry of the list, and what becomes of it: "#2 in progress". */
function entryChange({ taskId, status, subject }: Json): string {
  const entry = string(taskId);
  const words = [entry && `#${entry}`, string(status)?.replaceAll('_', ' '), string(subject)].filter(Boolean);
  return oneLine(words.join(' '), SUMMARY_LIMITS.task);
}

/** What the line says about one of its results. */
export interface ResultFacts {
  failed: boolean;
  output: string;
  tool: OpenTool | undefined;
  /** `tool_use_result` of the line; only what is needed is read, it is the heaviest key of most lines. */
  structured: unknown;
  /** Its entry in `tool_result_meta` (since 2.1.2xx). */
  meta: Json | undefined;
  /** An ask for this call was still open when the result came. */
  asked: boolean;
  /** Here this version says of each call that was refused that it never ran. */
  marksRefusals: boolean;
}

/** Each refusal of 2.1.225 and later that was recorded has its entry in `tool_result_meta`; none of 2.1.213 and before has. */
export function marksRefusals(version = ''): boolean {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  return major > 2 || (major === 2 && (minor > 1 || (minor === 1 && patch >= 225)));
}

export function resultStatus(facts: ResultFacts): ToolStatus {
  const { failed, output, tool, structured, meta, asked } = facts;
  if (!failed) return object(structured)?.interrupted === true ? 'cancelled' : 'ok';
  if (tool?.decision === 'deny') return 'denied';
  const stop = stopIn(meta);
  if (stop === 'cut') return 'cancelled';
  if (stop === 'invalid') return 'failed';
  const isChecked = object(meta?.permission_decision)?.decision === 'reject';
  if (stop === 'refused' && (isChecked || !isRejected(facts))) return 'denied';
  // A refusal that also ends the turn reads like an interrupt; only an open ask tells them apart, unless the words do.
  if (isRejected(facts)) return asked && !STOPPED.test(output) ? 'denied' : 'cancelled';
  if (INTERRUPTED.test(output)) return 'cancelled';
  // Versions without `tool_result_meta`: the text is all there is. What a server's tool says may be anything.
  if (REFUSED.test(output)) return 'denied';
  const mayBeAnswer = asked && !meta && !facts.marksRefusals && tool?.kind !== 'other';
  return mayBeAnswer && !FAILED_WHILE_RUNNING.test(output) ? 'denied' : 'failed';
}

/** What the result shows about an ask that somebody else answered: that the tool ran, that it did not, or neither. */
export function shownAnswer(facts: ResultFacts): Shown {
  const { failed, output, tool, structured, meta } = facts;
  const message = tool?.isHidden ? output : undefined;
  const { decision, source } = object(meta?.permission_decision) ?? {};
  const rule = source === 'hook' ? 'hook' : undefined;
  const stop = stopIn(meta);
  if (stop === 'invalid' || (stop === 'cut' && decision !== 'accept')) return { decision: 'unknown', message };
  if (stop === 'refused' && decision === 'reject') return { decision: 'deny', message, rule };
  // Refused, or allowed and stopped: the refusals of the turn tell, where its words do not.
  if (isRejected(facts)) return { decision: STOPPED.test(output) ? 'allow' : meta ? 'unclear' : 'unknown', message };
  if (stop === 'refused') return { decision: 'deny', message, rule };
  if (!failed || decision === 'accept' || exitCode(tool, failed, output) !== undefined)
    return { decision: 'allow', answers: object(object(structured)?.answers), message, rule };
  if (INTERRUPTED.test(output)) return { decision: 'unknown' };
  return { decision: REFUSED.test(output) ? 'deny' : 'unclear', message };
}

/**
 * Why a call did not run, where its entry says so: somebody or some rule said no, what it was asked for was no input, or it was cut
 * before it began. The words are those of 2.1.325; of others nothing is concluded.
 */
function stopIn(meta: Json | undefined): 'refused' | 'invalid' | 'cut' | undefined {
  const kind = string(meta?.non_execution_kind);
  const { decision, source } = object(meta?.permission_decision) ?? {};
  if (kind === 'interrupted' || kind === 'cancelled' || decision === 'cancelled') return 'cut';
  if (decision === 'reject') return NOBODY_REFUSED.test(string(source) ?? '') ? 'invalid' : 'refused';
  return kind !== undefined && REFUSING.test(kind) ? 'refused' : undefined;
}

const REFUSING = /^(user-rejected|permission-rule|automode-)/;
/** Bad input, or a server that ended the wait. */
const NOBODY_REFUSED = /^(invalid_input|permission_updated_input_invalid|server_)/;

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

export function fileChange(tool: OpenTool, structured: unknown): Note | undefined {
  if (tool.kind !== 'edit') return undefined;
  const result = object(structured);
  const path =
    string(result?.filePath) ??
    string(result?.notebook_path) ??
    string(members(tool.input).file_path) ??
    string(members(tool.input).notebook_path);
  if (path === undefined) return undefined;
  const kind: FileChangeKind = result?.type === 'create' ? 'create' : 'edit';
  return { type: 'file-change', toolId: tool.id, path, kind, diff: diffOf(result, kind) };
}

/** By a person, before it ran or while it did. An interrupt is listed among the refusals of some versions too. */
function isRejected({ meta, output }: ResultFacts): boolean {
  return meta?.non_execution_kind === 'user-rejected' || REJECTED.test(output);
}

const INTERRUPTED = /^\[Request interrupted by user/;
const REJECTED = /^The user doesn't want to (proceed|take this action)/;
const STOPPED = /this call was stopped while running, not refused/;
const REFUSED =
  /^(Claude requested permissions? to |Permission to use |This command requires approval|This Bash command contains multiple operations\.|\S+ in '.*' (was blocked\. For security|needs approval)|\w+ operation blocked by hook|PreToolUse:\w+ hook error)/;
const FAILED_WHILE_RUNNING = /^(Exit code \d|<tool_use_error>|Error|Command timed out after )/;

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
