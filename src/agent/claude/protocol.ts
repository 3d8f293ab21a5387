/** One conversation with this agent: dispatches each line to its reader and each action to its reply. */
import type { SessionFacts } from '../../event/index.js';
import type { Protocol, Step } from '../agent.js';
import { createAsks } from '../claude-lines/asks.js';
import { closeAll } from '../claude-lines/close.js';
import { createDispatch } from '../claude-lines/dispatch.js';
import { createHost } from '../claude-lines/host.js';
import { createSessionId } from '../claude-lines/session-id.js';
import { createSpeech, type Spoken } from '../claude-lines/speech.js';
import { createTasks } from '../claude-lines/tasks.js';
import { todosOf } from '../claude-lines/todo.js';
import { createTurns } from '../claude-lines/turns.js';
import type { CommandRequest } from '../command.js';
import { type Json, number, object, objects, string, strings } from '../field.js';
import { createScribe } from '../scribe.js';
import { errorFacts } from './error.js';
import { readResult, type TurnMemory } from './result.js';
import { createStatus } from './status.js';
import { names, readRateLimit, readSessionFacts } from './system.js';
import { PLAN_EXIT, toolTable } from './tools.js';
import { createUserLines } from './user.js';

export function createProtocol(request: Partial<CommandRequest> = {}): Protocol {
  const scribe = createScribe();
  const turns = createTurns(scribe);
  const speech = createSpeech({
    scribe,
    table: toolTable,
    onToolInput(tool) {
      if (tool.name === PLAN_EXIT) {
        scribe.write({ type: 'plan-mode', state: 'propose', plan: string(tool.input?.plan), toolId: tool.id });
      } else if (tool.name === 'TodoWrite') {
        scribe.write({ type: 'todo-update', todos: todosOf(tool.input?.todos) }, { parent: tool.parent });
      }
    },
  });
  const { messages, tools } = speech;
  const asks = createAsks(scribe, tools, toolTable);
  const host = createHost({ scribe, asks, turns, request });
  const session = createSessionId(scribe, request);
  const tasks = createTasks(scribe, {
    parentOf: (toolId) => tools.get(toolId ?? '')?.parent,
    onEnd: (toolId) => toolId !== undefined && messages.end(toolId),
  });
  const status = createStatus(scribe, { tools, tasks, retract });
  const users = createUserLines({ scribe, tools, asks, messages, onInterrupt: () => (memory.interrupted = true) });

  let memory: TurnMemory = { interrupted: false, error: undefined };
  let facts: SessionFacts | undefined;
  let lines = 0;
  /** Which block each assistant line of this turn became, for retractions by the line's uuid. */
  const spokenByUuid = new Map<string, Spoken[]>();

  const step = (): Step => ({ events: scribe.take(), send: host.take() });

  function retract(uuids: unknown, why: 'superseded' | 'refused'): void {
    for (const uuid of strings(uuids) ?? []) {
      for (const { messageId, index } of spokenByUuid.get(uuid) ?? []) {
        scribe.write({ type: 'message-retract', messageId, index, why });
      }
      spokenByUuid.delete(uuid);
    }
  }

  const readInit = (line: Json): void => {
    const next = readSessionFacts(line);
    if (facts === undefined) {
      scribe.write({ type: 'session-start', ...next, resumed: request.resume === undefined ? undefined : true });
    } else status.update(facts, next);
    facts = next;
    turns.begin();
  };

  const readAssistant = (line: Json, bytes: number): void => {
    lines += 1;
    const message = object(line.message) ?? {};
    const parent = string(line.parent_tool_use_id);
    if (parent === undefined) turns.ensure();
    retract(line.supersedes, 'superseded');
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
    scribe.write({ type: 'agent-error', ...error, fatal }, { parent });
  };

  const readResultLine = (line: Json): void => {
    const turn = turns.end(number(line.result_index));
    if (messages.current(undefined)?.turn === turn) messages.end(undefined);
    const end = readResult(line, memory);
    asks.settleTurn();
    status.endTurn();
    tools.close(end.outcome === 'interrupted' ? 'cancelled' : 'unknown', (tool) => tool.turn === turn && !tool.parent);
    spokenByUuid.clear();
    memory = { interrupted: false, error: undefined };
    const openTasks = tasks.background();
    if (openTasks.length > 0) end.openTasks = openTasks;
    scribe.write(end, { turn });
  };

  const readControlResponse = (line: Json): void => {
    const response = object(line.response) ?? {};
    if (response.subtype === 'error') {
      const message = string(response.error) ?? 'The agent refused a control request.';
      scribe.write({ type: 'warning', code: 'control-error', message });
      return;
    }
    // Before the first `init` the answer to the handshake would only repeat what that will say.
    if (facts === undefined) return;
    const body = object(response.response) ?? {};
    const permissionMode = string(body.current_permission_mode) ?? string(body.mode);
    const agentVersion = string(body.claude_code_version);
    status.update(facts, { permissionMode, agentVersion, commands: names(body.commands) });
    facts = { ...facts, ...(permissionMode === undefined ? {} : { permissionMode }) };
  };

  const readToolProgress = (line: Json): void => {
    // This line puts the running tool into `parent_tool_use_id` and an id of its own into `tool_use_id` (pitfall 11).
    const id = string(line.parent_tool_use_id) ?? string(line.tool_use_id);
    if (id === undefined) return;
    const tool = tools.get(id);
    const retry = object(line.subagent_retry);
    if (retry) {
      scribe.write(
        {
          type: 'retry',
          attempt: number(retry.attempt),
          maxAttempts: number(retry.max_retries),
          delayMs: number(retry.retry_delay_ms),
          httpStatus: number(retry.error_status),
          why: string(retry.error_category),
        },
        { parent: id },
      );
      return;
    }
    if (!tool) return;
    const { parent } = tool;
    const seconds = number(line.elapsed_time_seconds);
    scribe.write(
      { type: 'tool-progress', id, elapsedMs: seconds === undefined ? undefined : seconds * 1000 },
      { parent },
    );
  };

  const readers: Record<string, (line: Json, bytes: number) => void> = {
    system(line, bytes) {
      if (line.subtype === 'init') readInit(line);
      else status.read(line, bytes, facts);
    },
    assistant: readAssistant,
    user: (line) => users.read(line),
    result: readResultLine,
    stream_event(line, bytes) {
      const parent = string(line.parent_tool_use_id);
      if (parent === undefined) turns.ensure();
      speech.streamEvent(object(line.event) ?? {}, parent, bytes);
    },
    control_request(line, bytes) {
      host.push(asks.receive(line, bytes));
    },
    control_response: readControlResponse,
    control_cancel_request(line) {
      asks.withdraw(string(line.request_id) ?? '', 'agent');
    },
    rate_limit_event: (line) => scribe.write(readRateLimit(line)),
    tool_progress: readToolProgress,
    tool_use_summary: (line) => scribe.write({ type: 'status', code: 'tool-summary', text: string(line.summary) }),
    prompt_suggestion: (line) =>
      scribe.write({ type: 'status', code: 'prompt-suggestion', text: string(line.suggestion) }),
    auth_status(line) {
      const error = string(line.error);
      if (error !== undefined)
        scribe.write({ type: 'agent-error', ...errorFacts('authentication_failed', error), fatal: false });
      else scribe.write({ type: 'status', code: 'auth-status' });
    },
    conversation_reset() {
      session.clear();
    },
    error(line) {
      const message =
        string(object(line.error)?.message) ?? string(line.message) ?? string(line.error) ?? 'The agent failed.';
      scribe.write({ type: 'agent-error', ...errorFacts(string(object(line.error)?.type), message), fatal: false });
    },
    // Known, with nothing in them for a reader.
    command_lifecycle() {},
    keep_alive() {},
    transcript_mirror() {},
    active_goal() {},
    autocompact_state() {},
  };

  const read = createDispatch(scribe, session, readers);

  return {
    start() {
      host.start();
      return step();
    },

    receive(value, bytes) {
      read(value, bytes);
      return step();
    },

    act: (action) => (host.act(action) ? step() : 'unsupported'),

    end() {
      status.close();
      closeAll(scribe, { asks, speech, tasks, turns });
      return step();
    },

    idle: () => !turns.isOpen() && asks.size() === 0 && tasks.background().length === 0,
  };
}
