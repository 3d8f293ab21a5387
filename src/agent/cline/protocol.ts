/** Reads `cline --json`: each delta is a `content_start`, the message has no id, and after a signal the result may be missing. */
import { type Cost, defined, type ErrorFacts, type TurnOutcome, type Usage } from '../../event/index.js';
import type { Protocol } from '../agent.js';
import { createChronicle } from '../chronicle/chronicle.js';
import type { CommandRequest } from '../command.js';
import { faultOf, type Hints } from '../fault.js';
import { anyString, type Json, lookUp, members, number, string } from '../field.js';
import { byType, createPrintOnlyProtocol } from '../print-only.js';
import { writeNotice } from './notice.js';
import { createSpeakers } from './speaker.js';
import { changeOf, resultOf, TOOLS } from './tools.js';

export function createProtocol(request: Partial<CommandRequest> = {}): Protocol {
  const chronicle = createChronicle(TOOLS);
  const speakers = createSpeakers(chronicle);
  /** The message that each speaker is saying, and what its model call used. */
  const speaking = new Map<string | undefined, { id: string; usage: Usage | undefined }>();
  let messages = 0;
  let error: ErrorFacts | undefined;

  const lines: Readonly<Record<string, (line: Json, bytes: number) => void>> = {
    hook_event(line) {
      if (line.hookEventName === 'agent_start' && string(line.parentAgentId) === undefined) start(string(line.taskId));
      speakers.noteHook(line);
    },
    agent_event({ event }, bytes) {
      const body = members(event);
      const type = string(body.type);
      const read = lookUp(events, type);
      if (read) read(body);
      else chronicle.write({ type: 'unknown', wireType: 'agent_event', wireSubtype: type, bytes }, speakers.parent);
    },
    run_result({ finishReason, text, usage, aggregateUsage, durationMs, iterations, model }) {
      const name = string(members(model).id);
      if (name !== undefined) chronicle.startSession(undefined, { model: name });
      const outcome = lookUp(OUTCOMES, string(finishReason)) ?? 'failed';
      const why = error ?? faultOf(string(text) ?? 'Cline failed.', HINTS);
      chronicle.endTurn({
        outcome,
        // After a failure the text is that of the error.
        text: outcome === 'failed' ? undefined : anyString(text),
        error: outcome === 'failed' ? why : undefined,
        usage: usageOf(usage),
        cost: costOf(aggregateUsage) ?? costOf(usage),
        durationMs: number(durationMs),
        steps: number(iterations),
        reason: string(finishReason),
      });
      forget();
    },
    run_aborted() {
      // It may follow a result, when the signal came too late to stop anything.
      if (chronicle.inTurn) chronicle.endTurn({ outcome: 'interrupted' });
      forget();
    },
    error: ({ message }) => fail(string(message)),
  };

  const events: Readonly<Record<string, (event: Json) => void>> = {
    iteration_start() {
      endMessage();
      messageOf();
    },
    iteration_end: () => endMessage(),
    content_start(event) {
      const { contentType, text, reasoning } = event;
      if (contentType === 'tool') startTool(event);
      else if (contentType === 'text') addText('text', 1, string(text));
      else if (contentType === 'reasoning') addText('thinking', 0, string(reasoning));
    },
    content_update({ toolCallId, update }) {
      const { chunk, stream } = members(update);
      const text = string(chunk);
      const from = stream === 'stdout' || stream === 'stderr' ? stream : undefined;
      if (text === undefined) return;
      chronicle.continueTool({ type: 'tool-output-delta', id: anyString(toolCallId) ?? '', text, stream: from });
    },
    content_end(event) {
      const { contentType, text, reasoning } = event;
      if (contentType === 'tool') endTool(event);
      else if (contentType === 'text') chronicle.endText('text', messageOf().id, 1, anyString(text), speakers.parent);
      else if (contentType === 'reasoning')
        chronicle.endText('thinking', messageOf().id, 0, anyString(reasoning), speakers.parent);
    },
    usage(event) {
      messageOf().usage = usageOf(event);
      if (speakers.parent === undefined) {
        const { totalInputTokens: inputTokens, totalOutputTokens: outputTokens, totalCacheReadTokens } = event;
        const total = { inputTokens, outputTokens, cacheReadTokens: totalCacheReadTokens };
        chronicle.write({ type: 'usage-update', usage: usageOf(total), cost: costOf(event) });
      }
    },
    error({ error: failure, recoverable }) {
      const message = string(members(failure).message);
      if (recoverable === false) fail(message);
      // Calls that fail have said so themselves.
      else if (!/^\d+ tool call\(s\) failed/.test(message ?? ''))
        chronicle.write({ type: 'warning', code: 'agent', message: message ?? 'Cline reported an error.' });
    },
    notice: (event) => writeNotice(chronicle, event, speakers.parent),
    done() {
      endMessage();
      speakers.leave();
    },
  };

  function start(taskId: string | undefined): void {
    chronicle.startSession(taskId, { cwd: request.cwd, model: request.model });
    chronicle.startTurn();
  }

  function messageOf(): { id: string; usage: Usage | undefined } {
    chronicle.startTurn();
    const open = speaking.get(speakers.parent);
    if (open) return open;
    messages += 1;
    const message = { id: `message-${messages}`, usage: undefined };
    speaking.set(speakers.parent, message);
    chronicle.startMessage(message.id, undefined, speakers.parent);
    return message;
  }

  function endMessage(): void {
    const message = speaking.get(speakers.parent);
    if (!message) return;
    speaking.delete(speakers.parent);
    chronicle.endMessage(message.id, { usage: message.usage });
  }

  function addText(kind: 'text' | 'thinking', index: number, text: string | undefined): void {
    if (text !== undefined) chronicle.addText(kind, messageOf().id, index, text, speakers.parent);
  }

  function startTool({ toolName, toolCallId, input }: Json): void {
    const [id, name] = [anyString(toolCallId) ?? '', string(toolName) ?? 'tool'];
    chronicle.startTurn();
    endMessage();
    chronicle.startTool(id, { name }, speakers.parent);
    chronicle.inputTool(id, input);
    if (name === 'spawn_agent' && chronicle.tool(id)) speakers.expect(id, string(members(input).task));
  }

  function endTool(event: Json): void {
    const id = anyString(event.toolCallId) ?? '';
    const call = chronicle.tool(id);
    const name = call?.name ?? string(event.toolName) ?? 'tool';
    const result = resultOf(name, event);
    const change = call && result.status === 'ok' && changeOf(id, name, members(call.input), event.output);
    if (change) chronicle.write(change, speakers.parent);
    if (call && result.status === 'denied')
      chronicle.write({ type: 'permission-deny', toolName: name, toolId: id, message: result.output }, speakers.parent);
    chronicle.endTool(id, result, speakers.parent);
  }

  function fail(message = 'Cline failed.'): void {
    error = faultOf(message, HINTS);
    chronicle.write({ type: 'agent-error', fatal: true, ...error });
  }

  function forget(): void {
    speaking.clear();
    error = undefined;
  }

  return createPrintOnlyProtocol(chronicle, {
    prompt: request.prompt,
    read: byType(lines),
    end() {
      if (error && chronicle.inTurn) chronicle.endTurn({ outcome: 'failed', error });
      chronicle.end();
    },
  });
}

const HINTS: Hints = { auth: 'Run `cline auth`.' };

const OUTCOMES: Readonly<Record<string, TurnOutcome>> = {
  completed: 'success',
  error: 'failed',
  aborted: 'interrupted',
  max_iterations: 'max-turns',
};

/** `inputTokens` counts cached ones too. A failure before the first call tells zeros. */
function usageOf(value: unknown): Usage | undefined {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = members(value);
  const [input, output, cached] = [number(inputTokens), number(outputTokens), number(cacheReadTokens)];
  if (!input && !output) return undefined;
  return defined({
    inputTokens: input === undefined ? undefined : Math.max(0, input - (cached ?? 0)),
    outputTokens: output,
    cacheReadTokens: cached,
    cacheWriteTokens: number(cacheWriteTokens),
  });
}

/** Zero is what it says when it knows no price. */
function costOf(value: unknown): Cost | undefined {
  const usd = number(members(value).totalCost);
  return usd ? { usd, scope: 'process', origin: 'reported' } : undefined;
}
