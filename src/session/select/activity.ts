/** "What is it doing now?", from what is most in need of attention down to the last thing that happened. */

import type { Task, Tool } from '../item.js';
import type { Run, SessionState } from '../state.js';
import { entryAt } from '../table/chunks.js';
import { openRows, rowAt } from '../table/table.js';
import { selectPendingApprovals } from './approval-queue.js';
import { isWorking, selectHealth } from './health.js';
import { selectLastTurn } from './select-last-turn.js';
import { selectRun } from './select-run.js';

/** In parts, because every view has room for others of them; `activityText` is the whole. */
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
  /** What it does: "Waiting for you", "Bash", "Done". */
  word: string;
  /** What that is about, where there is more to say: the command, the question, the reason of the end. */
  about?: string | undefined;
  /** How many more of the same go on beside it. */
  others?: number | undefined;
  /** Since when, ms since the epoch. */
  since?: number | undefined;
}

/** One line for people, without control of its width. */
export function activityText({ word, about, others = 0 }: Activity): string {
  return `${about ? `${word}: ${about}` : word}${others > 0 ? ` and ${others} more` : ''}`;
}

/** What the agent does now, for one line: what needs attention first. */
export function selectCurrentActivity(state: SessionState): Activity {
  const run = selectRun(state);
  if (run === undefined) return { kind: 'idle', word: 'Nothing yet' };
  return (
    (run.end && ended(state)) ??
    approval(state) ??
    (run.stall && { kind: 'stall', word: 'Stalled', about: run.stall.message, since: run.stall.at }) ??
    (run.retry && retry(run.retry)) ??
    (run.compaction && { kind: 'compaction', word: 'Compacting the conversation', since: run.compaction.at }) ??
    speaking(state, run) ??
    tool(state) ??
    task(state) ??
    (isWorking(state) ? model(run, state) : ended(state))
  );
}

function approval(state: SessionState): Activity | undefined {
  const [head, ...others] = selectPendingApprovals(state);
  if (head === undefined) return undefined;
  const { toolName, summary, title, at, questions } = head.request;
  const about = questions?.[0]?.question ?? [toolName ?? title, summary].filter(Boolean).join(': ');
  return { kind: 'approval', word: 'Waiting for you', ...(about && { about }), others: others.length, since: at };
}

function retry({ attempt, maxAttempts, why, at }: NonNullable<Run['retry']>): Activity {
  const count = attempt === undefined ? '' : ` ${attempt}${maxAttempts === undefined ? '' : `/${maxAttempts}`}`;
  return { kind: 'retry', word: `Retrying${count}`, about: why, since: at };
}

function speaking(state: SessionState, { speaking: now, thinkingTokens }: Run): Activity | undefined {
  const message = rowAt(state.messages, now?.message);
  const block = message && now && entryAt(message.blocks, now.block);
  if (block === undefined) return undefined;
  const since = block.startedAt ?? message?.startedAt;
  if (block.kind === 'text') return { kind: 'text', word: 'Writing', since };
  return { kind: 'thinking', word: 'Thinking', ...(thinkingTokens && { about: `${thinkingTokens} tokens` }), since };
}

/** The newest call tells most: an older one that is still open is usually the sub-agent that made it. */
function tool(state: SessionState): Activity | undefined {
  const running = Array.from(openRows(state.tools), ([, row]) => row);
  const newest = running.at(-1);
  if (newest === undefined) return undefined;
  const others = running.filter((other) => !isAncestor(state, other, newest)).length - 1;
  const word = newest.title || newest.name || 'Tool';
  return { kind: 'tool', word, about: newest.summary, others, since: newest.startedAt };
}

function task(state: SessionState): Activity | undefined {
  const running: Task[] = Array.from(openRows(state.tasks), ([, row]) => row);
  const newest = running.at(-1);
  if (newest === undefined) return undefined;
  const about = newest.progress?.summary ?? newest.description ?? newest.id;
  return { kind: 'task', word: 'In the background', about, others: running.length - 1, since: newest.startedAt };
}

function model(run: Run, state: SessionState): Activity {
  for (const [, turn] of openRows(state.turns)) {
    return { kind: 'model', word: 'Waiting for the model', since: turn.start?.at };
  }
  return { kind: 'model', word: 'Starting', since: run.startedAt };
}

function ended(state: SessionState): Activity {
  const { state: health, why: about, since } = selectHealth(state);
  if (health !== 'failed' && health !== 'done') return { kind: 'idle', word: 'Starting', since };
  const word = health === 'failed' ? 'Failed' : isStopped(state) ? 'Stopped' : 'Done';
  return { kind: 'ended', word, ...(about && { about }), since };
}

/** Somebody wanted its end: it did not fail, but it is not done either. */
function isStopped(state: SessionState): boolean {
  const end = selectRun(state)?.end;
  return end ? end.reason === 'cancelled' : selectLastTurn(state)?.end?.outcome === 'interrupted';
}

function isAncestor(state: SessionState, other: Tool, newest: Tool): boolean {
  for (let thread = newest.thread; ; ) {
    const parent = rowAt(state.tools, entryAt(state.threads, thread)?.tool);
    if (parent === undefined) return false;
    if (parent === other) return true;
    thread = parent.thread;
  }
}
