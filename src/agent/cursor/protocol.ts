/**
 * Reads `cursor-agent --output-format stream-json`. With partial output each line is a delta, and the whole text is printed again
 * afterwards; a failure has no result line.
 */
import { defined, type Usage } from '../../event/index.js';
import type { Protocol } from '../agent.js';
import { createChronicle } from '../chronicle/chronicle.js';
import type { CommandRequest } from '../command.js';
import { faultOf } from '../fault.js';
import { anyString, type Json, members, number, objects, string } from '../field.js';
import { byType, createPrintOnlyProtocol } from '../print-only.js';
import { type Call, callOf, effectsOf, resultOf, TOOLS } from './tools.js';

export function createProtocol(request: Partial<CommandRequest> = {}): Protocol {
  const chronicle = createChronicle(TOOLS);
  let messages = 0;
  /** The message that is being said, with its next block and the deltas of its text. */
  let speaking: { id: string; block: number; text: string } | undefined;
  let isPartial = false;
  let answer: string | undefined;

  const lines: Readonly<Record<string, (line: Json) => void>> = {
    system({ subtype, session_id, cwd, model, permissionMode }) {
      if (subtype !== 'init') return;
      const facts = { cwd: string(cwd), model: string(model), permissionMode: string(permissionMode) };
      chronicle.startSession(string(session_id), {
        ...facts,
        resumed: request.resume === undefined ? undefined : true,
      });
    },
    user({ message }) {
      chronicle.startTurn();
      chronicle.write({ type: 'user-message', text: textOf(message) });
    },
    thinking({ subtype, text }) {
      const { id, block } = speak();
      if (subtype === 'delta') chronicle.addText('thinking', id, block, anyString(text) ?? '');
      else if (subtype === 'completed') {
        chronicle.endText('thinking', id, block);
        speak().block += 1;
      }
    },
    assistant(line) {
      const text = textOf(line.message);
      // Only a delta has a time and no call of its own.
      if (number(line.timestamp_ms) !== undefined && line.model_call_id === undefined) addDelta(text);
      else if (speaking && speaking.text !== '') endMessage();
      // The copy of what was already said word by word.
      else if (!isPartial) say(text);
    },
    tool_call({ subtype, call_id, tool_call }) {
      const id = anyString(call_id) ?? '';
      if (subtype === 'started') startTool(id, callOf(tool_call));
      else if (subtype === 'completed') endTool(id, callOf(tool_call));
    },
    interaction_query() {},
    result({ is_error, result, duration_ms, duration_api_ms, usage, session_id }) {
      endMessage();
      if (chronicle.sessionId === undefined) chronicle.startSession(string(session_id));
      const facts = {
        // The result is all texts run together; the last one is the answer.
        text: answer ?? anyString(result),
        usage: usageOf(usage),
        durationMs: number(duration_ms),
        apiDurationMs: number(duration_api_ms),
      };
      if (is_error === true)
        chronicle.endTurn({ ...facts, outcome: 'failed', error: faultOf(string(result) ?? 'Cursor failed.') });
      else chronicle.endTurn({ ...facts, outcome: 'success' });
      answer = undefined;
      isPartial = false;
    },
  };

  function speak(): { id: string; block: number; text: string } {
    chronicle.startTurn();
    if (!speaking) {
      messages += 1;
      speaking = { id: `message-${messages}`, block: 0, text: '' };
      chronicle.startMessage(speaking.id);
    }
    return speaking;
  }

  function addDelta(text: string): void {
    if (text === '') return;
    isPartial = true;
    const message = speak();
    message.text += text;
    chronicle.addText('text', message.id, message.block, text);
  }

  function say(text: string): void {
    const { id, block } = speak();
    chronicle.endText('text', id, block, text);
    if (text !== '') answer = text;
    endMessage();
  }

  function endMessage(): void {
    if (!speaking) return;
    answer = speaking.text || answer;
    chronicle.endMessage(speaking.id);
    speaking = undefined;
  }

  function startTool(id: string, call: Call): void {
    endMessage();
    chronicle.startTurn();
    chronicle.startTool(id, { name: call.name });
    chronicle.inputTool(id, call.input);
  }

  function endTool(id: string, call: Call): void {
    const result = resultOf(call);
    const isKnown = chronicle.tool(id) !== undefined;
    if (isKnown && result.status === 'ok') for (const effect of effectsOf(id, call)) chronicle.write(effect);
    if (isKnown && result.status === 'denied')
      chronicle.write({ type: 'permission-deny', toolName: call.name, toolId: id, message: result.output });
    chronicle.endTool(id, result);
  }

  // The prompt comes back as a line of the stream.
  return createPrintOnlyProtocol(chronicle, { read: byType(lines) });
}

function textOf(message: unknown): string {
  return objects(members(message).content)
    .flatMap((block) => (block.type === 'text' ? (anyString(block.text) ?? []) : []))
    .join('');
}

function usageOf(value: unknown): Usage | undefined {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = members(value);
  const [input, output] = [number(inputTokens), number(outputTokens)];
  if (input === undefined && output === undefined) return undefined;
  return defined({
    inputTokens: input,
    outputTokens: output,
    cacheReadTokens: number(cacheReadTokens),
    cacheWriteTokens: number(cacheWriteTokens),
  });
}
