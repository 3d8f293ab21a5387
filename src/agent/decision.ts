/** What somebody decided about a question of the agent, as the event that tells everybody. */
import type { Action } from './action.js';
import type { Body } from './chronicle.js';

export type Decision = Extract<Action, { type: 'approve' | 'deny' | 'answer' }>;

export function resolutionOf(decision: Decision): Body<'approval-resolve'> {
  const { id, by, rule } = decision;
  if (decision.type === 'deny') return { id, by, rule, decision: 'deny', message: decision.message };
  if (decision.type === 'answer') return { id, by, rule, decision: 'answer' };
  return { id, by, rule, decision: decision.remember === true ? 'allow-always' : 'allow' };
}
