/** What Droid asks: permission for one or several calls at once, a plan, and questions. */
import type { Question } from '../../event/index.js';
import type { Body } from '../chronicle.js';
import type { Decision } from '../decision.js';
import { anyString, type Json, members, objects, string, strings } from '../field.js';
import { kindOf, summaryOf } from './tool.js';

export interface Ask {
  request: Omit<Body<'approval-request'>, 'id'>;
  reply(decision: Decision): Json;
  /** The answer when the turn is interrupted before anybody decided. */
  cancelled: Json;
  toolIds: string[];
}

type Use = Json & { details: Json };

export function askFrom(method: string, params: Json): Ask | undefined {
  if (method === 'droid.request_permission') return askPermission(params);
  return method === 'droid.ask_user' ? askQuestions(params) : undefined;
}

function askPermission({ toolUses, options }: Json): Ask {
  const uses = objects(toolUses).map(
    ({ toolUse, details }): Use => ({ ...members(toolUse), details: members(details) }),
  );
  const lasting = objects(options).filter(({ value }) => value === ALWAYS);
  return {
    request: { ...requestFor(uses), ...(lasting.length > 0 && { suggestions: lasting }) },
    reply(decision) {
      if (decision.type === 'deny') return CANCELLED;
      const always = decision.type === 'approve' && decision.remember === true && lasting.length > 0;
      return { selectedOption: always ? ALWAYS : 'proceed_once' };
    },
    cancelled: CANCELLED,
    toolIds: uses.flatMap(({ id }) => string(id) ?? []),
  };
}

const ALWAYS = 'proceed_always';
const CANCELLED: Json = { selectedOption: 'cancel' };

/** Several calls are one question, and no rule about one tool may answer it for the others. */
function requestFor(uses: readonly Use[]): Omit<Body<'approval-request'>, 'id'> {
  const [use] = uses;
  if (!use || uses.length > 1) {
    const input = uses.map(({ name, input: each }) => ({ name, input: each }));
    const toolName = uses.map(({ name }) => anyString(name) ?? 'tool').join(' + ');
    return { kind: 'tool', toolName, toolKind: 'other', input, summary: toolName };
  }
  const toolName = string(use.name) ?? 'tool';
  const input = members(use.input);
  const plan = string(use.details.plan) ?? string(input.plan);
  const about = { toolId: string(use.id), toolName, input: use.input, summary: summaryOf(input) };
  if (toolName === 'ExitSpecMode') return { kind: 'plan', ...about, plan };
  return { kind: 'tool', ...about, toolKind: kindOf(toolName), reason: string(use.details.riskLevelReason) };
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
    toolIds: [],
  };
}

function questionOf({ question, topic, options, multiSelect }: Json): Question {
  const labels = strings(options) ?? [];
  return {
    question: anyString(question) ?? '',
    header: string(topic),
    options: labels.map((label) => ({ label })),
    multiple: multiSelect === true ? true : undefined,
  };
}
