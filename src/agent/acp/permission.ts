/** Questions of the Agent Client Protocol to a person: permissions by a choice of options, and forms. */
import type { Body } from '../chronicle.js';
import type { Decision } from '../decision.js';
import { type Json, members, objects, string } from '../field.js';
import { summaryOf, type ToolCalls } from './tool-call.js';

export interface Ask {
  request: Omit<Body<'approval-request'>, 'id'>;
  reply(decision: Decision): Json;
  /** The answer when the turn is cancelled before anybody decided. */
  cancelled: Json;
  toolId?: string;
}

export function askFrom(method: string, params: Json, tools: ToolCalls): Ask | undefined {
  if (method === 'session/request_permission') return askPermission(params, tools);
  return method === 'elicitation/create' ? askForm(params) : undefined;
}

function askPermission({ toolCall, options }: Json, tools: ToolCalls): Ask {
  const call = members(toolCall);
  const choices = objects(options);
  const choose = (...kinds: string[]): Json => {
    const optionId = kinds.flatMap((kind) => choices.find((choice) => choice.kind === kind)?.optionId ?? [])[0];
    return optionId === undefined ? CANCELLED : { outcome: { outcome: 'selected', optionId } };
  };
  const toolId = string(call.toolCallId);
  const kind = tools.kindOf(call);
  const name = tools.nameOf(call);
  const lasting = choices.filter((choice) => choice.kind === 'allow_always');
  return {
    request: {
      kind: 'tool',
      toolId,
      toolName: name,
      toolKind: kind,
      input: call.rawInput,
      summary: summaryOf({ kind, name, input: call.rawInput }, call),
      title: string(call.title),
      suggestions: lasting.length > 0 ? lasting : undefined,
    },
    toolId,
    reply(decision) {
      if (decision.type !== 'approve') return choose('reject_once', 'reject_always');
      return decision.remember === true ? choose('allow_always', 'allow_once') : choose('allow_once', 'allow_always');
    },
    cancelled: CANCELLED,
  };
}

function askForm({ message, requestedSchema, url }: Json): Ask {
  return {
    request: { kind: 'elicitation', title: string(message), answerSchema: requestedSchema, url: string(url) },
    reply(decision) {
      if (decision.type === 'deny') return { action: 'decline' };
      return { action: 'accept', content: decision.type === 'answer' ? decision.answers : {} };
    },
    cancelled: { action: 'cancel' },
  };
}

const CANCELLED: Json = { outcome: { outcome: 'cancelled' } };
