/** Gemini CLI's stream: text only as deltas, tools as display text, one result with the sums. */
import { defined, type ErrorFacts, type ModelUsage, type Usage } from '../../event/index.js';
import type { Protocol } from '../agent.js';
import { createChronicle } from '../chronicle/chronicle.js';
import type { CommandRequest } from '../command.js';
import { faultOf, type Hints } from '../fault.js';
import { anyString, type Json, members, number, object, string } from '../field.js';
import { byType, createPrintOnlyProtocol } from '../print-only.js';
import { effectsOf, TOOLS } from './tools.js';

export function createProtocol(request: Partial<CommandRequest> = {}): Protocol {
  const chronicle = createChronicle(TOOLS);
  let messages = 0;
  let speaking: string | undefined;
  let answer: string[] = [];
  let error: ErrorFacts | undefined;

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
    chronicle.startTool(id, { name: string(line.tool_name) ?? 'unknown' });
    chronicle.inputTool(id, members(line.parameters));
  };

  const readToolResult = (line: Json): void => {
    const id = string(line.tool_id);
    if (id === undefined) return;
    const call = chronicle.tool(id);
    const failure = object(line.error);
    const type = string(failure?.type) ?? '';
    // `output` is what a person is shown, often shorter than the reason.
    const output = string(failure?.message) ?? anyString(line.output);
    const failed = line.status === 'error' || failure !== undefined;
    // Tools that would have to ask are not registered; a policy or plan mode refuses by name.
    const denied =
      type === 'policy_violation' || (type === 'tool_not_registered' && call !== undefined && wouldAsk(call.name));
    endMessage();
    chronicle.endTool(id, { status: denied ? 'denied' : failed ? 'failed' : 'ok', output });
    if (!failed && call) for (const effect of effectsOf(id, call.name, members(call.input))) chronicle.write(effect);
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
    const usage = usageOf(stats);
    const failed = line.status === 'error';
    const { type, message: words } = object(line.error) ?? {};
    const message = string(words);
    const facts = message === undefined ? error : faultOf(message, HINTS);
    endMessage();
    chronicle.endTurn({
      outcome: type === 'FatalTurnLimitedError' ? 'max-turns' : failed ? 'failed' : 'success',
      text: answer.length > 0 ? answer.join('') : undefined,
      error: failed ? (facts ?? { category: 'unknown', message: 'The turn failed.' }) : undefined,
      usage,
      usageCovers: usage && 'all',
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

  // The prompt comes back as a line of the stream.
  return createPrintOnlyProtocol(chronicle, { read: byType(readers) });
}

/** Names that exist and touch something, so that "not registered" means "not allowed here"; other tools come and go with versions. */
const wouldAsk = (name: string): boolean => !/^(other|think)$/.test(TOOLS.kind(name));

const HINTS: Hints = {
  auth: 'Run `gemini` once and sign in, or set GEMINI_API_KEY.',
  billing: 'Check the quota of the account.',
};

/** `input_tokens` counts cached ones too; `input` is without them. */
function usageOf(stats: Json): Usage | undefined {
  const input = number(stats.input);
  const output = number(stats.output_tokens);
  if (!input && !output) return undefined;
  return defined({ inputTokens: input, cacheReadTokens: number(stats.cached), outputTokens: output });
}

function modelsOf(value: unknown): ModelUsage[] | undefined {
  const models = object(value);
  if (!models) return undefined;
  return Object.entries(models).map(([model, stats]) => ({ model, ...usageOf(object(stats) ?? {}) }));
}
