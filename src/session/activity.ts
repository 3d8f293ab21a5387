/** "What is it doing now?" in one line, from what is most in need of attention down to the last thing that happened. */
import { selectPendingApprovals } from './approval-queue.js';
import { entryAt } from './chunks.js';
import { isWorking, selectHealth } from './health.js';
import type { Task, Tool } from './item.js';
import { selectRun } from './select-run.js';
import type { Run, SessionState } from './state.js';
import { openRows, rowAt } from './table.js';

export interface Activity {
  kind:
    | 'idle'
    | 'approval'
    | 'stall'
    | 'retry'
    | 'compaction'
    | 'tool'
    | 'thinking'
    | 'text'
    | 'task'
    | 'model'
    | 'ended';
  /** One line for people, without control of its width. */
  text: string;
  /** Since when, ms since the epoch. */
  since?: number;
}

export function selectCurrentActivity(state: SessionState): Activity {
  const run = selectRun(state);
  if (run === undefined) return { kind: 'idle', text: 'Nothing yet' };
  return (
    (run.end && ended(state)) ??
    approval(state) ??
    (run.stall && { kind: 'stall', text: run.stall.message, since: run.stall.at }) ??
    (run.retry && retry(run.retry)) ??
    (run.compaction && { kind: 'compaction', text: 'Compacting the conversation', since: run.compaction.at }) ??
    speaking(state, run) ??
    tool(state) ??
    task(state) ??
    (isWorking(state) ? model(run, state) : ended(state))
  );
}

function approval(state: SessionState): Activity | undefined {
  const [head, ...others] = selectPendingApprovals(state);
  if (head === undefined) return undefined;
  const { toolName, summary, title, at } = head.request;
  const about = [toolName ?? title, summary].filter(Boolean).join(': ');
  return { kind: 'approval', text: `Waiting for you${about && ` (${about})`}${andMore(others.length)}`, since: at };
}

function retry({ attempt, maxAttempts, why, at }: NonNullable<Run['retry']>): Activity {
  const count = attempt === undefined ? '' : ` ${attempt}${maxAttempts === undefined ? '' : `/${maxAttempts}`}`;
  return { kind: 'retry', text: `Retrying${count}${why ? `: ${why}` : ''}`, since: at };
}

function speaking(state: SessionState, { speaking: now, thinkingTokens }: Run): Activity | undefined {
  const message = rowAt(state.messages, now?.message);
  const block = message && now && entryAt(message.blocks, now.block);
  if (block === undefined) return undefined;
  const since = block.startedAt ?? message?.startedAt;
  if (block.kind === 'text') return { kind: 'text', text: 'Writing', since };
  return { kind: 'thinking', text: thinkingTokens ? `Thinking (${thinkingTokens} tokens)` : 'Thinking', since };
}

/** The newest call tells most: an older one that is still open is usually the sub-agent that made it. */
function tool(state: SessionState): Activity | undefined {
  const running = Array.from(openRows(state.tools), ([, row]) => row);
  const newest = running.at(-1);
  if (newest === undefined) return undefined;
  const name = newest.name || 'Tool';
  const text = [newest.title ?? name, newest.summary].filter(Boolean).join(': ');
  const others = running.filter((other) => !isAncestor(state, other, newest)).length - 1;
  return { kind: 'tool', text: `${text}${andMore(others)}`, since: newest.startedAt };
}

function task(state: SessionState): Activity | undefined {
  const running: Task[] = Array.from(openRows(state.tasks), ([, row]) => row);
  const newest = running.at(-1);
  if (newest === undefined) return undefined;
  const text = newest.progress?.summary ?? newest.description ?? newest.id;
  return { kind: 'task', text: `In the background: ${text}${andMore(running.length - 1)}`, since: newest.startedAt };
}

function model(run: Run, state: SessionState): Activity {
  for (const [, turn] of openRows(state.turns)) {
    return { kind: 'model', text: 'Waiting for the model', since: turn.start?.at };
  }
  return { kind: 'model', text: 'Starting', since: run.startedAt };
}

function ended(state: SessionState): Activity {
  const health = selectHealth(state);
  const word = health.state === 'failed' ? 'Failed' : health.state === 'done' ? 'Done' : 'Starting';
  const kind = health.state === 'failed' || health.state === 'done' ? 'ended' : 'idle';
  return { kind, text: health.why ? `${word}: ${health.why}` : word, since: health.since };
}

function isAncestor(state: SessionState, other: Tool, newest: Tool): boolean {
  for (let thread = newest.thread; ; ) {
    const parent = rowAt(state.tools, entryAt(state.threads, thread)?.tool);
    if (parent === undefined) return false;
    if (parent === other) return true;
    thread = parent.thread;
  }
}

function andMore(count: number): string {
  return count > 0 ? ` and ${count} more` : '';
}
