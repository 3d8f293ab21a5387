/** What happened beside talk and tools, in the words of every view. */
import type { AgentEvent, EventOf, LimitWindow, Loose } from '../event/index.js';
import { count, counted } from './count.js';
import { duration } from './duration.js';

/** Template tag that puts values from outside into a sentence of ours, made harmless for where it is shown. */
export type Sentence = (parts: TemplateStringsArray, ...values: unknown[]) => string;

// biome-ignore format: to be read at one glance
type Untold =
  | 'session-start' | 'turn-end' | 'run-end' | 'user-message' | 'message-start' | 'message-end' | 'message-retract' | 'text-delta'
  | 'text-end' | 'thinking-start' | 'thinking-delta' | 'thinking-end' | 'tool-start' | 'tool-input-delta' | 'tool-input-end'
  | 'tool-output-delta' | 'tool-progress' | 'tool-end' | 'todo-update' | 'approval-request' | 'approval-resolve'
  | 'approval-withdraw' | 'usage-update';

/** One line without a full stop, in small letters unless it is loud; empty for what is told by another line or not worth one. */
export function eventText(event: AgentEvent, sentence: Sentence = plain): string {
  switch (event.type) {
    case 'session-change':
      return wordOf(SESSION_CHANGE, event.reason) || 'session changed';
    case 'session-update':
      return updateText(event, sentence);
    case 'turn-start':
      return event.origin ? sentence`turn started: ${event.origin}` : '';
    case 'file-change':
      return event.to
        ? sentence`moved ${event.path} to ${event.to}`
        : sentence`${wordOf(FILE_CHANGE, event.kind)} ${event.path}`;
    case 'plan-mode':
      return wordOf(PLAN_MODE, event.state) || 'plan mode';
    case 'task-start':
      return sentence`task started: ${event.description || event.kind}`;
    case 'task-progress':
      return joined('task', [event.summary ?? event.description, event.lastTool], sentence) + spent(event);
    case 'task-end':
      return (
        joined(wordOf(TASK_END, event.status) || 'task ended', [event.error ?? event.summary], sentence) + spent(event)
      );
    case 'status':
      return event.text ? sentence`${event.text}` : sentence`status: ${event.code}`;
    case 'retry':
      return retryText(event, sentence);
    case 'rate-limit':
      return limitText(event, sentence);
    case 'compaction-start':
      return 'compacting the conversation';
    case 'compaction-end':
      return compactionText(event, sentence);
    case 'hook-start':
      return sentence`hook started: ${event.name}`;
    case 'hook-end':
      return sentence`hook ${wordOf(HOOK_END, event.outcome) || 'ended'}: ${event.name}`;
    case 'permission-deny':
      return sentence`Permission denied: ${event.toolName}`;
    case 'decode-error':
      return event.count === undefined
        ? sentence`unreadable line ${event.line} (${event.code}, ${event.bytes} bytes)`
        : sentence`${counted(event.count, 'unreadable line')} from line ${event.line} on (${event.code}, ${event.bytes} bytes)`;
    case 'warning':
    case 'agent-error':
      return sentence`${event.message}`;
    case 'gap':
      return sentence`events ${event.from} to ${event.to} were lost (${event.why})`;
    case 'unknown':
      return event.field === undefined
        ? sentence`unknown message type: ${event.wireType}${times(event.count)}`
        : sentence`unknown field: ${event.field} of ${event.wireType}`;
    default:
      event satisfies EventOf<Untold>;
      return '';
  }
}

const times = (lines: number | undefined): string => (lines === undefined ? '' : ` (${counted(lines, 'line')})`);

/** As it stands at the beginning of a line. */
export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** For who filters the whole line. */
const plain: Sentence = (parts, ...values) => String.raw({ raw: parts }, ...values.map((value) => value ?? ''));

/** The word for a value of a closed set; empty for one that is not in it, whatever a hand-edited file says. */
export function wordOf(words: Readonly<Record<string, string>>, value: unknown): string {
  return typeof value === 'string' && Object.hasOwn(words, value) ? (words[value] ?? '') : '';
}

const SESSION_CHANGE = { resume: 'session resumed', fork: 'session forked', clear: 'session cleared' };
const FILE_CHANGE = { create: 'created', edit: 'edited', delete: 'deleted', move: 'moved' };
const PLAN_MODE = { enter: 'planning', propose: 'plan proposed', exit: 'plan mode left' };
const TASK_END = { ok: 'task done', failed: 'task failed', stopped: 'task stopped', unknown: 'task ended' };
const HOOK_END = { ok: 'done', failed: 'failed', cancelled: 'cancelled', unknown: 'cut off' };
const LIMIT = { allowed: 'rate limit', warning: 'rate limit is near', rejected: 'Rate limit reached' };

function updateText({ title, model, permissionMode }: EventOf<'session-update'>, sentence: Sentence): string {
  const facts = [title, model, permissionMode && sentence`${permissionMode} mode`];
  return facts.some(Boolean) ? joined('session', facts, sentence) : '';
}

function retryText(event: EventOf<'retry'>, sentence: Sentence): string {
  const parts = [
    'retry',
    event.attempt !== undefined && sentence`${event.attempt}`,
    event.maxAttempts !== undefined && sentence`of ${event.maxAttempts}`,
    event.delayMs !== undefined && `in ${duration(event.delayMs)}`,
  ];
  const status = event.httpStatus === undefined ? undefined : sentence`HTTP ${event.httpStatus}`;
  return joined(parts.filter(Boolean).join(' '), [event.why, status], sentence);
}

/** The windows where the agent told of them, else the one that decides. */
function limitText(event: EventOf<'rate-limit'>, sentence: Sentence): string {
  const { window: name, utilization, resetsAt } = event;
  const windows = Array.isArray(event.windows) ? event.windows : [{ name, utilization, resetsAt }];
  const said = windows.map((window) => windowText(window, event.at, sentence)).filter((words) => words !== '');
  const lead = wordOf(LIMIT, event.state) || 'rate limit';
  return said.length === 0 ? lead : `${lead}: ${said.join('; ')}`;
}

function windowText(window: Loose<Partial<LimitWindow>> | null, now: number, sentence: Sentence): string {
  const { name, utilization, resetsAt } = window ?? {};
  const wait = typeof resetsAt === 'number' ? resetsAt - now : 0;
  const parts = [
    sentence`${typeof name === 'string' ? name.replaceAll('_', ' ') : ''}`,
    typeof utilization === 'number' ? `${Math.round(utilization * 100)} % used` : '',
    wait > 0 ? `resets in ${duration(wait)}` : '',
  ];
  return parts.filter((part) => part !== '').join(', ');
}

function compactionText(event: EventOf<'compaction-end'>, sentence: Sentence): string {
  if (event.error && event.source === 'synthetic') return sentence`compaction ${event.error}`;
  if (event.error) return sentence`compaction failed: ${event.error}`;
  const { tokensBefore: before, tokensAfter: after } = event;
  const change =
    before === undefined ? undefined : `${count(before)} tokens${after === undefined ? '' : ` to ${count(after)}`}`;
  return joined('conversation compacted', [change], sentence);
}

function spent({ durationMs, tokens }: EventOf<'task-progress' | 'task-end'>): string {
  const parts = [
    durationMs === undefined ? '' : duration(durationMs),
    tokens === undefined ? '' : `${count(tokens)} tokens`,
  ];
  const said = parts.filter(Boolean).join(', ');
  return said && ` (${said})`;
}

function joined(lead: string, parts: readonly unknown[], sentence: Sentence): string {
  const said = parts.map((part) => sentence`${part}`).filter((part) => part !== '');
  return said.length === 0 ? lead : `${lead}: ${said.join(', ')}`;
}
