/** The approvals that wait: each is answered once, by a rule, a person or the clock, with its input unharmed. */
import type { Action } from '../../agent/index.js';
import { type Answer, applyChanges, type Decider, type Draft, defined, GlassboxError } from '../../event/index.js';
import { type Deadline, setDeadline } from '../limit/deadline.js';
import { checkAnswer } from './answer.js';
import { judge, NOBODY, type Policy } from './policy.js';
import type { ApprovalRequest, Asked } from './rule.js';

export interface PendingApprovals {
  /** Sees drafts before the guard, and keeps what an answer must echo. */
  peek(draft: Draft): void;
  request(event: ApprovalRequest): void;
  /** Answered, or taken back by the agent. */
  settle(id: string): void;
  /** False when the request is no longer open. Throws when the answer makes no sense. */
  decide(id: string, answer: Answer, decider: Decider): boolean;
  /** A question of the run itself; false when it is denied, withdrawn or nobody is there. */
  ask(question: { title: string; description: string; turn: number }): Promise<boolean>;
  pending(): ApprovalRequest[];
  /** Everybody who could answer has left. */
  nobodyLeft(): void;
  close(): void;
}

export interface PendingApprovalOptions {
  policy: Policy;
  canEditInput: boolean;
  /** After this a request is denied; 0 waits for ever. */
  timeoutMs: number;
  isAttended(): boolean;
  act(action: Action): void;
  emit(draft: Draft): void;
}

interface Pending {
  request: ApprovalRequest;
  timer: Deadline | undefined;
  /** Set for a question of the run itself. */
  decide: ((approved: boolean) => void) | undefined;
}

export function createPendingApprovals(options: PendingApprovalOptions): PendingApprovals {
  const { policy, canEditInput, timeoutMs, isAttended, act, emit } = options;
  /** As they were before the guard. */
  const drafts = new Map<string, Asked>();
  const pending = new Map<string, Pending>();
  const questions = new Map<string, (approved: boolean) => void>();
  let asked = 0;

  function settle(id: string): void {
    const open = pending.get(id);
    pending.delete(id);
    drafts.delete(id);
    open?.timer?.cancel();
  }

  function decide(id: string, answer: Answer, decider: Decider): boolean {
    checkAnswer(answer);
    const open = pending.get(id);
    if (!open) return false;
    const input = changedInput(open.request, answer);
    settle(id);
    if (open.decide) resolveOwn(open, answer, decider);
    else act({ ...answer, ...decider, id, ...(input && { input: input.value }) });
    return true;
  }

  /** The whole input as it was changed; absent when it was not. */
  function changedInput({ id, suggestions = [] }: ApprovalRequest, answer: Answer): { value: unknown } | undefined {
    if (answer.type !== 'approve') return undefined;
    if (answer.remember?.some((position) => position >= suggestions.length)) {
      throw new GlassboxError('invalid-request', 'There is no such suggestion to remember.');
    }
    if (!answer.changes) return undefined;
    if (!canEditInput) throw new GlassboxError('unsupported-capability', 'This agent takes no changed input.');
    const changed = applyChanges(drafts.get(id)?.input, answer.changes);
    if (!changed) throw new GlassboxError('invalid-request', 'A change names a field that the input does not have.');
    return changed;
  }

  function resolveOwn({ request, decide }: Pending, answer: Answer, decider: Decider): void {
    const isDenied = answer.type === 'deny';
    const decision = isDenied ? 'deny' : 'allow';
    const message = isDenied ? answer.message : undefined;
    emit(defined({ type: 'approval-resolve', id: request.id, decision, ...decider, message, ...ours(request) }));
    decide?.(!isDenied);
  }

  const deny = (id: string, message: string, decider: Decider) => decide(id, { type: 'deny', message }, decider);
  const denyUnattended = (id: string) => deny(id, NOBODY, { by: 'nobody' });

  return {
    peek(draft) {
      if (draft.type === 'approval-request') drafts.set(draft.id, draft);
    },
    request(event) {
      const { id } = event;
      const decideOwn = questions.get(id);
      questions.delete(id);
      const timer = timeoutMs > 0 ? setDeadline(() => deny(id, LATE, { by: 'timeout' }), timeoutMs) : undefined;
      pending.set(id, { request: event, timer, decide: decideOwn });
      const verdict = decideOwn ? ASK : judge(policy, drafts.get(id) ?? event);
      if (verdict.decision === 'allow') decide(id, { type: 'approve' }, { by: 'rule', rule: verdict.rule });
      else if (verdict.decision === 'deny') deny(id, verdict.message, { by: 'rule', rule: verdict.rule });
      else if (!isAttended()) denyUnattended(id);
    },
    settle,
    decide,
    ask({ title, description, turn }) {
      asked += 1;
      const id = `glassbox-ask-${asked}`;
      return new Promise((resolve) => {
        questions.set(id, resolve);
        emit({ type: 'approval-request', id, kind: 'other', title, description, ...ours({ turn }) });
      });
    },
    pending: () => [...pending.values()].map(({ request }) => request),
    nobodyLeft() {
      for (const id of [...pending.keys()]) denyUnattended(id);
    },
    close() {
      for (const [id, { request, decide }] of [...pending]) {
        settle(id);
        if (!decide) continue;
        emit({ type: 'approval-withdraw', id, why: 'exit', ...ours(request) });
        decide(false);
      }
    },
  };
}

const ASK = { decision: 'ask' } as const;
const LATE = 'Denied: nobody answered in time.';

/** Said by the run itself, not by the agent. */
function ours({ turn }: { turn: number }) {
  return { turn, source: 'synthetic' } as const;
}
