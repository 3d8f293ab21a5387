/** The agent's questions to its host, and the answers in its words. */
import { defined, type Question } from '../../event/index.js';
import type { Decision } from '../action.js';
import type { Ask, Chronicle, OpenTool } from '../chronicle/chronicle.js';
import { rememberedOf } from '../decision.js';
import { type Json, members, objects, string } from '../field.js';
import { suggestionsOf } from '../suggestion.js';
import type { ToolTable } from '../tool-table.js';
import { readSuggestions } from './suggestion.js';

export interface Asked {
  ask: Ask;
  /** Whose sub-agent asks. */
  parent?: string | undefined;
}

/** Absent for requests that are not questions to a person. */
export function askFrom(request: Json, chronicle: Chronicle, tools: ToolTable): Asked | undefined {
  if (request.subtype === 'can_use_tool') return askForTool(request, chronicle, tools);
  if (request.subtype === 'elicitation') return { ask: askElicitation(request) };
  return request.subtype === 'hook_callback' ? askHook(request, chronicle) : undefined;
}

function askForTool(request: Json, chronicle: Chronicle, tools: ToolTable): Asked {
  const toolName = string(request.tool_name) ?? 'unknown';
  const input = members(request.input);
  const tool = chronicle.tool(string(request.tool_use_id) ?? '') ?? findTool(chronicle, toolName, input);
  const kind = tools.asks(toolName);
  const lasting = readSuggestions(request.permission_suggestions, tools.kind);
  const ask: Ask = {
    request: {
      kind,
      toolId: string(request.tool_use_id) ?? tool?.id,
      toolName,
      toolKind: tools.kind(toolName),
      input,
      summary: tools.summary(toolName, input),
      ...(kind === 'tool' && tools.targets(toolName, input)),
      title: string(request.title) ?? string(request.display_name),
      description: string(request.description),
      reason: string(request.decision_reason),
      blockedPath: string(request.blocked_path),
      suggestions: suggestionsOf(lasting),
      questions: kind === 'question' ? readQuestions(input.questions) : undefined,
      plan: kind === 'plan' ? (string(input.plan) ?? string(members(tool?.input).plan)) : undefined,
    },
    reply(decision) {
      if (decision.type === 'deny')
        return { behavior: 'deny', message: decision.message ?? UNEXPLAINED, interrupt: decision.interrupt === true };
      // An allow without `updatedInput` is refused by the agent, so the original is echoed.
      if (decision.type === 'answer')
        return { behavior: 'allow', updatedInput: { ...input, answers: decision.answers } };
      const remembered = rememberedOf(decision, lasting).map(({ form }) => form);
      return {
        behavior: 'allow',
        updatedInput: decision.input ?? input,
        ...(remembered.length > 0 && { updatedPermissions: remembered }),
      };
    },
  };
  return { ask, parent: tool?.parent };
}

function askElicitation({ mcp_server_name, message, requested_schema, url }: Json): Ask {
  const server = string(mcp_server_name);
  return {
    request: {
      kind: 'elicitation',
      toolName: server,
      title: string(message),
      answerSchema: requested_schema,
      url: string(url),
    },
    reply(decision) {
      if (decision.type === 'deny') return { action: 'decline' };
      return { action: 'accept', content: (decision.type === 'answer' ? decision.answers : decision.input) ?? {} };
    },
    server,
  };
}

function askHook({ input: given, callback_id }: Json, chronicle: Chronicle): Asked {
  const input = members(given);
  const event = string(input.hook_event_name);
  const toolId = string(input.tool_use_id);
  const callback = string(callback_id);
  const ask: Ask = {
    request: { kind: 'hook', toolId, toolName: string(input.tool_name), input, title: event ?? callback, callback },
    reply: (decision) => hookReply(event, decision),
  };
  return { ask, parent: chronicle.tool(toolId ?? '')?.parent };
}

function hookReply(event: string | undefined, decision: Decision): Json {
  if (decision.type === 'answer') return decision.answers;
  if (decision.type === 'approve') return {};
  const reason = decision.message ?? UNEXPLAINED;
  if (event !== 'PreToolUse') return { decision: 'block', reason };
  return {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: reason,
    },
  };
}

/** A refusal without words is none to this agent. It is told so, and not kept as if the person had said it. */
const UNEXPLAINED = 'Denied by the user.';

/** Up to 2.0.1 an ask does not name its tool call: it is the open one with the same arguments. */
function findTool(chronicle: Chronicle, name: string, input: Json): OpenTool | undefined {
  const wanted = JSON.stringify(input);
  for (const tool of chronicle.tools()) if (tool.name === name && JSON.stringify(tool.input) === wanted) return tool;
  return undefined;
}

function readQuestions(value: unknown): Question[] {
  return objects(value).map((entry) =>
    defined({
      question: string(entry.question) ?? '',
      header: string(entry.header),
      multiple: entry.multiSelect === true,
      options: objects(entry.options).map((option) =>
        defined({ label: string(option.label) ?? '', description: string(option.description) }),
      ),
    }),
  );
}
