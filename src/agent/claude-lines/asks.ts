/**
 * The agent's questions to its host: each control request is asked once and settled once, by an answer, by its
 * withdrawal, or by what the stream shows when somebody else answered (reading a recording).
 */
import type { ApprovalKind, DraftOf, Question } from '../../event/index.js';
import type { Action } from '../action.js';
import { type Json, object, objects, string } from '../field.js';
import { createRecent } from '../recent.js';
import type { Scribe } from '../scribe.js';
import type { OpenTools, ToolTable } from './open-tools.js';
import { answerTo, errorReply } from './reply.js';

export interface Ask {
  readonly id: string;
  readonly kind: ApprovalKind;
  readonly input: Json;
  readonly suggestions: readonly unknown[];
  readonly toolId: string | undefined;
  readonly parent: string | undefined;
  readonly hookEvent: string | undefined;
  /** The MCP server that asks. */
  readonly server?: string | undefined;
}

type Decision = Extract<Action, { type: 'approve' | 'deny' | 'answer' }>;

export interface Asks {
  /** A control request of the agent; gives the lines that must be sent at once. */
  receive(line: Json, bytes: number): string[];
  withdraw(id: string, why: 'agent' | 'interrupt' | 'exit'): void;
  answer(decision: Decision): string[];
  /** A tool's result shows that its ask was settled elsewhere; `message` is what was answered, where no tool card shows it. */
  settle(toolId: string, denied: boolean, message?: string): void;
  /** Hooks and elicitations do not outlive the turn that they belong to. */
  settleTurn(): void;
  isPending(toolId: string): boolean;
  size(): number;
  close(): void;
}

export function createAsks(scribe: Scribe, tools: OpenTools, table: ToolTable): Asks {
  const pending = new Map<string, Ask>();
  const asked = createRecent(512);

  const resolve = (ask: Ask, facts: Omit<DraftOf<'approval-resolve'>, 'type' | 'id' | 'turn'>): void => {
    pending.delete(ask.id);
    scribe.write({ type: 'approval-resolve', id: ask.id, ...facts }, { parent: ask.parent, source: facts.source });
  };

  const conclude = (ask: Ask, decision: 'allow' | 'deny' | 'answer', message?: string): void =>
    resolve(ask, { decision, by: 'person', message, source: 'synthetic' });

  const withdraw = (id: string, why: 'agent' | 'interrupt' | 'exit'): void => {
    const ask = pending.get(id);
    if (!ask) return;
    pending.delete(id);
    scribe.write({ type: 'approval-withdraw', id, why }, { parent: ask.parent });
  };

  const askForTool = (id: string, request: Json): void => {
    const toolName = string(request.tool_name) ?? 'unknown';
    const input = object(request.input) ?? {};
    const tool = tools.get(string(request.tool_use_id) ?? '') ?? findTool(tools, toolName, input);
    const toolId = string(request.tool_use_id) ?? tool?.id;
    const kind = table.asks(toolName);
    const suggestions = Array.isArray(request.permission_suggestions) ? request.permission_suggestions : [];
    const parent = tool?.parent;
    pending.set(id, { id, kind, input, suggestions, toolId, parent, hookEvent: undefined });
    scribe.write(
      {
        type: 'approval-request',
        id,
        kind,
        toolId,
        toolName,
        toolKind: table.kind(toolName),
        input,
        summary: table.summary(toolName, input),
        title: string(request.title) ?? string(request.display_name),
        description: string(request.description),
        reason: string(request.decision_reason),
        blockedPath: string(request.blocked_path),
        suggestions: suggestions.length > 0 ? suggestions : undefined,
        questions: kind === 'question' ? readQuestions(input.questions) : undefined,
        plan: kind === 'plan' ? (string(input.plan) ?? string(tool?.input?.plan)) : undefined,
      },
      { parent },
    );
  };

  const askElicitation = (id: string, request: Json): void => {
    const server = string(request.mcp_server_name);
    pending.set(id, {
      id,
      kind: 'elicitation',
      server,
      input: {},
      suggestions: [],
      toolId: undefined,
      parent: undefined,
      hookEvent: undefined,
    });
    scribe.write({
      type: 'approval-request',
      id,
      kind: 'elicitation',
      toolName: server,
      title: string(request.message),
      answerSchema: request.requested_schema,
      url: string(request.url),
    });
  };

  const askHook = (id: string, request: Json): void => {
    const input = object(request.input) ?? {};
    const hookEvent = string(input.hook_event_name);
    const toolId = string(input.tool_use_id);
    const toolName = string(input.tool_name);
    const parent = tools.get(toolId ?? '')?.parent;
    pending.set(id, { id, kind: 'hook', input, suggestions: [], toolId, parent, hookEvent });
    const title = hookEvent ?? string(request.callback_id);
    scribe.write({ type: 'approval-request', id, kind: 'hook', toolId, toolName, input, title }, { parent });
  };

  return {
    receive(line, bytes) {
      const id = string(line.request_id);
      const request = object(line.request) ?? {};
      const subtype = string(request.subtype);
      if (id === undefined || asked.has(id)) return [];
      asked.add(id);
      if (subtype === 'can_use_tool') askForTool(id, request);
      else if (subtype === 'elicitation') askElicitation(id, request);
      else if (subtype === 'hook_callback') askHook(id, request);
      else {
        if (subtype === 'mcp_message') {
          // For MCP servers that live in the host; glassbox is none.
          scribe.write({ type: 'status', code: 'mcp-message', text: string(request.server_name) });
        } else scribe.write({ type: 'unknown', wireType: 'control_request', wireSubtype: subtype, bytes });
        return [errorReply(id, `glassbox cannot answer control requests of subtype ${subtype ?? 'none'}`)];
      }
      return [];
    },

    withdraw,

    answer(decision) {
      const ask = pending.get(decision.id);
      if (!ask) return [];
      const { by, rule } = decision;
      if (decision.type === 'deny') {
        const tool = tools.get(ask.toolId ?? '');
        if (tool) tool.denied = true;
        resolve(ask, { decision: 'deny', by, rule, message: decision.message });
      } else if (decision.type === 'answer') resolve(ask, { decision: 'answer', by, rule });
      else {
        const remembered = decision.remember === true && ask.suggestions.length > 0;
        resolve(ask, { decision: remembered ? 'allow-always' : 'allow', by, rule, changedInput: decision.input });
      }
      return [answerTo(ask, decision)];
    },

    settle(toolId, denied, message) {
      if (pending.size === 0) return;
      const server = table.mcp(tools.get(toolId)?.name ?? '')?.server;
      for (const ask of pending.values()) {
        if (ask.toolId === toolId && ask.kind !== 'hook') {
          const decision = denied ? 'deny' : ask.kind === 'question' ? 'answer' : 'allow';
          conclude(ask, decision, decision === 'allow' ? undefined : message);
        } else if (ask.server !== undefined && ask.server === server) conclude(ask, 'answer');
      }
    },

    settleTurn() {
      for (const ask of pending.values()) {
        if (ask.kind === 'hook' || ask.kind === 'elicitation') conclude(ask, 'answer');
      }
    },

    isPending: (toolId) => [...pending.values()].some((ask) => ask.toolId === toolId),
    size: () => pending.size,
    close() {
      for (const id of pending.keys()) withdraw(id, 'exit');
    },
  };
}

/** Up to 2.0.1 an ask does not name its tool call: it is the open one with the same arguments. */
function findTool(tools: OpenTools, name: string, input: Json) {
  const wanted = JSON.stringify(input);
  for (const tool of tools.values()) {
    if (tool.name === name && JSON.stringify(tool.input) === wanted) return tool;
  }
  return undefined;
}

function readQuestions(value: unknown): Question[] {
  return objects(value).map((entry) => ({
    question: string(entry.question) ?? '',
    header: string(entry.header),
    multiple: entry.multiSelect === true,
    options: objects(entry.options).map((option) => ({
      label: string(option.label) ?? '',
      description: string(option.description),
    })),
  }));
}
