/** Qwen Code's chats on disk: `<project>/chats/<session>.jsonl`, what was said to and by the model, told as the lines of the stream. */
import { between } from '../between.js';
import { anyString, type Json, list, lookUp, members, number, object, objects, string } from '../field.js';
import { createRetelling } from '../retelling.js';
import type { TranscriptReader, Transcripts } from '../transcript.js';
import { createProtocol } from './protocol.js';
import { trace } from './trace.js';

export const transcripts: Transcripts = {
  folders: trace.folders,
  files: /(^|\/)chats\/[0-9a-f]{8}-[0-9a-f-]{27}\.jsonl$/,
  identify(path, first) {
    const sessionId = string(members(first()).sessionId);
    return sessionId !== undefined && path.endsWith(`/${sessionId}.jsonl`) ? { sessionId } : undefined;
  },
  createReader,
};

function createReader(): TranscriptReader {
  const retelling = createRetelling(createProtocol);
  const spend = createSpend();
  let session: unknown;
  /** Each line that was copied says from where. */
  let forkOf: string | undefined;
  /** How the turn stands: what was said last, and whether anything has to follow. */
  const open = new Set<unknown>();
  let turn: { begun: number; answer?: string | undefined; isAnswered: boolean; error?: string | undefined } | undefined;

  const tell = (line: Json, at: number): void => retelling.tell({ session_id: session, ...line }, at);

  const entries: Readonly<Record<string, (entry: Json, at: number) => void>> = {
    user(entry, at) {
      const text = textOf(members(entry.message).parts);
      if (isNews(entry)) {
        tell({ type: 'user', message: { role: 'user', content: text } }, at);
        const task = endedTaskIn(text);
        if (task) tell({ type: 'system', subtype: 'task_notification', data: task }, at);
      } else {
        endTurn();
        tell({ type: 'system', subtype: 'init' }, at);
        turn = { begun: at, isAnswered: false };
        retelling.userSaid(text, at);
      }
    },
    assistant({ uuid, message, model, usageMetadata }, at) {
      const content = objects(members(message).parts).flatMap(blockOf);
      // Models are asked again when every call has its result; one that has none was not made, because the answer was broken.
      for (const id of open)
        tellResult(id, true, 'Skipped because the provider attempt was retried before execution.', at);
      for (const { type, id } of content) if (type === 'tool_use') open.add(id);
      spend.see(members(usageMetadata), METADATA);
      tell({ type: 'assistant', uuid, message: { id: uuid, role: 'assistant', model, content } }, at);
      if (!turn) return;
      turn.isAnswered = !content.some(({ type }) => type === 'tool_use');
      turn.answer = content.findLast(({ type }) => type === 'text')?.text as string | undefined;
      delete turn.error;
    },
    tool_result({ message, toolCallResult }, at) {
      const { callId, status, resultDisplay } = members(toolCallResult);
      const parts = objects(members(message).parts);
      const id = string(callId) ?? string(members(parts[0]?.functionResponse).id);
      const shown = shownOf(parts, status, resultDisplay);
      const { executionMode, taskDescription, subagentName } = members(resultDisplay);
      const [, task_id] = executionMode === 'background' ? (/^task_id: (\S+)/m.exec(shown) ?? []) : [];
      const data = { task_id, tool_use_id: id, description: taskDescription, subagent_type: subagentName };
      if (task_id !== undefined) tell({ type: 'system', subtype: 'task_started', data }, at);
      tellResult(id, status !== 'success', shown, at);
      if (turn) turn.isAnswered = false;
    },
    system({ subtype, systemPayload }, at) {
      const { uiEvent, customTitle } = members(systemPayload);
      const title = subtype === 'custom_title' ? string(customTitle) : undefined;
      if (title !== undefined) retelling.learn({ title }, at);
      const event = members(uiEvent);
      if (event['event.name'] === 'qwen-code.api_response') spend.see(event, TELEMETRY);
      if (event['event.name'] === 'qwen-code.api_error' && turn) {
        turn.error = [event.error_message, event.error, event.error_type]
          .map(string)
          .find((text) => text !== undefined);
      }
    },
  };

  function tellResult(id: unknown, isError: boolean, text: string, at: number): void {
    open.delete(id);
    const content = [{ type: 'tool_result', tool_use_id: id, is_error: isError, content: text }];
    tell({ type: 'user', message: { role: 'user', content } }, at);
  }

  function endTurn(): void {
    open.clear();
    if (!turn) return;
    const { begun, answer, isAnswered, error } = turn;
    turn = undefined;
    const at = retelling.lastAt;
    const facts = { type: 'result', usage: spend.total(), duration_ms: at - begun };
    if (error !== undefined) {
      const text = `[API Error: ${error}]`;
      tell({ type: 'assistant', message: { content: [{ type: 'text', text }] } }, at);
      tell({ ...facts, is_error: true, error: { message: text } }, at);
    } else if (isAnswered) tell({ ...facts, subtype: 'success', is_error: false, result: answer ?? '' }, at);
    else
      retelling.tell({ ...facts, session_id: session, is_error: true }, at, (end) => {
        // Its last words are missing, and with them how it ended.
        end.outcome = 'unknown';
        delete end.error;
      });
  }

  const origin = () => (forkOf === undefined ? {} : { forkOf });

  return {
    receive(value) {
      const entry = members(value);
      const copied = string(members(entry.forkedFrom).sessionId);
      if (copied !== undefined) {
        forkOf ??= copied;
        return [];
      }
      const at = Date.parse(string(entry.timestamp) ?? '') || retelling.lastAt;
      const read = lookUp(entries, string(entry.type));
      if (read && session === undefined) {
        session = entry.sessionId;
        const { cwd, version } = entry;
        retelling.introduce(string(session), { cwd: string(cwd), agentVersion: string(version) }, at);
      }
      // What a sub-agent says to itself is told by its call.
      if (entry.isSidechain !== true) read?.(entry, at);
      return retelling.take();
    },
    origin,
    settle() {
      if (turn?.isAnswered || turn?.error !== undefined) endTurn();
      return retelling.take();
    },
    end() {
      endTurn();
      retelling.close();
      return { moments: retelling.take(), ...origin() };
    },
  };
}

/** Said by the program: news about background work, reminders. */
const isNews = ({ provenance }: Json): boolean => provenance !== undefined && provenance !== 'real_user';

/** What a notification about background work says of its end. */
function endedTaskIn(text: string): Json | undefined {
  if (!text.startsWith('<task-notification>')) return undefined;
  const [task_id, tool_use_id, status] = ['task-id', 'tool-use-id', 'status'].map((name) =>
    between(text, `<${name}>`, `</${name}>`),
  );
  return task_id === undefined ? undefined : { task_id, tool_use_id, status };
}

function blockOf({ text, thought, functionCall }: Json): Json[] {
  const call = object(functionCall);
  if (call) return [{ type: 'tool_use', id: call.id, name: call.name, input: call.args }];
  const words = anyString(text);
  if (words === undefined) return [];
  return [thought === true ? { type: 'thinking', thinking: words } : { type: 'text', text: words }];
}

/** What a person is shown, where that says anything, else what the model is told. */
function shownOf(parts: readonly Json[], status: unknown, display: unknown): string {
  const { output, error } = members(members(parts[0]?.functionResponse).response);
  const shown = anyString(display) ?? anyString(members(display).text) ?? '';
  if (status !== 'success') return anyString(error) ?? anyString(output) ?? shown;
  return shown.trim() === '' ? (anyString(output) ?? '') : shown;
}

const textOf = (parts: unknown): string =>
  list(parts)
    .map((part) => anyString(members(part).text) ?? '')
    .join('');

const METADATA = ['promptTokenCount', 'candidatesTokenCount', 'cachedContentTokenCount'] as const;
const TELEMETRY = ['input_token_count', 'output_token_count', 'cached_content_token_count'] as const;

/** Every answer is counted twice: in what was said, and, sub-agents included, in what was measured. The larger one counts. */
function createSpend() {
  const sums = new Map<readonly string[], [number, number, number]>();
  return {
    see(counts: Json, names: typeof METADATA | typeof TELEMETRY): void {
      const sum = sums.get(names) ?? [0, 0, 0];
      sums.set(names, sum);
      names.forEach((name, index) => {
        sum[index] = (sum[index] ?? 0) + (number(counts[name]) ?? 0);
      });
    },
    /** Of the whole conversation, as the stream counts too. */
    total(): Json {
      const [said = [0, 0, 0], measured = [0, 0, 0]] = [sums.get(METADATA), sums.get(TELEMETRY)];
      const [input, output, cached] = (measured[1] ?? 0) >= (said[1] ?? 0) ? measured : said;
      return { input_tokens: input, output_tokens: output, cache_read_input_tokens: cached };
    },
  };
}
