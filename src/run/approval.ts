/** The desk where approvals wait: each is answered once, by a rule, a person or the clock, with its input unharmed (decision 8). */
import type { Action } from '../agent/index.js';
import { type DecidedBy, type Draft, GlassboxError } from '../event/index.js';
import { applyChanges, type Changes } from './change.js';
import { judge, NOBODY, type Policy } from './policy.js';
import type { ApprovalRequest } from './rule.js';

export interface ApproveOptions {
  /** Changes to the input by JSON Pointer; everything else is echoed exactly as the agent asked. */
  changes?: Changes;
  /** Also accept the agent's own suggestions, so that it does not ask for the like again. */
  remember?: boolean;
}

export interface DenyOptions {
  /** Also end the turn. */
  interrupt?: boolean;
}

export interface ApprovalDesk {
  /** Sees drafts before the guard, and keeps what an answer must echo. */
  peek(draft: Draft): void;
  request(event: ApprovalRequest): void;
  /** Answered, or taken back by the agent. */
  settle(id: string): void;
  /** These give back false when the request is no longer open. */
  approve(id: string, options?: ApproveOptions): boolean;
  deny(id: string, message?: string, options?: DenyOptions): boolean;
  answer(id: string, answers: Record<string, unknown>): boolean;
  /** A question of the run itself; false when it is denied, withdrawn or nobody is there. */
  ask(question: { title: string; description: string; turn: number }): Promise<boolean>;
  pending(): ApprovalRequest[];
  /** Everybody who could answer has left. */
  nobodyLeft(): void;
  close(): void;
}

export interface DeskOptions {
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
  timer: NodeJS.Timeout | undefined;
  /** Set for a question of the run itself. */
  decide: ((approved: boolean) => void) | undefined;
}

export function createApprovalDesk(options: DeskOptions): ApprovalDesk {
  const { policy, canEditInput, timeoutMs, isAttended, act, emit } = options;
  const inputs = new Map<string, unknown>();
  const pending = new Map<string, Pending>();
  const questions = new Map<string, (approved: boolean) => void>();
  let asked = 0;

  function settle(id: string): void {
    const open = pending.get(id);
    pending.delete(id);
    inputs.delete(id);
    clearTimeout(open?.timer);
  }

  type Answer = Extract<Action, { type: 'approve' | 'deny' | 'answer' }>;

  function decide(answer: Answer): boolean {
    const open = pending.get(answer.id);
    if (!open) return false;
    settle(answer.id);
    if (open.decide) resolveOwn(open, answer);
    else act(answer);
    return true;
  }

  function resolveOwn({ request, decide }: Pending, answer: Answer): void {
    const { id, by } = answer;
    const denied = answer.type === 'deny';
    const said = denied ? { message: answer.message } : {};
    emit({ type: 'approval-resolve', id, by, decision: denied ? 'deny' : 'allow', ...said, ...ours(request) });
    decide?.(!denied);
  }

  function deny(id: string, by: DecidedBy, message: string, rule?: string): boolean {
    return decide({ type: 'deny', id, by, message, ...(rule !== undefined && { rule }) });
  }

  const denyUnattended = (id: string) => deny(id, 'rule', NOBODY.message, NOBODY.rule);

  return {
    peek(draft) {
      if (draft.type === 'approval-request') inputs.set(draft.id, draft.input);
    },
    request(event) {
      const { id } = event;
      const decideOwn = questions.get(id);
      questions.delete(id);
      const timer = timeoutMs > 0 ? setTimeout(() => deny(id, 'timeout', LATE), timeoutMs) : undefined;
      pending.set(id, { request: event, timer, decide: decideOwn });
      const verdict = decideOwn ? ASK : judge(policy, event, inputs.get(id));
      if (verdict.decision === 'allow') decide({ type: 'approve', id, by: 'rule', rule: verdict.rule });
      else if (verdict.decision === 'deny') deny(id, 'rule', verdict.message, verdict.rule);
      else if (!isAttended()) denyUnattended(id);
    },
    settle,
    approve(id, { changes, remember } = {}) {
      if (!changes) return decide({ type: 'approve', id, by: 'person', ...(remember && { remember }) });
      if (!canEditInput) throw new GlassboxError('unsupported-capability', 'This agent takes no changed input.');
      const changed = applyChanges(inputs.get(id), changes);
      if (!changed) throw new GlassboxError('invalid-request', 'A change names a field that the input does not have.');
      return decide({ type: 'approve', id, by: 'person', input: changed.value, ...(remember && { remember }) });
    },
    deny(id, message = 'Denied by the user.', { interrupt } = {}) {
      return decide({ type: 'deny', id, by: 'person', message, ...(interrupt && { interrupt }) });
    },
    answer: (id, answers) => decide({ type: 'answer', id, by: 'person', answers }),
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
