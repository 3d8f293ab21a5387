/** One quiet line for each event that is neither talk, tool nor ending: for who follows closely. */
import type { AgentEvent, EventOf } from '../../event/index.js';
import { count, duration } from './measure.js';
import { sentence, wordOf } from './safe.js';

/** `verbose`: also for who asked for details only. */
export interface Progress {
  text: string;
  verbose?: boolean;
}

/** Undefined for what is not worth a line, or is told by another line. */
export function progressOf(event: AgentEvent): Progress | undefined {
  switch (event.type) {
    case 'session-change':
      return { text: sentence`session changed: ${event.reason}` };
    case 'session-update':
      return event.model || event.permissionMode || event.title
        ? {
            text: joined('session', [
              event.title,
              event.model,
              event.permissionMode && sentence`${event.permissionMode} mode`,
            ]),
          }
        : undefined;
    case 'turn-start':
      return event.origin ? { text: sentence`turn started: ${event.origin}` } : undefined;
    case 'file-change':
      return {
        text: event.to
          ? sentence`moved ${event.path} to ${event.to}`
          : sentence`${wordOf(FILE_CHANGE, event.kind)} ${event.path}`,
      };
    case 'plan-mode':
      return { text: wordOf(PLAN_MODE, event.state) || 'plan mode', verbose: true };
    case 'task-start':
      return { text: sentence`task started: ${event.description || event.kind}`, verbose: true };
    case 'task-progress':
      return { text: joined('task', [event.summary ?? event.description, event.lastTool]) + spent(event) };
    case 'task-end':
      return {
        text: joined(wordOf(TASK_END, event.status) || 'task ended', [event.error ?? event.summary]) + spent(event),
        verbose: true,
      };
    case 'unknown':
      return event.field === undefined
        ? undefined
        : { text: sentence`unknown field: ${event.field} of ${event.wireType}` };
    case 'status':
      return {
        text: event.text ? sentence`${event.text}` : sentence`status: ${event.code}`,
        verbose: event.level === 'warning',
      };
    case 'retry':
      return { text: retry(event), verbose: true };
    case 'rate-limit':
      return { text: rateLimit(event), verbose: event.state !== 'allowed' };
    case 'compaction-start':
      return { text: 'compacting the conversation', verbose: true };
    case 'compaction-end':
      return { text: compaction(event), verbose: true };
    case 'hook-start':
      return { text: sentence`hook started: ${event.name}` };
    case 'hook-end':
      return {
        text: sentence`hook ${event.outcome === 'ok' ? 'done' : event.outcome}: ${event.name}`,
        verbose: event.outcome === 'failed',
      };
    case 'decode-error':
      return { text: sentence`unreadable line ${event.line} (${event.code}, ${event.bytes} bytes)`, verbose: true };
    default:
      return undefined;
  }
}

export function rateLimit(event: EventOf<'rate-limit'>): string {
  const share = typeof event.utilization === 'number' ? `${Math.round(event.utilization * 100)} % used` : undefined;
  const wait = typeof event.resetsAt === 'number' ? event.resetsAt - event.at : 0;
  return joined(wordOf(RATE_LIMIT, event.state) || 'rate limit', [
    event.window,
    share,
    wait > 0 ? `resets in ${duration(wait)}` : '',
  ]);
}

const FILE_CHANGE = { create: 'created', edit: 'edited', delete: 'deleted', move: 'moved' };
const PLAN_MODE = { enter: 'planning', propose: 'plan proposed', exit: 'plan mode left' };
const TASK_END = { ok: 'task done', failed: 'task failed', stopped: 'task stopped', unknown: 'task ended' };
const RATE_LIMIT = { allowed: 'rate limit', warning: 'rate limit is near', rejected: 'Rate limit reached' };

function retry(event: EventOf<'retry'>): string {
  const parts = [
    'retry',
    event.attempt !== undefined && sentence`${event.attempt}`,
    event.maxAttempts !== undefined && sentence`of ${event.maxAttempts}`,
    event.delayMs !== undefined && `in ${duration(event.delayMs)}`,
  ];
  const status = event.httpStatus === undefined ? undefined : sentence`HTTP ${event.httpStatus}`;
  return joined(parts.filter(Boolean).join(' '), [event.why, status]);
}

function compaction(event: EventOf<'compaction-end'>): string {
  if (event.error) return sentence`compaction failed: ${event.error}`;
  const { tokensBefore: before, tokensAfter: after } = event;
  const change =
    before === undefined ? undefined : `${count(before)} tokens${after === undefined ? '' : ` to ${count(after)}`}`;
  return joined('conversation compacted', [change]);
}

function spent({ durationMs, tokens }: EventOf<'task-progress' | 'task-end'>): string {
  const parts = [
    durationMs === undefined ? '' : duration(durationMs),
    tokens === undefined ? '' : `${count(tokens)} tokens`,
  ];
  const said = parts.filter(Boolean).join(', ');
  return said && ` (${said})`;
}

function joined(lead: string, parts: readonly unknown[]): string {
  const said = parts.map((part) => sentence`${part}`).filter((part) => part !== '');
  return said.length === 0 ? lead : `${lead}: ${said.join(', ')}`;
}
