/**
 * One question that a hook brought: asked in the run that follows its session, answered once, by a rule or a person, or given up when it
 * was answered elsewhere. Whatever is not certain is left to the agent's own dialog.
 */
import type { Agent } from '../agent/agent.js';
import { resolutionOf } from '../agent/decision.js';
import type { HookCall } from '../agent/hooks.js';
import { redactText } from '../decode/index.js';
import {
  type AgentEvent,
  type Answer,
  type Decider,
  type Draft,
  type DraftOf,
  defined,
  GlassboxError,
} from '../event/index.js';
import { addHostFacts } from '../run/approval/host-facts.js';
import { createPendingApprovals, type PendingApprovals } from '../run/approval/pending-approvals.js';
import { judge, type Policy } from '../run/approval/policy.js';
import type { HookConnection } from './listener.js';

export interface Question {
  readonly id: string;
  readonly agent: Agent;
  readonly asked: HookCall;
  readonly request: DraftOf<'approval-request'>;
  /** What a rule says; `ask` leaves it to a person. */
  readonly verdict: 'allow' | 'deny' | 'ask';
  /** Aborted once it is answered or left. */
  readonly settled: AbortSignal;
  /** From now on it can be answered; a rule does so at once. */
  begin(): void;
  /** False when it is too late. Throws when the answer makes no sense. */
  decide(answer: Answer, from: Decider): boolean;
  /** Leaves it to the agent, with what is known of how it went on. */
  leave(ending: Ending): void;
  /** What is to be written once whoever decided knows that it was first. */
  takeEnding(): Draft | undefined;
}

/** `shown`: what happened shows how it was answered. `unknown`: it was, and nobody saw how. Else nobody will. */
export type Ending = 'shown' | 'unknown' | 'agent' | 'exit';

export interface Asking {
  id: string;
  agent: Agent;
  asked: HookCall;
  answer: NonNullable<HookCall['answer']>;
  connection: HookConnection;
  policy: Policy;
  turn: number;
  toolId: string | undefined;
}

export function createQuestion({ id, agent, asked, answer, connection, policy, turn, toolId }: Asking): Question {
  const bare = defined<DraftOf<'approval-request'>>({
    ...asked.call?.request,
    kind: asked.call?.request.kind ?? 'other',
    type: 'approval-request',
    id,
    toolId,
    turn,
    source: 'hook',
  });
  const { decision: verdict } = judge(policy, bare);
  const request = addHostFacts(bare, { ...policy, redact: (text) => redactText(text), isAsked: verdict === 'ask' });
  const settled = new AbortController();
  let ending: Draft | undefined;

  const approvals: PendingApprovals = createPendingApprovals({
    policy,
    canEditInput: true,
    timeoutMs: 0,
    isAttended: () => true,
    act(action) {
      if (action.type !== 'approve' && action.type !== 'deny' && action.type !== 'answer') return;
      connection.end(answer(action));
      ending = defined<Draft>({ type: 'approval-resolve', ...resolutionOf(action, request), turn, source: 'hook' });
      settled.abort();
    },
    emit() {},
  });
  approvals.peek(request);

  return {
    id,
    agent,
    asked,
    request,
    verdict,
    settled: settled.signal,
    begin: () => approvals.request(request as Draft as Extract<AgentEvent, { type: 'approval-request' }>),
    decide(said, from) {
      if (settled.signal.aborted || connection.gone.aborted) return false;
      // The agent would go on asking, and here nobody would know.
      if (request.kind === 'question' && said.type === 'approve') {
        throw new GlassboxError('invalid-request', 'This is a question: answer it, or deny it.');
      }
      return approvals.decide(id, said, from);
    },
    leave(how) {
      if (settled.signal.aborted) return;
      approvals.settle(id);
      connection.end();
      const decision = how === 'unknown' ? 'unknown' : request.kind === 'question' ? 'answer' : 'allow';
      const context = { id, turn, source: 'hook' } as const;
      if (how === 'shown' || how === 'unknown')
        ending = { type: 'approval-resolve', decision, by: 'unknown', ...context };
      else ending = { type: 'approval-withdraw', why: how, ...context };
      settled.abort();
    },
    takeEnding() {
      const taken = ending;
      ending = undefined;
      return taken;
    },
  };
}
