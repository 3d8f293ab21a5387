/**
 * The one reducer behind every view: events in, state out.
 *
 * Never throws, whatever comes in whatever order: ends without a start make their record, repeated ends are ignored, unknown
 * types and events that are none change nothing. Costs the same per event at the start and at the end of the longest session.
 */
import type { AgentEvent, EventOf, EventType } from '../../event/index.js';
import { newRun, type Run, type SessionState } from '../state.js';
import { findRow, rowAt, setRow } from '../table/table.js';
import { requestApproval, resolveApproval, withdrawApproval } from './approval.js';
import { type Copy, copyRun, copyState } from './copy.js';
import { countDecodeError, countUnknown, noteError, noteGap, noteWarning } from './fault.js';
import {
  addUserMessage,
  endBlock,
  endMessage,
  growBlock,
  retractMessage,
  startMessage,
  startThinking,
  tellUnsaid,
} from './message.js';
import { type ReduceContext, withRun } from './reduce-context.js';
import { changeSession, endRun, learnFacts } from './run.js';
import {
  endCompaction,
  endHook,
  noteDenial,
  noteRateLimit,
  noteRetry,
  noteStatus,
  startCompaction,
  startHook,
  updateUsage,
} from './status.js';
import { endTool, endToolInput, growToolInput, growToolOutput, noteToolProgress, startTool } from './tool.js';
import { endTurn, startTurn } from './turn.js';
import { addFileChange, endTask, noteTaskProgress, replaceTodos, setPlanMode, startTask } from './work.js';

/** The state after one more event. The state before stays as it is, and what did not change is the same object. */
export function reduce(state: SessionState, event: AgentEvent): SessionState {
  const runId = event?.runId;
  if (typeof runId !== 'string') return state;
  const known = findRow(state.runs, runId);
  const run = rowAt(state.runs, known) ?? newRun(runId);
  try {
    if (event.seq <= run.seq) return state;
    return play(known === undefined ? withRun(state, run) : state, run, known ?? state.runs.rows.size, event);
  } catch {
    // Fields of the wrong kind, as from a damaged file. Handlers write to a copy, so nothing is half done.
    return withRun(state, { ...run, counters: { ...run.counters, malformed: run.counters.malformed + 1 } });
  }
}

function play(state: SessionState, run: Run, number: number, event: AgentEvent): SessionState {
  const context: ReduceContext = { state: copyState(state), run: copyRun(run), number };
  touch(context.run, event);
  if (Object.hasOwn(HANDLERS, event.type)) (HANDLERS[event.type] as Handler)(context, event);
  context.state.runs = setRow(context.state.runs, number, context.run);
  return context.state;
}

type Handler<Type extends EventType = EventType> = (context: ReduceContext, event: EventOf<Type>) => void;

const HANDLERS: { readonly [Type in EventType]: Handler<Type> } = {
  'session-start': learnFacts,
  'session-change': changeSession,
  'session-update': learnFacts,
  'turn-start': startTurn,
  'turn-end': (context, event) => {
    tellUnsaid(context, event);
    endTurn(context, event);
  },
  'message-start': startMessage,
  'text-delta': growBlock,
  'text-end': endBlock,
  'thinking-start': startThinking,
  'thinking-delta': growBlock,
  'thinking-end': endBlock,
  'message-end': endMessage,
  'message-retract': retractMessage,
  'user-message': addUserMessage,
  'tool-start': startTool,
  'tool-input-delta': growToolInput,
  'tool-input-end': endToolInput,
  'tool-output-delta': growToolOutput,
  'tool-progress': noteToolProgress,
  'tool-end': endTool,
  'file-change': addFileChange,
  'todo-update': replaceTodos,
  'plan-mode': setPlanMode,
  'task-start': startTask,
  'task-progress': noteTaskProgress,
  'task-end': endTask,
  'approval-request': requestApproval,
  'approval-resolve': resolveApproval,
  'approval-withdraw': withdrawApproval,
  'permission-deny': noteDenial,
  status: noteStatus,
  retry: noteRetry,
  'rate-limit': noteRateLimit,
  'compaction-start': startCompaction,
  'compaction-end': endCompaction,
  'hook-start': startHook,
  'hook-end': endHook,
  'usage-update': updateUsage,
  'agent-error': noteError,
  'decode-error': countDecodeError,
  warning: noteWarning,
  gap: noteGap,
  unknown: countUnknown,
  'run-end': endRun,
};

/** What the agent does once a failed call went through. */
const GOES_ON: ReadonlySet<EventType> = new Set<EventType>([
  'message-start',
  'text-delta',
  'text-end',
  'thinking-start',
  'thinking-delta',
  'thinking-end',
  'tool-start',
  'turn-end',
]);

/** What every event tells about its run. */
function touch(run: Copy<Run>, event: AgentEvent): void {
  if (run.seq === 0) run.startedAt = event.at ?? 0;
  run.agent = event.agent ?? run.agent;
  run.at = event.at ?? run.at;
  run.seq = event.seq ?? run.seq;
  // A sub-agent may have a session of its own, which is not the one to resume.
  if (event.parent === undefined) run.sessionId = event.sessionId ?? run.sessionId;
  if (GOES_ON.has(event.type)) run.retry = undefined;
  if (event.source !== 'synthetic') run.stall = undefined;
}
