/**
 * Reads `kimi --print --output-format=stream-json`: bare chat messages, without session, usage or result. The end of the process is the
 * end of the turn, and it is a good one when the last message asked for nothing more.
 */
import type { Protocol, Step } from '../agent.js';
import { createChronicle } from '../chronicle.js';
import type { CommandRequest } from '../command.js';
import { readContent } from '../content.js';
import { anyString, type Json, members, objects, parsed, string } from '../field.js';
import { effectsOf, isFailure, kindOf, summaryOf } from './tool.js';

export function createProtocol(request: Partial<CommandRequest> = {}): Protocol {
  const chronicle = createChronicle();
  /** Calls without a result, in the order in which they were made. */
  const calls = new Map<string, { name: string; input: Json }>();
  let messages = 0;
  let isSession = false;
  let isAnswered = false;
  let answer: string | undefined;

  function begin(): void {
    const { resume, sessionId, model, cwd } = request;
    const id = resume === 'latest' ? undefined : (resume ?? sessionId);
    if (!isSession) chronicle.startSession(id, { model, cwd, resumed: resume === undefined ? undefined : true });
    isSession = true;
    chronicle.startTurn();
  }

  function readAssistant({ content, tool_calls }: Json): void {
    messages += 1;
    const id = `message-${messages}`;
    chronicle.startMessage(id);
    const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : objects(content);
    parts.forEach((part: Json, index) => {
      if (part.type === 'text' && string(part.text) !== undefined) {
        answer = string(part.text);
        chronicle.endText('text', id, index, answer);
      } else if (part.type === 'think') chronicle.endText('thinking', id, index, anyString(part.think) ?? '');
    });
    chronicle.endMessage(id);
    const made = objects(tool_calls);
    made.forEach((call, index) => {
      startTool(call, id, index);
    });
    isAnswered = made.length === 0;
  }

  function startTool({ id: told, function: called }: Json, messageId: string, index: number): void {
    const { name: wireName, arguments: text } = members(called);
    // Some calls have no id; their result has one all the same.
    const id = string(told) ?? `${messageId}-call-${index + 1}`;
    const name = string(wireName) ?? 'tool';
    const input = members(parsed(anyString(text) ?? ''));
    chronicle.startTool(id, { name, kind: kindOf(name), messageId });
    if (!chronicle.isToolOpen(id)) return;
    chronicle.inputTool(id, input, summaryOf(input));
    calls.set(id, { name, input });
  }

  function readResult({ tool_call_id, content }: Json): void {
    const told = anyString(tool_call_id) ?? '';
    const [first] = [...calls.keys()].filter((id) => id.startsWith('message-'));
    const id = calls.has(told) ? told : (first ?? told);
    const call = calls.get(id);
    const output = typeof content === 'string' ? content : readContent(content).text;
    const failed = isFailure(output);
    calls.delete(id);
    if (call && !failed) for (const effect of effectsOf(id, call.name, call.input)) chronicle.write(effect);
    chronicle.endTool(id, { status: failed ? 'failed' : 'ok', output });
  }

  const step = (): Step => ({ events: chronicle.take(), send: [] });

  return {
    start() {
      if (request.prompt !== undefined) chronicle.say(request.prompt);
      return step();
    },
    receive(value, bytes) {
      const line = members(value);
      const role = string(line.role);
      if (role === 'assistant' || role === 'tool' || role === 'user') begin();
      if (role === 'assistant') readAssistant(line);
      else if (role === 'tool') readResult(line);
      else if (role === 'user') chronicle.write({ type: 'user-message', text: anyString(line.content) ?? '' });
      else {
        const wireType = role ?? string(line.type) ?? typeof value;
        chronicle.write({ type: 'unknown', wireType, bytes });
      }
      return step();
    },
    act: () => 'unsupported',
    end() {
      if (isAnswered && chronicle.inTurn) chronicle.endTurn({ outcome: 'success', text: answer });
      chronicle.end();
      return step();
    },
    idle: () => false,
  };
}
