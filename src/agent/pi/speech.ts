/** Follows assistant messages: each update repeats the whole message twice, so only its delta is read. */
import { defined, type Usage } from '../../event/index.js';
import type { Chronicle } from '../chronicle/chronicle.js';
import { anyString, type Json, list, members, number, objects, string } from '../field.js';

export interface Spoken {
  text: string | undefined;
  usage: Usage | undefined;
  usd: number | undefined;
  stopReason: string | undefined;
  errorMessage: string | undefined;
}

export interface Messages {
  start(message: Json): void;
  update(event: Json): boolean;
  /** The message as a whole; its content replaces the deltas. */
  end(message: Json): Spoken;
}

export function createMessages(chronicle: Chronicle): Messages {
  let count = 0;
  let id = '';
  /** Calls that are being written, by their place in the message. */
  const calls = new Map<number, string>();

  const start = (message: Json): void => {
    count += 1;
    id = `message-${count}`;
    calls.clear();
    chronicle.startMessage(id, string(message.model));
  };

  return {
    start,
    update({ type, contentIndex, delta, content, toolCall, partial, id: calledId, toolName }) {
      const index = number(contentIndex) ?? 0;
      const text = anyString(delta) ?? '';
      if (id === '') start({});
      // An abort ends the text where it stands; it stays open, to be closed as partial.
      if (members(partial).stopReason === 'aborted') return true;
      if (type === 'text_delta') chronicle.addText('text', id, index, text);
      else if (type === 'thinking_delta') chronicle.addText('thinking', id, index, text);
      else if (type === 'text_end') chronicle.endText('text', id, index, anyString(content));
      else if (type === 'thinking_end') chronicle.endText('thinking', id, index, anyString(content));
      else if (type === 'toolcall_start') {
        // Up to 0.73 only the message so far tells which call it is.
        const call = members(list(members(partial).content)[index]);
        const callId = string(calledId) ?? string(call.id);
        if (callId === undefined) return true;
        calls.set(index, callId);
        chronicle.startTool(callId, { name: string(toolName) ?? string(call.name) ?? 'tool', messageId: id, index });
      } else if (type === 'toolcall_delta') {
        const callId = calls.get(index);
        if (callId !== undefined && text !== '') chronicle.continueTool({ type: 'tool-input-delta', id: callId, text });
      } else if (type === 'toolcall_end') startCall(members(toolCall));
      else return /^(text_start|thinking_start|start|done|error)$/.test(anyString(type) ?? '');
      return true;
    },
    end(message) {
      if (id === '') start(message);
      const stopReason = string(message.stopReason);
      const isBroken = stopReason === 'aborted' || stopReason === 'error';
      // What was broken off stays open: it is taken back by a retry, or closed as partial with the turn.
      if (!isBroken) endBlocks(message);
      const usage = usageOf(message.usage);
      const texts = objects(message.content).filter(({ type }) => type === 'text');
      if (!isBroken) chronicle.endMessage(id, { usage, stopReason, model: string(message.model) });
      id = '';
      return {
        text: texts.length > 0 ? texts.map((block) => anyString(block.text) ?? '').join('\n') : undefined,
        usage,
        usd: number(members(members(message.usage).cost).total),
        stopReason,
        errorMessage: string(message.errorMessage),
      };
    },
  };

  function endBlocks(message: Json): void {
    list(message.content).forEach((entry, index) => {
      const block = members(entry);
      if (block.type === 'text') chronicle.endText('text', id, index, anyString(block.text));
      else if (block.type === 'thinking') chronicle.endText('thinking', id, index, anyString(block.thinking));
      else if (block.type === 'toolCall') startCall(block);
    });
  }

  function startCall({ id: callId, name, arguments: args }: Json): void {
    const toolId = anyString(callId) ?? '';
    chronicle.startTool(toolId, { name: string(name) ?? 'tool', messageId: id });
    chronicle.inputTool(toolId, args);
  }
}

/** `input` is counted without cached tokens, `output` with reasoning. A message that failed counts nothing. */
function usageOf(value: unknown): Usage | undefined {
  const { input, output, cacheRead, cacheWrite, reasoning } = members(value);
  if (!number(input) && !number(output)) return undefined;
  return defined({
    inputTokens: number(input),
    outputTokens: number(output),
    cacheReadTokens: number(cacheRead),
    cacheWriteTokens: number(cacheWrite),
    thinkingTokens: number(reasoning),
  });
}
