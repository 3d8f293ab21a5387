/**
 * Reads `copilot --output-format json`. Nothing introduces the session, whose id stands only in the last line, and after an
 * interrupt even that line may be missing: then `assistant.idle` tells how it ended.
 */

import { defined, type ErrorFacts, type Loose, type McpServer, type SessionFacts } from '../../event/index.js';
import type { Protocol } from '../agent.js';
import { createAttachedWords } from '../attachment.js';
import { type Body, createChronicle } from '../chronicle/chronicle.js';
import type { CommandRequest } from '../command.js';
import { faultOf, type Hints } from '../fault.js';
import { anyString, type Json, lookUp, members, number, objects, parsed, string } from '../field.js';
import { mcpServer } from '../mcp-servers.js';
import { createPrintOnlyProtocol } from '../print-only.js';
import { createRecentMap } from '../recent.js';
import { createSpeech } from './speech.js';
import { effectsOf, mcpOf, resultOf, TOOLS } from './tools.js';

export function createProtocol(request: Partial<CommandRequest> = {}): Protocol {
  const chronicle = createChronicle(TOOLS);
  const speech = createSpeech(chronicle);
  const attached = createAttachedWords();
  attached.give({ text: request.prompt ?? '', attachments: request.attachments });
  /** Calls that the model writes and that have not begun, with their speaker. */
  const announced = new Map<string, string | undefined>();
  /** The call that started each sub-agent. */
  const starters = createRecentMap<string>(256);
  /** What each MCP server is doing. */
  const servers = new Map<string, string | undefined>();
  let facts: SessionFacts = {};
  let failure: Json = {};
  let error: ErrorFacts | undefined;
  let aborted = false;
  /** The agent has said that it is done, which counts when no result follows. */
  let rests = false;
  let isIntroduced = false;
  let steps = 0;

  const lines: Readonly<Record<string, (data: Json, parent: string | undefined, line: Json) => void>> = {
    'session.skills_loaded': ({ skills }) => learn({ skills: namesOf(skills) }),
    'session.mcp_servers_loaded'({ servers: all }) {
      servers.clear();
      for (const { name, status } of objects(all)) servers.set(nameOf(name), string(status));
      learn({ mcpServers: serverFacts() });
    },
    'session.mcp_server_status_changed'({ serverName, status }) {
      const name = nameOf(serverName);
      // While servers start, the list that follows says it too.
      if (!isIntroduced || servers.get(name) === status) return;
      servers.set(name, string(status));
      learn({ mcpServers: serverFacts() });
    },
    'session.tools_updated': ({ model }) => learn({ model: string(model) }),
    'user.message'({ content, messageId, source, isAutopilotContinuation }, parent) {
      if (parent === undefined) chronicle.startTurn();
      const synthetic = isAutopilotContinuation === true || (parent === undefined && string(source) !== undefined);
      const message = { text: anyString(content) ?? '', messageId: string(messageId) };
      const attachments = parent === undefined ? attached.take(message.text) : undefined;
      chronicle.write({ type: 'user-message', ...message, attachments, ...(synthetic && { synthetic }) }, parent);
    },
    'assistant.turn_start'(_, parent) {
      if (parent === undefined) steps += 1;
      rests = false;
      // What was said without ever becoming a message was cut off, and is said anew.
      drop(parent, 'superseded');
    },
    'assistant.turn_retry'({ reason }, parent) {
      drop(parent, 'stream-broken');
      const { statusCode, retryAttempt, errorMessage } = failure;
      const attempt = number(retryAttempt);
      chronicle.write(
        {
          type: 'retry',
          attempt: attempt === undefined ? undefined : attempt + 1,
          httpStatus: number(statusCode),
          why: messageIn(errorMessage) ?? string(reason),
        },
        parent,
      );
    },
    'model.call_failure'(data) {
      failure = data;
    },
    'assistant.message_start': ({ messageId }, parent) => speech.start(anyString(messageId), parent),
    'assistant.message_delta': (data, parent) => speech.addText(data, parent),
    'assistant.message': (data, parent) => speech.finish(data, parent),
    'assistant.reasoning_delta': (data, parent) => speech.addThinking(data, parent),
    'assistant.reasoning': (data, parent) => speech.finishThinking(data, parent),
    'assistant.tool_call_delta'({ toolCallId, toolName, inputDelta }, parent) {
      const id = anyString(toolCallId) ?? '';
      startTool(id, string(toolName) ?? 'tool', {}, parent);
      const text = string(inputDelta);
      if (text === undefined || chronicle.tool(id)?.input !== undefined) return;
      announced.set(id, parent);
      chronicle.continueTool({ type: 'tool-input-delta', id, text });
    },
    'tool.execution_start'(data, parent) {
      const id = anyString(data.toolCallId) ?? '';
      const name = string(data.toolName) ?? 'tool';
      startTool(id, name, data, parent);
      announced.delete(id);
      chronicle.inputTool(id, data.arguments);
    },
    'tool.shell_output'({ toolCallId, text, stream }) {
      const news = { id: anyString(toolCallId) ?? '', text: anyString(text) ?? '' };
      const from = stream === 'stdout' || stream === 'stderr' ? stream : undefined;
      if (news.text !== '') chronicle.continueTool({ type: 'tool-output-delta', ...news, stream: from });
    },
    'tool.execution_complete': endTool,
    'subagent.started'({ toolCallId, agentName, agentDescription, executionMode }, _, { agentId }) {
      const toolId = string(toolCallId);
      const id = string(agentId) ?? toolId;
      if (id === undefined) return;
      if (toolId !== undefined) starters.set(id, toolId);
      chronicle.startTask({
        id,
        kind: 'agent',
        toolId,
        agentType: string(agentName),
        description: string(agentDescription),
        background: executionMode === 'sync' ? undefined : true,
      });
    },
    'subagent.completed': (data, _, line) => endTask('ok', data, line),
    'subagent.failed': (data, _, line) => endTask('failed', data, line),
    'session.mode_notice_delivered'({ mode }) {
      if (mode === 'plan') chronicle.write({ type: 'plan-mode', state: 'enter' });
    },
    'session.info'({ infoType, message }) {
      // Retries, cancellations and files have lines of their own.
      if (/^(model_retry|cancellation|file_created)$/.test(anyString(infoType) ?? '')) return;
      chronicle.write({ type: 'status', code: string(infoType) ?? 'info', text: string(message) });
    },
    'session.warning': ({ warningType, message }) =>
      chronicle.write({ type: 'warning', code: string(warningType) ?? 'agent', message: string(message) ?? '' }),
    'session.error'({ message, statusCode }) {
      error = faultOf(string(message) ?? 'The agent failed.', HINTS, number(statusCode));
      chronicle.write({ type: 'agent-error', fatal: true, ...error });
    },
    result: (_, __, line) => readResult(line),
    abort() {
      aborted = true;
    },
    'assistant.idle'({ aborted: stopped }, parent) {
      if (parent !== undefined) return;
      aborted ||= stopped === true;
      rests = true;
    },
  };

  function learn(news: Loose<SessionFacts>): void {
    if (isIntroduced) chronicle.startSession(undefined, news);
    else facts = { ...facts, ...defined<SessionFacts>(news) };
  }

  const serverFacts = (): McpServer[] => [...servers].map(([name, status]) => mcpServer(name, status));

  function introduce(): void {
    if (isIntroduced) return;
    isIntroduced = true;
    const { resume, sessionId, cwd } = request;
    const id = [resume, sessionId].find((each) => each !== undefined && UUID.test(each));
    chronicle.startSession(id, { cwd, ...facts, resumed: resume === undefined ? undefined : true });
  }

  /** Copilot says it again: neither the text nor the calls that were being written hold. */
  function drop(parent: string | undefined, why: Body<'message-retract'>['why']): void {
    chronicle.retractMessages(parent, why);
    for (const [id, speaker] of announced) {
      if (speaker !== parent) continue;
      announced.delete(id);
      chronicle.endTool(id, { status: 'cancelled' });
    }
  }

  function startTool(id: string, name: string, data: Json, parent: string | undefined): void {
    const server = string(data.mcpServerName);
    const told = server === undefined ? undefined : { server, tool: string(data.mcpToolName) ?? name };
    const mcp = told ?? mcpOf(name, servers.keys());
    chronicle.startTool(id, { name, ...(mcp && { kind: 'other', mcp }) }, parent);
  }

  function endTool(data: Json, parent: string | undefined): void {
    const id = anyString(data.toolCallId) ?? '';
    const call = chronicle.tool(id);
    const result = resultOf(data);
    if (call && result.status === 'ok') for (const effect of effectsOf(call, data)) chronicle.write(effect, parent);
    if (call && result.status === 'denied')
      chronicle.write({ type: 'permission-deny', toolName: call.name, toolId: id, message: result.output }, parent);
    chronicle.endTool(id, result, parent);
  }

  function endTask(status: 'ok' | 'failed', data: Json, { agentId }: Json): void {
    chronicle.endTask(string(agentId) ?? anyString(data.toolCallId) ?? '', {
      status,
      toolId: string(data.toolCallId),
      error: string(data.error),
      tokens: number(data.totalTokens),
      toolUses: number(data.totalToolCalls),
      durationMs: number(data.durationMs),
    });
  }

  function readResult({ sessionId, exitCode, usage }: Json): void {
    chronicle.startSession(string(sessionId));
    const { premiumRequests, totalApiDurationMs, sessionDurationMs } = members(usage);
    const premium = number(premiumRequests) ?? 0;
    if (premium > 0) chronicle.write({ type: 'status', code: 'premium-requests', text: `${premium} premium requests` });
    const ending = endingOf(exitCode === 0 && error === undefined);
    chronicle.endTurn({
      ...ending,
      durationMs: number(sessionDurationMs),
      apiDurationMs: number(totalApiDurationMs),
    });
    announced.clear();
    error = undefined;
    aborted = false;
    rests = false;
    steps = 0;
  }

  function endingOf(isGood: boolean): Body<'turn-end'> {
    const spoken = { text: speech.answer(), steps };
    if (aborted) return { ...spoken, outcome: 'interrupted' };
    if (isGood) return { ...spoken, outcome: 'success' };
    return { ...spoken, outcome: 'failed', error: error ?? { category: 'unknown', message: 'Copilot failed.' } };
  }

  // The prompt comes back as a line of the stream.
  return createPrintOnlyProtocol(chronicle, {
    read(line) {
      const type = string(line.type) ?? '';
      const read = lookUp(lines, type);
      if (!read) return NOISE.test(type);
      const data = members(line.data);
      const agentId = string(line.agentId);
      const parent =
        string(data.parentToolCallId) ?? (agentId === undefined ? undefined : (starters.get(agentId) ?? agentId));
      if (!INTRODUCTION.test(type)) introduce();
      read(data, parent, line);
      return true;
    },
    end() {
      if (chronicle.inTurn && (aborted || rests)) chronicle.endTurn(endingOf(error === undefined));
      chronicle.end();
    },
  });
}

const UUID = /^[\da-f]{8}-([\da-f]{4}-){3}[\da-f]{12}$/i;

/** What comes before the first message and goes into the introduction. */
const INTRODUCTION = /^session\.(skills_loaded|mcp_|tools_updated|custom_agents)/;

/** Says what other lines say too, or nothing. `partial_result` repeats the whole output so far, which `shell_output` tells by pieces. */
const NOISE =
  /^(session\.(background_tasks_changed|todos_changed|plan_changed|custom_agents_updated|mcp_server_tools_loaded|task_complete|autopilot_stopped)|model\.call_(start|finished|final_result)|assistant\.turn_end|tool\.execution_partial_result|agent\.interrupted|subagent\.(configured|selected|deselected))$/;

const HINTS: Hints = {
  auth: 'Run `copilot` once and `/login`, or set GH_TOKEN.',
  billing: 'Check the premium requests of the account.',
  'model-not-found': 'Choose another model with `--model`.',
};

/** Failures repeat the body of the model's answer, which is JSON in a string. */
function messageIn(text: unknown): string | undefined {
  const words = string(text);
  return words?.startsWith('{') ? (string(members(parsed(words)).message) ?? words) : words;
}

const nameOf = (name: unknown): string => string(name) ?? 'unnamed';

const namesOf = (entries: unknown): string[] => objects(entries).flatMap(({ name }) => string(name) ?? []);
