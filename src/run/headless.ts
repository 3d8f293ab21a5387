/** One conversation at a time as a service with three calls (S4-05): a thin face over `run`, in the words that S4 uses. */
import { type AgentEvent, type Completion, type EventOf, GlassboxError, type Usage } from '../event/index.js';
import type { RunHandle } from './handle.js';
import type { RunRequest } from './request.js';
import { run } from './run.js';

export interface HeadlessService {
  /** Starts a turn, in the session that is named if one is. Throws when the request makes no sense or a turn is running. */
  start(prompt: string, sessionId: string | undefined, workingDirectory: string): AsyncIterable<HeadlessEvent>;
  /** Answers a control request; without `updatedInput` the input is echoed as it was asked. */
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
  let current: RunHandle | undefined;

  async function* read(handle: RunHandle): AsyncGenerator<HeadlessEvent> {
    const toolNames = new Map<string, string>();
    let sawResult = false;
    try {
      for await (const event of handle.events) {
        if (event.type === 'tool-start') toolNames.set(event.id, event.name);
        if (event.type === 'turn-end' && event.outcome !== 'unknown') sawResult = true;
        const projected = project(event, toolNames);
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
      if (!allow) current?.deny(requestId);
      else current?.approve(requestId, updatedInput && { changes: { '': updatedInput } });
    },
    async stop() {
      const handle = current;
      handle?.cancel();
      await handle?.[Symbol.asyncDispose]();
      current = undefined;
    },
  };
}

function project(event: AgentEvent, toolNames: ReadonlyMap<string, string>): HeadlessEvent | undefined {
  const session = event.sessionId === undefined ? {} : { sessionId: event.sessionId };
  switch (event.type) {
    case 'session-start': {
      const { model, tools, cwd } = event;
      return { type: 'system', subtype: 'init', ...session, ...defined({ model, tools, cwd }) };
    }
    case 'status':
      return { type: 'system', subtype: event.code, ...session };
    case 'text-end':
      return { type: 'assistant', message: message(event.messageId, { type: 'text', text: event.text }), ...session };
    case 'tool-input-end': {
      const block = { type: 'toolUse', id: event.id, name: toolNames.get(event.id) ?? '', input: event.input } as const;
      return { type: 'assistant', message: message(undefined, block), ...session };
    }
    case 'agent-error':
      return { type: 'assistant', error: event.message, ...session };
    case 'tool-end':
      return {
        type: 'toolResult',
        toolUseId: event.id,
        isError: event.status !== 'ok',
        ...defined({ content: event.output }),
      };
    case 'approval-request':
      return { type: 'controlRequest', requestId: event.id, request: controlRequest(event) };
    case 'turn-end': {
      const { text: result, usage } = event;
      const answer = result ?? event.error?.message;
      return {
        type: 'result',
        isError: event.outcome !== 'success',
        ...session,
        ...defined({ result: answer, usage }),
      };
    }
    case 'unknown':
      return event.field === undefined ? { type: 'unknown' } : undefined;
    default:
      return undefined;
  }
}

function controlRequest({ id, kind, toolName = '', toolId, input }: EventOf<'approval-request'>): ControlRequest {
  if (kind === 'hook') return { type: 'hookCallback', callbackId: id, input };
  return { type: 'canUseTool', toolName, input, ...defined({ toolUseId: toolId }) };
}

/** The process ended without a result; what is known is told as one. */
function terminated({ error, detail, reason, sessionId }: Completion): HeadlessEvent {
  return { type: 'result', isError: true, result: error?.message ?? detail ?? reason, ...defined({ sessionId }) };
}

function message(id: string | undefined, block: HeadlessBlock): HeadlessMessage {
  return { role: 'assistant', content: [block], ...defined({ id }) };
}

function defined<Type extends object>(fields: Type): { [Key in keyof Type]?: NonNullable<Type[Key]> } {
  const found: { [Key in keyof Type]?: NonNullable<Type[Key]> } = {};
  for (const [key, value] of Object.entries(fields)) if (value !== undefined) Object.assign(found, { [key]: value });
  return found;
}
