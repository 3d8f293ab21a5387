/** One conversation with this agent: dispatches each line to its reader and each action to its reply. */
import type { SessionFacts } from '../../event/index.js';
import type { Protocol } from '../agent.js';
import { createChronicle } from '../chronicle/chronicle.js';
import { converse } from '../claude-lines/conversation.js';
import { createSpeech, type Spoken } from '../claude-lines/speech.js';
import { createTasks } from '../claude-lines/task.js';
import { todosOf } from '../claude-lines/todo.js';
import type { CommandRequest } from '../command.js';
import { type Json, members, number, object, objects, string, strings } from '../field.js';
import { errorFacts } from './fault.js';
import { OVERAGE, paysExtra, readRateLimit } from './limit.js';
import { createStatus } from './notice.js';
import { newTurnMemory, readResult } from './result.js';
import { names, readSessionFacts } from './session.js';
import { marksRefusals, PLAN_EXIT, TOOLS } from './tools.js';
import { createUserLines } from './user.js';

export function createProtocol(request: Partial<CommandRequest> = {}): Protocol {
  const chronicle = createChronicle(TOOLS);
  const speech = createSpeech(chronicle, {
    onToolInput({ id, name, input, parent }) {
      const { plan, todos } = members(input);
      if (name === PLAN_EXIT) chronicle.write({ type: 'plan-mode', state: 'propose', plan: string(plan), toolId: id });
      else if (name === 'TodoWrite') chronicle.write({ type: 'todo-update', todos: todosOf(todos) }, parent);
    },
  });
  const tasks = createTasks(chronicle, speech);
  const status = createStatus(chronicle, { tasks, retract });
  const users = createUserLines({
    chronicle,
    speech,
    marksRefusals: () => refusalsAreMarked,
    onInterrupt: () => (memory.interrupted = true),
  });

  let memory = newTurnMemory();
  let facts: SessionFacts | undefined;
  /** Listed once, before the session begins. */
  let models: string[] | undefined;
  let isPayingExtra = false;
  let refusalsAreMarked = false;
  let lines = 0;
  /** Which block each assistant line of this turn became, for retractions by the line's uuid. */
  const spokenByUuid = new Map<string, Spoken[]>();

  function retract(uuids: unknown, why: 'superseded' | 'refused'): void {
    for (const uuid of strings(uuids) ?? []) {
      for (const { messageId, index } of spokenByUuid.get(uuid) ?? []) {
        chronicle.retractBlock(messageId, index, why);
      }
      spokenByUuid.delete(uuid);
    }
  }

  const noteLast = ({ uuid, parent_tool_use_id }: Json): void => {
    if (string(parent_tool_use_id) === undefined) memory.lastLine = string(uuid) ?? memory.lastLine;
  };

  const readInit = (line: Json): void => {
    const next = { ...readSessionFacts(line), ...(models && { models }) };
    if (facts === undefined) {
      chronicle.startSession(undefined, { ...next, resumed: request.resume === undefined ? undefined : true });
    } else status.update(facts, next);
    facts = next;
    refusalsAreMarked = marksRefusals(facts.agentVersion);
    chronicle.startNextTurn();
  };

  const readAssistant = (line: Json, bytes: number): void => {
    lines += 1;
    const message = object(line.message) ?? {};
    const parent = string(line.parent_tool_use_id);
    if (parent === undefined) chronicle.startTurn();
    retract(line.supersedes, 'superseded');
    noteLast(line);
    const uuid = string(line.uuid);
    const fallbackId = uuid ?? `line-${lines}`;
    const aborted = line.aborted === true;
    const thinkingDurationMs = number(line.thinking_duration_ms);
    const spoken = speech.assistant({ message, fallbackId, parent, aborted, thinkingDurationMs }, bytes);
    if (uuid !== undefined && spoken.length > 0) spokenByUuid.set(uuid, spoken);
    const word = string(line.error);
    if (word === undefined && line.is_api_error_message !== true) return;
    const text = string(objects(message.content)[0]?.text) ?? word ?? 'The model call failed.';
    const error = errorFacts(word, text, number(line.api_error_status));
    if (parent === undefined) memory.error = error;
    // Only the result tells whether the turn goes on, except where the account itself is refused.
    const fatal = parent === undefined && (error.category === 'auth' || error.category === 'billing');
    chronicle.write({ type: 'agent-error', ...error, fatal }, parent);
  };

  const readResultLine = (line: Json): void => {
    const index = number(line.result_index);
    const turn = chronicle.turnToEnd(index === undefined ? undefined : index + 1);
    if (speech.current(undefined)?.turn === turn) speech.end(undefined);
    // A compaction does not outlive its turn.
    chronicle.cutCompaction();
    chronicle.endTurn(readResult(line, memory), turn);
    spokenByUuid.clear();
    memory = newTurnMemory();
  };

  const readControlResponse = (line: Json): void => {
    const response = object(line.response) ?? {};
    if (response.subtype === 'error') {
      const message = string(response.error) ?? 'The agent refused a control request.';
      chronicle.write({ type: 'warning', code: 'control-error', message });
      return;
    }
    const body = object(response.response) ?? {};
    if (Array.isArray(body.models)) models = objects(body.models).flatMap(({ value }) => string(value) ?? []);
    // Before the first `init` the rest of the answer to the handshake would only repeat what that will say.
    if (facts === undefined) return;
    const permissionMode = string(body.current_permission_mode) ?? string(body.mode);
    const agentVersion = string(body.claude_code_version);
    status.update(facts, { permissionMode, agentVersion, commands: names(body.commands), models });
    facts = { ...facts, ...(permissionMode === undefined ? {} : { permissionMode }) };
  };

  const readToolProgress = (line: Json): void => {
    // This line puts the running tool into `parent_tool_use_id` and an id of its own into `tool_use_id`.
    const id = string(line.parent_tool_use_id) ?? string(line.tool_use_id);
    if (id === undefined) return;
    const retry = object(line.subagent_retry);
    if (retry) {
      chronicle.write(
        {
          type: 'retry',
          attempt: number(retry.attempt),
          maxAttempts: number(retry.max_retries),
          delayMs: number(retry.retry_delay_ms),
          httpStatus: number(retry.error_status),
          why: string(retry.error_category),
        },
        id,
      );
      return;
    }
    const seconds = number(line.elapsed_time_seconds);
    chronicle.continueTool({
      type: 'tool-progress',
      id,
      elapsedMs: seconds === undefined ? undefined : seconds * 1000,
    });
  };

  const readers: Record<string, (line: Json, bytes: number) => void> = {
    system(line, bytes) {
      if (line.subtype === 'init') readInit(line);
      else status.read(line, bytes, facts);
    },
    assistant: readAssistant,
    user(line) {
      noteLast(line);
      users.read(line);
    },
    result: readResultLine,
    stream_event(line, bytes) {
      const parent = string(line.parent_tool_use_id);
      if (parent === undefined) chronicle.startTurn();
      speech.streamEvent(object(line.event) ?? {}, parent, bytes);
    },
    control_response: readControlResponse,
    rate_limit_event(line) {
      chronicle.write(readRateLimit(line));
      if (paysExtra(line) && !isPayingExtra) chronicle.write({ ...OVERAGE });
      isPayingExtra = paysExtra(line);
    },
    tool_progress: readToolProgress,
    tool_use_summary: (line) => chronicle.write({ type: 'status', code: 'tool-summary', text: string(line.summary) }),
    prompt_suggestion: (line) =>
      chronicle.write({ type: 'status', code: 'prompt-suggestion', text: string(line.suggestion) }),
    auth_status(line) {
      const error = string(line.error);
      if (error !== undefined)
        chronicle.write({ type: 'agent-error', ...errorFacts('authentication_failed', error), fatal: false });
      else chronicle.write({ type: 'status', code: 'auth-status' });
    },
    conversation_reset() {
      conversation.clear();
    },
    error(line) {
      const message =
        string(object(line.error)?.message) ?? string(line.message) ?? string(line.error) ?? 'The agent failed.';
      chronicle.write({ type: 'agent-error', ...errorFacts(string(object(line.error)?.type), message), fatal: false });
    },
    // Known, with nothing in them for a reader.
    command_lifecycle() {},
    keep_alive() {},
    transcript_mirror() {},
    active_goal() {},
    autocompact_state() {},
  };

  const conversation = converse(chronicle, request, TOOLS, readers);
  return {
    ...conversation,
    end() {
      tasks.settle();
      return conversation.end();
    },
  };
}
