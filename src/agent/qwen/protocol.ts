/** Qwen Code's stream: Claude-like lines, cut into pieces of its own and counted in its own way. */

import type { ErrorFacts, Usage } from '../../event/index.js';
import { subtractUsage } from '../../ledger/index.js';
import type { Protocol } from '../agent.js';
import { createChronicle } from '../chronicle/chronicle.js';
import { converse } from '../claude-lines/conversation.js';
import { denialsOf } from '../claude-lines/result.js';
import { createSpeech } from '../claude-lines/speech.js';
import { createTasks } from '../claude-lines/task.js';
import { todosOf } from '../claude-lines/todo.js';
import { splitUserContent, type ToolResult } from '../claude-lines/tools.js';
import type { CommandRequest } from '../command.js';
import { faultOf, INTERRUPTED } from '../fault.js';
import { type Json, members, number, object, objects, string, strings } from '../field.js';
import { mcpServersOf } from '../mcp-servers.js';
import { PLAN_EXIT, readResult, shownAnswer, TOOLS } from './tools.js';
import { readUsage } from './usage.js';

export function createProtocol(request: Partial<CommandRequest> = {}): Protocol {
  const chronicle = createChronicle(TOOLS);
  const speech = createSpeech(chronicle, {
    readUsage,
    onToolInput({ id, name, input }) {
      const plan = string(members(input).plan);
      if (name === PLAN_EXIT) chronicle.write({ type: 'plan-mode', state: 'propose', plan, toolId: id });
    },
  });
  const tasks = createTasks(chronicle, speech);
  let introduced = false;
  let streaming = false;
  let lines = 0;
  /** Results count the tokens of the whole process. */
  let counted: Usage = {};

  const readInit = (line: Json): void => {
    if (!introduced) {
      chronicle.startSession(undefined, {
        model: string(line.model),
        cwd: string(line.cwd),
        tools: strings(line.tools),
        mcpServers: mcpServersOf(line.mcp_servers),
        permissionMode: string(line.permission_mode),
        agentVersion: string(line.qwen_code_version),
        commands: strings(line.slash_commands),
        agents: strings(line.agents),
        resumed: request.resume === undefined ? undefined : true,
      });
    }
    introduced = true;
    chronicle.startNextTurn();
  };

  const readSystem = (line: Json, bytes: number): void => {
    const data = object(line.data) ?? {};
    if (line.subtype === 'init') readInit(line);
    else if (line.subtype === 'retry') {
      chronicle.write({
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
      chronicle.write({ type: 'status', code: 'model-fallback', text: string(data.message), level: 'notice' });
    } else chronicle.write({ type: 'unknown', wireType: 'system', wireSubtype: string(line.subtype), bytes });
  };

  const readAssistant = (line: Json, bytes: number): void => {
    lines += 1;
    const parent = string(line.parent_tool_use_id);
    if (parent === undefined) chronicle.startTurn();
    const message = object(line.message) ?? {};
    // While deltas come, every piece has an id of its own; the message is the one that was announced.
    const current = streaming ? speech.current(parent) : undefined;
    const fallbackId = string(line.uuid) ?? `line-${lines}`;
    speech.assistant({ message: current ? { ...message, id: current.id } : message, fallbackId, parent }, bytes);
    if (current && string(message.stop_reason) !== undefined) current.complete = true;
    const text = string(objects(message.content)[0]?.text);
    if (parent === undefined && text?.startsWith('[API Error:')) {
      chronicle.write({ type: 'agent-error', ...apiError(text), fatal: false });
    }
  };

  const readStreamEvent = (line: Json, bytes: number): void => {
    const event = object(line.event) ?? {};
    const parent = string(line.parent_tool_use_id);
    // Printed once at the start, whether deltas were asked for or not.
    if (event.type === 'goal_state') return;
    if (event.type === 'tool_progress') {
      const id = string(event.tool_use_id);
      if (id !== undefined) chronicle.continueTool({ type: 'tool-progress', id, text: string(event.message) });
      return;
    }
    if (parent === undefined) chronicle.startTurn();
    if (event.type === 'message_start') streaming = true;
    if (event.type === 'message_stop') streaming = false;
    speech.streamEvent(event, parent, bytes);
  };

  const readToolResult = (result: ToolResult, parent: string | undefined): void => {
    const tool = chronicle.tool(result.id);
    const reading = readResult(result, tool);
    const isNews = chronicle.endTool(result.id, reading, parent, shownAnswer(reading));
    if (!isNews || !tool || reading.status !== 'ok') return;
    const { file_path, todos } = members(tool.input);
    const path = string(file_path);
    if (tool.kind === 'edit' && path !== undefined) {
      const kind = /created and wrote to new file/.test(reading.output) ? 'create' : 'edit';
      chronicle.write({ type: 'file-change', toolId: tool.id, path, kind }, tool.parent);
    } else if (tool.name === 'todo_write') {
      chronicle.write({ type: 'todo-update', todos: todosOf(todos) }, tool.parent);
    } else if (tool.name === PLAN_EXIT) chronicle.write({ type: 'plan-mode', state: 'exit', toolId: tool.id });
  };

  const readUser = (line: Json): void => {
    const parent = string(line.parent_tool_use_id);
    const { results, text } = splitUserContent(object(line.message)?.content);
    for (const result of results) readToolResult(result, parent);
    // The prompt is never echoed: what comes here is a sub-agent's task or news about background work.
    if (text !== '')
      chronicle.write({ type: 'user-message', text, synthetic: parent === undefined || undefined }, parent);
  };

  const readResultLine = (line: Json): void => {
    speech.end(undefined);
    const failed = line.is_error === true || string(line.subtype)?.startsWith('error') === true;
    const message =
      string(object(line.error)?.message) ?? string(line.error) ?? string(line.result) ?? 'The turn failed.';
    const interrupted = failed && /^Operation cancelled/i.test(message);
    const total = readUsage(line.usage, true);
    chronicle.endTurn({
      outcome: interrupted ? 'interrupted' : failed ? 'failed' : 'success',
      text: typeof line.result === 'string' ? line.result : undefined,
      error: failed ? apiError(message) : undefined,
      usage: total && subtractUsage(total, counted),
      usageCovers: total && 'all',
      durationMs: number(line.duration_ms),
      apiDurationMs: number(line.duration_api_ms),
      steps: number(line.num_turns),
      denials: denialsOf(line.permission_denials),
      structuredOutput: line.structured_result ?? undefined,
    });
    counted = total ?? counted;
  };

  const conversation = converse(chronicle, request, TOOLS, {
    system: readSystem,
    assistant: readAssistant,
    user: readUser,
    result: readResultLine,
    stream_event: readStreamEvent,
    control_response(line) {
      const response = object(line.response) ?? {};
      if (response.subtype !== 'error') return;
      const message =
        string(response.error) ?? string(object(response.error)?.message) ?? 'The agent refused a request.';
      chronicle.write({ type: 'warning', code: 'control-error', message });
    },
  });

  return {
    ...conversation,
    end() {
      tasks.settle();
      return conversation.end();
    },
  };
}

function apiError(message: string): ErrorFacts {
  const text = message.replace(/^\[API Error: (.*)\]$/s, '$1');
  if (/^Operation cancelled/i.test(text)) return INTERRUPTED;
  return faultOf(text, HINTS);
}

const HINTS = {
  auth: 'Run `qwen` once and choose how to sign in, or set OPENAI_API_KEY.',
  billing: 'Check the plan and the credit of the account.',
} as const;
