/** Gemini CLI's stream: text only as deltas, tools as display text, one result with the sums. */
import type { ErrorFacts, ModelUsage, Usage } from '../../event/index.js';
import type { Protocol, Step } from '../agent.js';
import { createChronicle } from '../chronicle.js';
import type { CommandRequest } from '../command.js';
import { faultOf, type Hints } from '../fault.js';
import { isObject, type Json, number, object, string } from '../field.js';
import { changeOf, kindOf, mcpOf, summarize, todosOf } from './tool.js';

export function createProtocol(request: Partial<CommandRequest> = {}): Protocol {
  const chronicle = createChronicle();
  const calls = new Map<string, { name: string; input: Json }>();
  let messages = 0;
  let speaking: string | undefined;
  let answer: string[] = [];
  let error: ErrorFacts | undefined;

  const step = (): Step => ({ events: chronicle.take(), send: [] });

  /** There is never a whole message: it ends where something else begins. */
  const endMessage = (): void => {
    if (speaking !== undefined) chronicle.endMessage(speaking);
    speaking = undefined;
  };

  const readMessage = (line: Json): void => {
    const text = typeof line.content === 'string' ? line.content : '';
    if (line.role === 'user') {
      chronicle.startTurn();
      chronicle.write({ type: 'user-message', text });
      return;
    }
    chronicle.startTurn();
    if (speaking === undefined) {
      messages += 1;
      speaking = `message-${messages}`;
      answer = [];
    }
    if (text === '') return;
    answer.push(text);
    if (line.delta === true) chronicle.addText('text', speaking, 0, text);
    else chronicle.endText('text', speaking, 0, text);
  };

  const readToolUse = (line: Json): void => {
    const id = string(line.tool_id);
    if (id === undefined) return;
    chronicle.startTurn();
    endMessage();
    answer = [];
    const name = string(line.tool_name) ?? 'unknown';
    const input = object(line.parameters) ?? {};
    calls.set(id, { name, input });
    const mcp = mcpOf(name);
    chronicle.startTool(id, { name, kind: kindOf(name), ...(mcp && { mcp }) });
    chronicle.inputTool(id, input, summarize(input));
  };

  const readToolResult = (line: Json): void => {
    const id = string(line.tool_id);
    if (id === undefined) return;
    const call = calls.get(id);
    calls.delete(id);
    const wasOpen = chronicle.isToolOpen(id);
    const failure = object(line.error);
    const type = string(failure?.type) ?? '';
    const output = typeof line.output === 'string' ? line.output : (string(failure?.message) ?? undefined);
    const failed = line.status === 'error' || failure !== undefined;
    // Tools that would have to ask are not registered; a policy or plan mode refuses by name.
    const denied =
      type === 'policy_violation' || (type === 'tool_not_registered' && call !== undefined && isKnown(call.name));
    chronicle.endTool(id, { status: denied ? 'denied' : failed ? 'failed' : 'ok', output });
    if (failed || !wasOpen || !call) return;
    const change = changeOf(call.name, call.input);
    if (change) chronicle.write({ type: 'file-change', toolId: id, ...change });
    if (call.name === 'write_todos') chronicle.write({ type: 'todo-update', todos: todosOf(call.input.todos) });
  };

  const readError = (line: Json): void => {
    const message = string(line.message) ?? 'The agent reported an error.';
    if (line.severity === 'warning') {
      chronicle.write({ type: 'status', code: 'warning', text: message, level: 'warning' });
      return;
    }
    error = faultOf(message, HINTS);
    chronicle.write({ type: 'agent-error', ...error, fatal: false });
  };

  const readResult = (line: Json): void => {
    const stats = object(line.stats) ?? {};
    const failed = line.status === 'error';
    const { type, message: words } = object(line.error) ?? {};
    const message = string(words);
    const facts = message === undefined ? error : faultOf(message, HINTS);
    endMessage();
    chronicle.endTurn({
      outcome: type === 'FatalTurnLimitedError' ? 'max-turns' : failed ? 'failed' : 'success',
      text: answer.length > 0 ? answer.join('') : undefined,
      error: failed ? (facts ?? { category: 'unknown', message: 'The turn failed.' }) : undefined,
      usage: usageOf(stats),
      modelUsage: modelsOf(stats.models),
      durationMs: number(stats.duration_ms) || undefined,
    });
    answer = [];
    error = undefined;
  };

  const readers: Record<string, (line: Json) => void> = {
    init(line) {
      const model = string(line.model);
      chronicle.startSession(
        string(line.session_id),
        { ...(model !== undefined && { model }), ...(request.resume !== undefined && { resumed: true }) },
        request.resume === undefined ? 'unknown' : 'resume',
      );
    },
    message: readMessage,
    tool_use: readToolUse,
    tool_result: readToolResult,
    error: readError,
    result: readResult,
  };

  return {
    // The prompt comes back as a line of the stream, so it is not told here.
    start: step,
    receive(value, bytes) {
      const type = isObject(value) ? string(value.type) : undefined;
      const reader = type !== undefined && Object.hasOwn(readers, type) ? readers[type] : undefined;
      if (isObject(value) && reader) reader(value);
      else chronicle.write({ type: 'unknown', wireType: type ?? typeof value, bytes });
      return step();
    },
    act: () => 'unsupported',
    end() {
      chronicle.end();
      return step();
    },
    idle: () => !chronicle.inTurn,
  };
}

/** Names that exist, so that "not registered" means "not allowed here". */
const isKnown = (name: string): boolean => kindOf(name) !== 'other';

const HINTS: Hints = {
  auth: 'Run `gemini` once and sign in, or set GEMINI_API_KEY.',
  billing: 'Check the quota of the account.',
};

/** `input_tokens` counts cached ones too; `input` is without them. */
function usageOf(stats: Json): Usage | undefined {
  const input = number(stats.input);
  const output = number(stats.output_tokens);
  if (!input && !output) return undefined;
  return { inputTokens: input, cacheReadTokens: number(stats.cached), outputTokens: output };
}

function modelsOf(value: unknown): ModelUsage[] | undefined {
  const models = object(value);
  if (!models) return undefined;
  return Object.entries(models).map(([model, stats]) => ({ model, ...usageOf(object(stats) ?? {}) }));
}
