/** The lines that glassbox writes to this agent's stdin. */
import type { Action } from '../action.js';
import type { Json } from '../field.js';
import type { Ask } from './asks.js';

type Decision = Extract<Action, { type: 'approve' | 'deny' | 'answer' }>;

export const userLine = (text: string): string =>
  JSON.stringify({
    type: 'user',
    message: { role: 'user', content: text },
    parent_tool_use_id: null,
    session_id: '',
  });

export const controlRequest = (id: string, request: Json): string =>
  JSON.stringify({ type: 'control_request', request_id: id, request });

export const errorReply = (id: string, error: string): string =>
  JSON.stringify({ type: 'control_response', response: { subtype: 'error', request_id: id, error } });

export function answerTo(ask: Ask, decision: Decision): string {
  return JSON.stringify({
    type: 'control_response',
    response: { subtype: 'success', request_id: ask.id, response: answerBody(ask, decision) },
  });
}

function answerBody(ask: Ask, decision: Decision): Json {
  if (ask.kind === 'elicitation') return elicitationBody(decision);
  if (ask.kind === 'hook') return hookBody(ask, decision);
  if (decision.type === 'deny') {
    return { behavior: 'deny', message: decision.message, interrupt: decision.interrupt === true };
  }
  // An allow without `updatedInput` is refused by the agent, so the original is echoed (LL-04).
  if (decision.type === 'answer')
    return { behavior: 'allow', updatedInput: { ...ask.input, answers: decision.answers } };
  const body: Json = { behavior: 'allow', updatedInput: decision.input ?? ask.input };
  if (decision.remember === true && ask.suggestions.length > 0) body.updatedPermissions = ask.suggestions;
  return body;
}

function elicitationBody(decision: Decision): Json {
  if (decision.type === 'deny') return { action: 'decline' };
  return { action: 'accept', content: (decision.type === 'answer' ? decision.answers : decision.input) ?? {} };
}

function hookBody(ask: Ask, decision: Decision): Json {
  if (decision.type === 'answer') return decision.answers;
  if (decision.type === 'approve') return {};
  if (ask.hookEvent !== 'PreToolUse') return { decision: 'block', reason: decision.message };
  return {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: decision.message,
    },
  };
}
