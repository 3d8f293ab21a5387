/** A flat projection of the neutral events, for whoever prints or counts them. */
import type { Cost, Loose, Todo, TurnOutcome, Usage } from '../../event/index.js';

export type StreamEvent = {
  readonly at: number;
  /** 0 for the main conversation, one more per sub-agent. */
  readonly depth: number;
} & (
  | {
      kind: 'ToolStart';
      toolId: string;
      toolName: string;
      /** One line, empty when there is nothing to say. */
      toolInput: string;
    }
  /** `toolOutput` is one line of at most 100 characters; `toolError` is set exactly when the call did not succeed. */
  | { kind: 'ToolEnd'; toolId: string; toolName?: string; toolOutput?: string; toolError?: string }
  | { kind: 'Text'; text: string }
  | { kind: 'Thinking'; text: string }
  | Result
  /** Worth a line for who wants to follow closely; with `verbose` also for who wants details. */
  | { kind: 'Progress'; text: string; verbose?: boolean }
  | { kind: 'Todo'; todos: readonly Todo[] }
  /** Somebody must know: a permission is asked for, the model failed, something was lost. `repeats`: the text before said the same. */
  | { kind: 'Notice'; text: string; error?: boolean; repeats?: boolean }
  | { kind: 'Unknown'; text: string }
);

export type Result = {
  kind: 'Result';
  /** A turn or run came to its end; false when the stream ended without saying how. */
  isComplete: boolean;
  outcome: TurnOutcome;
  result?: string;
  error?: string;
  /** Everything this stream has cost so far, in USD. Absent is unknown, never zero. */
  cost?: number;
  /** What was added since the result before. */
  costDelta?: number;
  costOrigin?: Cost['origin'];
  usage?: Usage;
  durationMs?: number;
  /** Tool calls and failed ones, since the result before; of all turns where a run sums up. */
  tools: number;
  errors: number;
};

/** An event before it is known when and how deep it was said. */
export type Said = StreamEvent extends infer Event
  ? Event extends StreamEvent
    ? Loose<Omit<Event, 'at' | 'depth'>>
    : never
  : never;

/** Whether a tool call failed. */
export const isError = (event: StreamEvent): boolean => event.kind === 'ToolEnd' && Boolean(event.toolError);
