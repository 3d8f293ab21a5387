/** What Droid asks: permission for one or several calls at once, a plan, and questions. */
import { type AskedCall, defined, type Question, type Suggestion } from '../../event/index.js';
import type { Ask, Body } from '../chronicle/chronicle.js';
import { rememberedOf } from '../decision.js';
import { anyString, type Json, members, objects, string, strings } from '../field.js';
import { below, joinTargets } from '../target.js';
import { TOOLS } from './tools.js';

type Use = Json & { details: Json };

export function askFrom(method: string, params: Json): Ask | undefined {
  if (method === 'droid.request_permission') return askPermission(params);
  return method === 'droid.ask_user' ? askQuestions(params) : undefined;
}

function askPermission({ toolUses, options }: Json): Ask {
  const uses = objects(toolUses).map(
    ({ toolUse, details }): Use => ({ ...members(toolUse), details: members(details) }),
  );
  const lasting = objects(options)
    .filter(({ value }) => value === ALWAYS)
    .map(
      ({ label }): Suggestion => ({ allows: 'other', what: [string(label) ?? 'calls of this kind'], lasts: 'session' }),
    );
  return {
    request: { ...requestFor(uses), ...(lasting.length > 0 && { suggestions: lasting }) },
    reply(decision) {
      if (decision.type === 'deny') return CANCELLED;
      const always = rememberedOf(decision, lasting).length > 0;
      return { selectedOption: always ? ALWAYS : 'proceed_once' };
    },
    cancelled: CANCELLED,
  };
}

const ALWAYS = 'proceed_always';
const CANCELLED: Json = { selectedOption: 'cancel' };

/** Several calls are one question, and no rule about one tool may answer it for the others. */
function requestFor(uses: readonly Use[]): Omit<Body<'approval-request'>, 'id'> {
  const [use] = uses;
  if (!use || uses.length > 1) {
    const input = uses.map(({ name, input: each }) => ({ name, input: each }));
    const calls = uses.map(callOf);
    const toolName = calls.map((call) => call.toolName).join(' + ');
    return { kind: 'tool', toolName, toolKind: 'other', input, summary: toolName, calls, ...joinTargets(calls) };
  }
  const toolName = string(use.name) ?? 'tool';
  const input = members(use.input);
  const plan = string(use.details.plan) ?? string(input.plan);
  const about = { toolId: string(use.id), toolName, input: use.input, summary: TOOLS.summary(toolName, input) };
  if (toolName === 'ExitSpecMode') return { kind: 'plan', ...about, plan };
  const reason = string(use.details.riskLevelReason);
  return { kind: 'tool', ...about, toolKind: TOOLS.kind(toolName), reason, ...TOOLS.targets(toolName, use.input) };
}

function callOf({ id, name, input }: Use, index: number): AskedCall {
  const toolName = string(name) ?? 'tool';
  const targets = below(TOOLS.targets(toolName, input), index, 'input');
  return defined({ toolId: string(id), toolName, toolKind: TOOLS.kind(toolName), ...targets });
}

function askQuestions({ toolCallId, questions }: Json): Ask {
  const asked = objects(questions);
  return {
    request: { kind: 'question', toolId: string(toolCallId), questions: asked.map(questionOf) },
    reply(decision) {
      if (decision.type !== 'answer') return { cancelled: true, answers: [] };
      const answers = asked.map(({ index, question }) => {
        const answer = decision.answers[anyString(question) ?? ''];
        return { index, question, answer: Array.isArray(answer) ? answer.join(', ') : String(answer ?? '') };
      });
      return { cancelled: false, answers };
    },
    cancelled: { cancelled: true, answers: [] },
  };
}

function questionOf({ question, topic, options, multiSelect }: Json): Question {
  const labels = strings(options) ?? [];
  return defined({
    question: anyString(question) ?? '',
    header: string(topic),
    options: labels.map((label) => ({ label })),
    multiple: multiSelect === true ? true : undefined,
  });
}
