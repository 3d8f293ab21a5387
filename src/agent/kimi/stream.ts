/**
 * Reads `kimi -p … --output-format stream-json`: bare chat messages with a few notices around them. The hint how to resume is the last
 * line of a run that ended well; a run that failed says so only on stderr and by its exit status. The older Kimi CLI printed the
 * messages alone, and there a last message that asked for nothing more is the good end.
 */
import type { Protocol } from '../agent.js';
import { createChronicle } from '../chronicle/chronicle.js';
import type { CommandRequest } from '../command.js';
import { readContent } from '../content.js';
import { anyString, type Json, lookUp, members, number, objects, parsed, string } from '../field.js';
import { createPrintOnlyProtocol } from '../print-only.js';
import { effectsOf, readResult, TOOLS } from './tools.js';

export function createStreamProtocol(request: Partial<CommandRequest> = {}): Protocol {
  const chronicle = createChronicle(TOOLS);
  let messages = 0;
  let isSession = false;
  /** The program tells of itself, so it will also tell of its good end. */
  let isTalkative = false;
  let isAnswered = false;
  let answer: string | undefined;
  /** How a goal that was set ended, where it was not reached. */
  let missed: string | undefined;

  function begin(agentVersion?: string): void {
    const { resume, sessionId, model, cwd } = request;
    const id = resume === 'latest' ? undefined : (resume ?? sessionId);
    const resumed = resume === undefined ? undefined : true;
    if (!isSession) chronicle.startSession(id, { model, cwd, agentVersion, resumed });
    isSession = true;
    chronicle.startTurn();
  }

  const messageReaders: Readonly<Record<string, (line: Json) => void>> = {
    assistant: readAssistant,
    tool: readToolResult,
    user: ({ content }) => chronicle.write({ type: 'user-message', text: anyString(content) ?? '' }),
  };

  const notices: Readonly<Record<string, (line: Json) => void>> = {
    'system.version'({ version }) {
      isTalkative = true;
      begin(string(version));
    },
    'turn.step.retrying'({ next_attempt, max_attempts, delay_ms, error_message, error_name, status_code }) {
      begin();
      chronicle.write({
        type: 'retry',
        attempt: number(next_attempt),
        maxAttempts: number(max_attempts),
        delayMs: number(delay_ms),
        httpStatus: number(status_code),
        why: string(error_message) ?? string(error_name),
      });
    },
    'session.resume_hint'({ session_id }) {
      begin();
      chronicle.startSession(string(session_id));
      endTurn();
    },
    'goal.summary'({ status, reason }) {
      if (status !== 'complete')
        missed = `The goal is ${string(status) ?? 'unknown'}: ${string(reason) ?? 'no reason'}`;
    },
  };

  function endTurn(): void {
    if (missed === undefined) chronicle.endTurn({ outcome: 'success', text: answer });
    else chronicle.endTurn({ outcome: 'failed', text: answer, error: { category: 'unknown', message: missed } });
  }

  function readAssistant({ content, tool_calls }: Json): void {
    const parts: readonly Json[] = typeof content === 'string' ? [{ type: 'text', text: content }] : objects(content);
    const made = objects(tool_calls);
    isAnswered = made.length === 0;
    // Calls that have no result yet are printed again with every message behind them.
    if (parts.length === 0 && made.every(({ id }) => chronicle.tool(string(id) ?? ''))) return;
    messages += 1;
    const id = `message-${messages}`;
    chronicle.startMessage(id);
    parts.forEach((part, index) => {
      if (part.type === 'text' && string(part.text) !== undefined) {
        answer = string(part.text);
        chronicle.endText('text', id, index, answer);
      } else if (part.type === 'think') chronicle.endText('thinking', id, index, anyString(part.think) ?? '');
    });
    chronicle.endMessage(id);
    made.forEach((call, index) => {
      startTool(call, id, index);
    });
  }

  function startTool({ id: told, function: called }: Json, messageId: string, index: number): void {
    const { name: wireName, arguments: text } = members(called);
    // Some calls have no id; their result has one all the same.
    const id = string(told) ?? `${messageId}-call-${index + 1}`;
    chronicle.startTool(id, { name: string(wireName) ?? 'tool', messageId });
    chronicle.inputTool(id, members(parsed(anyString(text) ?? '')));
  }

  function readToolResult({ tool_call_id, content }: Json): void {
    const told = anyString(tool_call_id) ?? '';
    const [first] = [...chronicle.tools()].filter(({ id }) => id.startsWith('message-'));
    const call = chronicle.tool(told) ?? first;
    const id = call?.id ?? told;
    const output = typeof content === 'string' ? content : readContent(content).text;
    const result = readResult(call?.name, output);
    if (call && result.status === 'ok')
      for (const effect of effectsOf(id, call.name, members(call.input))) chronicle.write(effect);
    chronicle.endTool(id, { ...result, output });
  }

  return createPrintOnlyProtocol(chronicle, {
    prompt: request.prompt,
    read(line, bytes, value) {
      const role = string(line.role);
      const type = string(line.type);
      const readMessage = lookUp(messageReaders, role);
      const readNotice = role === 'meta' || role === undefined ? lookUp(notices, type) : undefined;
      if (readMessage) {
        begin();
        readMessage(line);
      } else if (readNotice) readNotice(line);
      else chronicle.write({ type: 'unknown', wireType: role ?? type ?? typeof value, wireSubtype: type, bytes });
      return true;
    },
    end() {
      if (!isTalkative && isAnswered && chronicle.inTurn) endTurn();
      chronicle.end();
    },
    idle: () => false,
  });
}
