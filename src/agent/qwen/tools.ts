/** What each tool of Qwen Code is, and what the words of its results mean. */
import type { OpenTool, Shown } from '../chronicle/chronicle.js';
import type { ResultReading, ToolResult } from '../claude-lines/tools.js';
import { atPaths, fetching, nothing, replacing, running, searching, writing } from '../target.js';
import { toolTable } from '../tool-table.js';

export const PLAN_EXIT = 'exit_plan_mode';
const QUESTION = 'ask_user_question';

export const TOOLS = toolTable({
  kinds: {
    read: ['read_file', 'read_many_files', 'read_mcp_resource', 'zoom_image'],
    edit: ['write_file', 'edit', 'notebook_edit'],
    search: ['grep_search', 'glob', 'list_directory', 'tool_search'],
    execute: ['run_shell_command', 'monitor', 'task_stop'],
    fetch: ['web_fetch', 'web_search'],
    think: ['agent', 'task', 'skill', 'todo_write'],
  },
  hidden: { [PLAN_EXIT]: 'plan', [QUESTION]: 'question' },
  mcp: /^mcp__(.+?)__(.+)$/s,
  summary: {
    command: ['command'],
    path: ['file_path', 'absolute_path', 'path'],
    pattern: ['pattern'],
    address: ['url', 'query'],
    task: ['description'],
  },
  opened: pathOpened,
  targets: {
    read_file: atPaths('file_path', 'absolute_path'),
    read_many_files: atPaths('paths', 'include'),
    write_file: writing('file_path', 'content'),
    edit: replacing({ path: 'file_path', before: 'old_string', after: 'new_string', all: 'replace_all' }),
    // A cell of a notebook is no text that stands in its file.
    notebook_edit: atPaths('notebook_path'),
    grep_search: searching(['path']),
    glob: searching(['path'], ['pattern']),
    list_directory: searching(['path']),
    run_shell_command: running('command'),
    monitor: running('command'),
    web_fetch: fetching('url'),
    skill: nothing,
  },
});

/** What a shell would need a backslash for may have one (0.24.4). */
function pathOpened(path: string): string {
  return path.replace(/\\([ \t()[\]{};|*?$`'"#&<>!~,])/g, '$1');
}

/** Commands that fail or print nothing carry their exit code in prose; refusals and interrupts are told by words only. */
export function readResult({ text, failed }: ToolResult, tool: OpenTool | undefined): ResultReading {
  const code = tool?.kind === 'execute' ? EXIT.exec(text)?.[1] : undefined;
  const exitCode = code === undefined ? undefined : Number(code);
  if (!failed) return { status: 'ok', output: text, exitCode, taskId: BACKGROUND.exec(text)?.[1] };
  if (exitCode !== undefined) return { status: 'failed', output: text, exitCode };
  if (tool?.decision === 'deny' || REFUSED.test(text)) return { status: 'denied', output: text };
  if (!text.startsWith('[Operation Cancelled]')) return { status: 'failed', output: text };
  // The reason is either the host's words of refusal or Qwen's own about an interrupt.
  return { status: /Reason:.{0,1000}(cancel|abort)/i.test(text) ? 'cancelled' : 'denied', output: text };
}

/** Words of the program. Those of a hook that gave a reason are not known: the turn lists such a call among its refusals. */
const REFUSED =
  /^(?:Qwen Code requires permission to use |(?:tool execution )?blocked by (?:PreToolUse )?hook|Execution stopped by hook)/i;

/** What a result shows about an ask that somebody else answered. */
export function shownAnswer({ status, exitCode }: ResultReading): Shown {
  if (status === 'denied') return { decision: 'deny' };
  return { decision: status === 'ok' || exitCode !== undefined ? 'allow' : 'unclear' };
}

/** The last one: what the command printed comes before it, and may look like it. */
const EXIT = /^Command: .*\nExit Code: (\d+)\n/s;

/** The id under which a shell or an agent goes on. */
const BACKGROUND = /^Background (?:shell |agent launched.*?\btask_id: )(\S+)/s;
