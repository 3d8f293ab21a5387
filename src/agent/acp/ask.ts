/** Questions of the Agent Client Protocol to a person: permissions by a choice of options, and forms. */
import type { Ask } from '../chronicle/chronicle.js';
import { rememberedOf } from '../decision.js';
import { type Json, members, objects, string } from '../field.js';
import { type Lasting, suggestionsOf } from '../suggestion.js';
import { summaryOf, type ToolCalls } from './tools.js';

export function askFrom(method: string, params: Json, tools: ToolCalls): Ask | undefined {
  if (method === 'session/request_permission') return askPermission(params, tools);
  return method === 'elicitation/create' ? askForm(params) : undefined;
}

function askPermission({ toolCall, options }: Json, tools: ToolCalls): Ask {
  const call = members(toolCall);
  const choices = objects(options);
  const choose = (...kinds: string[]): Json => {
    return select(kinds.flatMap((kind) => choices.filter((choice) => choice.kind === kind))[0]);
  };
  const kind = tools.kindOf(call);
  const name = tools.nameOf(call);
  const { input, targets } = tools.factsOf(call);
  const lasting = choices
    .filter((choice) => choice.kind === 'allow_always')
    .map((form): Lasting<Json> => {
      const what = [string(form.name) ?? 'calls of this kind'];
      return { suggestion: { allows: 'other', what, lasts: 'unknown' }, form };
    });
  return {
    request: {
      kind: 'tool',
      toolId: string(call.toolCallId),
      toolName: name,
      toolKind: kind,
      input,
      summary: summaryOf({ kind, name, input }, call),
      ...targets,
      title: string(call.title),
      suggestions: suggestionsOf(lasting),
    },
    reply(decision) {
      if (decision.type !== 'approve') return choose('reject_once', 'reject_always');
      const [always] = rememberedOf(decision, lasting);
      return always ? select(always.form) : choose('allow_once', 'allow_always');
    },
    cancelled: CANCELLED,
  };
}

function askForm({ message, requestedSchema, url, toolCallId }: Json): Ask {
  return {
    request: {
      kind: 'elicitation',
      toolId: string(toolCallId),
      title: string(message),
      answerSchema: requestedSchema,
      url: string(url),
    },
    reply(decision) {
      if (decision.type === 'deny') return { action: 'decline' };
      return { action: 'accept', content: decision.type === 'answer' ? decision.answers : {} };
    },
    cancelled: { action: 'cancel' },
  };
}

function select(choice: Json | undefined): Json {
  const { optionId } = choice ?? {};
  return optionId === undefined ? CANCELLED : { outcome: { outcome: 'selected', optionId } };
}

const CANCELLED: Json = { outcome: { outcome: 'cancelled' } };
