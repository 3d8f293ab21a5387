/** Qwen Code's stream: Claude-like lines, cut into pieces of its own and counted in its own way. */
import type { ErrorFacts, Usage } from '../../event/index.js';
import type { Protocol, Step } from '../agent.js';
import { createAsks } from '../claude-lines/asks.js';
import { closeAll } from '../claude-lines/close.js';
import { createDispatch } from '../claude-lines/dispatch.js';
import { createHost } from '../claude-lines/host.js';
import { createSessionId } from '../claude-lines/session-id.js';
import { createSpeech } from '../claude-lines/speech.js';
import { createTasks } from '../claude-lines/tasks.js';
import { todosOf } from '../claude-lines/todo.js';
import { splitUserContent, type ToolResult } from '../claude-lines/tool-lines.js';
import { createTurns } from '../claude-lines/turns.js';
import type { CommandRequest } from '../command.js';
import { faultOf } from '../fault.js';
import { type Json, number, object, objects, string, strings } from '../field.js';
import { createScribe } from '../scribe.js';
import { PLAN_EXIT, readResult, toolTable } from './tools.js';
import { readUsage, subtractUsage } from './usage.js';

export function createProtocol(request: Partial<CommandRequest> = {}): Protocol {
  const scribe = createScribe();
  const turns = createTurns(scribe);
  const speech = createSpeech({
    scribe,
    table: toolTable,
    readUsage,
    onToolInput(tool) {
      if (tool.name === PLAN_EXIT) {
        scribe.write({ type: 'plan-mode', state: 'propose', plan: string(tool.input?.plan), toolId: tool.id });
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
  let introduced = false;
  let streaming = false;
  let lines = 0;
  /** Results count the tokens of the whole process. */
  let counted: Usage = {};

  const step = (): Step => ({ events: scribe.take(), send: host.take() });

  const readInit = (line: Json): void => {
    if (!introduced) {
      scribe.write({
        type: 'session-start',
        model: string(line.model),
        cwd: string(line.cwd),
        tools: strings(line.tools),
        mcpServers: objects(line.mcp_servers).map((server) => ({
          name: string(server.name) ?? '',
          status: string(server.status),
        })),
        permissionMode: string(line.permission_mode),
        agentVersion: string(line.qwen_code_version),
        commands: strings(line.slash_commands),
        agents: strings(line.agents),
        resumed: request.resume === undefined ? undefined : true,
      });
    }
    introduced = true;
    turns.begin();
  };

  const readSystem = (line: Json, bytes: number): void => {
    const data = object(line.data) ?? {};
    if (line.subtype === 'init') readInit(line);
    else if (line.subtype === 'retry') {
      scribe.write({
        type: 'retry',
        attempt: number(data.attempt),
        maxAttempts: number(data.maxRetries),
        delayMs: number(data.delayMs),
        why: data.reason === 'retry' ? undefined : string(data.reason),
      });
    } else if (line.subtype === 'task_started')
      tasks.started({ ...data, task_type: 'local_agent', is_backgrounded: true });
    else if (line.subtype === 'task_notification') tasks.notified(data);
    else if (line.subtype === 'model_fallback') {
      scribe.write({ type: 'status', code: 'model-fallback', text: string(data.message), level: 'notice' });
    } else scribe.write({ type: 'unknown', wireType: 'system', wireSubtype: string(line.subtype), bytes });
  };

  const readAssistant = (line: Json, bytes: number): void => {
    lines += 1;
    const parent = string(line.parent_tool_use_id);
    if (parent === undefined) turns.ensure();
    const message = object(line.message) ?? {};
    // While deltas come, every piece has an id of its own; the message is the one that was announced.
    const current = streaming ? messages.current(parent) : undefined;
    const fallbackId = string(line.uuid) ?? `line-${lines}`;
    speech.assistant({ message: current ? { ...message, id: current.id } : message, fallbackId, parent }, bytes);
    if (current && string(message.stop_reason) !== undefined) current.complete = true;
    const text = string(objects(message.content)[0]?.text);
    if (parent === undefined && text?.startsWith('[API Error:')) {
      scribe.write({ type: 'agent-error', ...apiError(text), fatal: false });
    }
  };

  const readStreamEvent = (line: Json, bytes: number): void => {
    const event = object(line.event) ?? {};
    const parent = string(line.parent_tool_use_id);
    // Printed once at the start, whether deltas were asked for or not.
    if (event.type === 'goal_state') return;
    if (event.type === 'tool_progress') {
      const id = string(event.tool_use_id);
      if (id !== undefined) scribe.write({ type: 'tool-progress', id, text: string(event.message) }, { parent });
      return;
    }
    if (parent === undefined) turns.ensure();
    if (event.type === 'message_start') streaming = true;
    if (event.type === 'message_stop') streaming = false;
    speech.streamEvent(event, parent, bytes);
  };

  const readToolResult = (result: ToolResult, parent: string | undefined): void => {
    const tool = tools.get(result.id);
    const reading = readResult(result, tool);
    asks.settle(result.id, reading.status === 'denied');
    if (!tools.end(result.id, reading, parent) || !tool || reading.status !== 'ok') return;
    const path = string(tool.input?.file_path);
    if (tool.kind === 'edit' && path !== undefined) {
      const kind = /created and wrote to new file/.test(reading.output) ? 'create' : 'edit';
      scribe.write({ type: 'file-change', toolId: tool.id, path, kind }, { parent: tool.parent });
    } else if (tool.name === 'todo_write') {
      scribe.write({ type: 'todo-update', todos: todosOf(tool.input?.todos) }, { parent: tool.parent });
    } else if (tool.name === PLAN_EXIT) scribe.write({ type: 'plan-mode', state: 'exit', toolId: tool.id });
  };

  const readUser = (line: Json): void => {
    const parent = string(line.parent_tool_use_id);
    const { results, text } = splitUserContent(object(line.message)?.content);
    for (const result of results) readToolResult(result, parent);
    // The prompt is never echoed: what comes here is a sub-agent's task or news about background work.
    if (text !== '')
      scribe.write({ type: 'user-message', text, synthetic: parent === undefined || undefined }, { parent });
  };

  const readResultLine = (line: Json): void => {
    messages.end(undefined);
    const turn = turns.end(undefined);
    const failed = line.is_error === true || string(line.subtype)?.startsWith('error') === true;
    const message =
      string(object(line.error)?.message) ?? string(line.error) ?? string(line.result) ?? 'The turn failed.';
    const interrupted = failed && /^Operation cancelled/i.test(message);
    tools.close(interrupted ? 'cancelled' : 'unknown', (tool) => tool.turn === turn && !tool.parent);
    const total = readUsage(line.usage, true);
    const denials = objects(line.permission_denials).map((denial) => ({
      toolName: string(denial.tool_name) ?? 'unknown',
      toolId: string(denial.tool_use_id),
      input: denial.tool_input,
    }));
    const openTasks = tasks.background();
    scribe.write(
      {
        type: 'turn-end',
        outcome: interrupted ? 'interrupted' : failed ? 'failed' : 'success',
        text: typeof line.result === 'string' ? line.result : undefined,
        error: failed ? apiError(message) : undefined,
        usage: total && subtractUsage(total, counted),
        durationMs: number(line.duration_ms),
        apiDurationMs: number(line.duration_api_ms),
        steps: number(line.num_turns),
        denials: denials.length > 0 ? denials : undefined,
        structuredOutput: line.structured_result ?? undefined,
        openTasks: openTasks.length > 0 ? openTasks : undefined,
      },
      { turn },
    );
    counted = total ?? counted;
  };

  const read = createDispatch(scribe, session, {
    system: readSystem,
    assistant: readAssistant,
    user: readUser,
    result: readResultLine,
    stream_event: readStreamEvent,
    control_request: (line, bytes) => host.push(asks.receive(line, bytes)),
    control_cancel_request: (line) => asks.withdraw(string(line.request_id) ?? '', 'agent'),
    control_response(line) {
      const response = object(line.response) ?? {};
      if (response.subtype !== 'error') return;
      const message =
        string(response.error) ?? string(object(response.error)?.message) ?? 'The agent refused a request.';
      scribe.write({ type: 'warning', code: 'control-error', message });
    },
  });

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
      closeAll(scribe, { asks, speech, tasks, turns });
      return step();
    },
    idle: () => !turns.isOpen() && asks.size() === 0 && tasks.background().length === 0,
  };
}

function apiError(message: string): ErrorFacts {
  const text = message.replace(/^\[API Error: (.*)\]$/s, '$1');
  if (/^Operation cancelled/i.test(text)) return { category: 'interrupted', message: 'Interrupted by the user.' };
  return faultOf(text, HINTS);
}

const HINTS = {
  auth: 'Run `qwen` once and choose how to sign in, or set OPENAI_API_KEY.',
  billing: 'Check the plan and the credit of the account.',
} as const;
