/** One conversation at a time as a service with three calls: a thin face over `run`, in words of its own. */
import {
  type AgentEvent,
  type Completion,
  defined,
  type ErrorCategory,
  type EventOf,
  GlassboxError,
  type Usage,
} from '../event/index.js';
import type { RunHandle } from './handle.js';
import { type RunRequest, refuseUnknownOptions } from './request/request.js';
import { run } from './run.js';

export interface HeadlessService {
  /** Starts a turn, in the session that is named if one is. Throws when the request makes no sense or a turn is running. */
  start(prompt: string, sessionId: string | undefined, workingDirectory: string): AsyncIterable<HeadlessEvent>;
  /**
   * Answers a control request; without `updatedInput` the input is echoed as it was asked. Throws when nothing runs or the
   * request is not, or no longer, open: an answer that nobody heard must not look like one that was given.
   */
  sendControlResponse(requestId: string, allow: boolean, updatedInput?: Record<string, unknown>): void;
  /** Ends what runs and waits until it is gone. */
  stop(): Promise<void>;
}

export type HeadlessEvent =
  | { type: 'system'; subtype?: string; sessionId?: string; model?: string; tools?: string[]; cwd?: string }
  | { type: 'assistant'; message?: HeadlessMessage; sessionId?: string; error?: string }
  | { type: 'toolResult'; toolUseId?: string; content?: string; isError?: boolean }
  | { type: 'controlRequest'; requestId: string; request: ControlRequest }
  | { type: 'result'; result?: string; isError?: boolean; sessionId?: string; usage?: Usage }
  | { type: 'unknown' };

export interface HeadlessMessage {
  id?: string;
  role: 'assistant';
  content: HeadlessBlock[];
  stopReason?: string;
}

export type HeadlessBlock =
  | { type: 'text'; text: string }
  | { type: 'toolUse'; id: string; name: string; input: unknown };

export type ControlRequest =
  | { type: 'canUseTool'; toolName: string; input: unknown; toolUseId?: string }
  | { type: 'hookCallback'; callbackId: string; input: unknown };

/** `defaults` name the agent and may set anything else that a run takes. */
export function createHeadlessService(defaults: Pick<RunRequest, 'agent'> & Partial<RunRequest>): HeadlessService {
  refuseUnknownOptions(defaults);
  let current: RunHandle | undefined;

  async function* read(handle: RunHandle): AsyncGenerator<HeadlessEvent> {
    const calls: Calls = new Map();
    let sawResult = false;
    try {
      for await (const event of handle.events) {
        if (event.type === 'tool-start') calls.set(event.id, event);
        if (event.type === 'turn-end') sawResult = event.outcome !== 'unknown';
        const projected = project(event, calls);
        if (projected) yield projected;
      }
      const completion = await handle.completion;
      if (!sawResult) yield terminated(completion);
    } finally {
      current = undefined;
    }
  }

  return {
    start(prompt, sessionId, workingDirectory) {
      if (current) throw new GlassboxError('conflict', 'A turn is running; stop it first.');
      const resume = sessionId === undefined ? {} : { resume: sessionId };
      current = run({ ...defaults, prompt, cwd: workingDirectory, ...resume, onDrop: 'cancel' });
      return read(current);
    },
    sendControlResponse(requestId, allow, updatedInput) {
      if (!current) throw new GlassboxError('conflict', 'Nothing is running that could be answered.');
      const isHeard = allow
        ? current.approve(requestId, updatedInput && { changes: { set: { '': updatedInput } } })
        : current.deny(requestId);
      if (!isHeard) throw new GlassboxError('conflict', 'This was answered already, or was never asked.');
    },
    async stop() {
      const handle = current;
      handle?.cancel();
      await handle?.[Symbol.asyncDispose]();
      current = undefined;
    },
  };
}

type Calls = Map<string, EventOf<'tool-start'>>;

// biome-ignore format: to be read at one glance
type Untold =
  | 'session-change' | 'session-update' | 'turn-start' | 'message-start' | 'text-delta' | 'thinking-start'
  | 'thinking-delta' | 'thinking-end' | 'message-retract' | 'user-message' | 'tool-start' | 'tool-input-delta'
  | 'tool-output-delta' | 'tool-progress' | 'file-change' | 'todo-update' | 'plan-mode' | 'task-start' | 'task-progress'
  | 'task-end' | 'approval-resolve' | 'approval-withdraw' | 'permission-deny' | 'retry' | 'rate-limit'
  | 'compaction-start' | 'compaction-end' | 'hook-start' | 'hook-end' | 'usage-update' | 'warning' | 'gap'
  | 'run-end';

function project(event: AgentEvent, calls: Readonly<Calls>): HeadlessEvent | undefined {
  const { sessionId } = event;
  switch (event.type) {
    case 'session-start': {
      const { model, tools, cwd } = event;
      return defined({ type: 'system', subtype: 'init', sessionId, model, tools, cwd });
    }
    case 'status':
      return defined({ type: 'system', subtype: event.code, sessionId });
    case 'text-end':
      return assistant(sessionId, event.messageId, { type: 'text', text: event.text });
    case 'tool-input-end': {
      const { name = '', messageId } = calls.get(event.id) ?? {};
      const block = { type: 'toolUse', id: event.id, name, input: event.input } as const;
      return assistant(sessionId, messageId, block);
    }
    case 'message-end': {
      const { messageId: id, stopReason } = event;
      if (stopReason === undefined) return undefined;
      return defined({ type: 'assistant', message: { role: 'assistant', id, content: [], stopReason }, sessionId });
    }
    case 'agent-error':
      return defined({ type: 'assistant', error: ERROR_WORDS[event.category], sessionId });
    case 'tool-end':
      return defined({
        type: 'toolResult',
        toolUseId: event.id,
        isError: event.status !== 'ok',
        content: event.output,
      });
    case 'approval-request':
      return { type: 'controlRequest', requestId: event.id, request: controlRequest(event) };
    case 'turn-end': {
      // The stream was cut; how the process ended is told as the one result.
      if (event.outcome === 'unknown') return undefined;
      const { outcome, text, error, usage } = event;
      const result = text ?? error?.message;
      return defined({ type: 'result', isError: outcome !== 'success', sessionId, result, usage });
    }
    // A line that cannot be read is one that nobody knows, too.
    case 'decode-error':
      return { type: 'unknown' };
    case 'unknown':
      return event.field === undefined ? { type: 'unknown' } : undefined;
    default:
      event satisfies EventOf<Untold>;
      return undefined;
  }
}

function controlRequest(event: EventOf<'approval-request'>): ControlRequest {
  const { id, kind, toolName = '', toolId, input, callback = id } = event;
  if (kind === 'hook') return { type: 'hookCallback', callbackId: callback, input };
  return defined({ type: 'canUseTool', toolName, input, toolUseId: toolId });
}

/** The words that programs of an earlier face switch on. */
const ERROR_WORDS: Record<ErrorCategory, string> = {
  auth: 'authentication_failed',
  billing: 'billing_error',
  'rate-limit': 'rate_limit',
  overloaded: 'overloaded',
  'invalid-request': 'invalid_request',
  'model-not-found': 'model_not_found',
  server: 'server_error',
  network: 'network_error',
  'max-output': 'max_output_tokens',
  refusal: 'refusal',
  'context-limit': 'context_limit',
  config: 'config_error',
  interrupted: 'interrupted',
  unknown: 'unknown',
};

/** The process ended without a result; what is known is told as one. */
function terminated({ error, detail, reason, sessionId }: Completion): HeadlessEvent {
  return defined({ type: 'result', isError: true, result: error?.message ?? detail ?? reason, sessionId });
}

function assistant(sessionId: string | undefined, id: string | undefined, block: HeadlessBlock): HeadlessEvent {
  const message = defined<HeadlessMessage>({ role: 'assistant', content: [block], id });
  return defined({ type: 'assistant', message, sessionId });
}
