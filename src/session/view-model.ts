/**
 * The conversation view model: five values to show and five actions, over runs that somebody else starts.
 *
 * It consumes the events, keeps the conversation and passes answers on; process, stdin and stdout stay with the run.
 * Approvals form a queue whose head is `pendingToolApproval`; each is answered once, and none is lost.
 */
import { type AgentEvent, type AnswerOf, type ErrorFacts, GlassboxError } from '../event/index.js';
import { refuseUnknown } from '../event/option.js';
import type { Approval } from './item.js';
import { reduce } from './reduce/reduce.js';
import { selectPendingApprovals } from './select/approval-queue.js';
import { type ConversationMessage, selectMessages } from './select/conversation-messages.js';
import { selectRun } from './select/select-run.js';
import { selectError } from './select/session-error.js';
import { initialState, type SessionState } from './state.js';

/** What the view model needs of a run handle. */
export interface ConversationRun {
  readonly events: AsyncIterable<AgentEvent>;
  /** These give back false when the request is no longer open. */
  approve(id: string, options?: AnswerOf<'approve'>): boolean;
  deny(id: string, message?: string): boolean;
  cancel(): void;
}

/** Starts a run; `resume` is the agent's session id to continue. May throw what the caller must hear. */
export type StartRun = (request: { prompt: string; resume?: string }) => ConversationRun | Promise<ConversationRun>;

export interface ConversationModel {
  readonly messages: readonly ConversationMessage[];
  /** The question to show now: the oldest one that nobody has answered. */
  readonly pendingToolApproval: Approval | undefined;
  /** From the start of a run to its last event. */
  readonly isProcessing: boolean;
  /** The agent's own id, to resume with. */
  readonly sessionId: string | undefined;
  readonly error: ErrorFacts | undefined;
  /** Everything else that is known. */
  readonly state: SessionState;

  /** Forgets the conversation and starts another. Resolves when the run has ended. Throws `conflict` while one is under way. */
  startSession(prompt: string): Promise<void>;
  /** Continues a conversation: the current one, unless another session id is given. */
  resumeSession(prompt: string, sessionId?: string): Promise<void>;
  /** False when the request is not, or no longer, open. */
  approveToolUse(requestId: string, options?: AnswerOf<'approve'>): boolean;
  /** Only what somebody chose: a view that closes a question leaves it open, and its time limit ends it. */
  denyToolUse(requestId: string, message?: string): boolean;
  cancel(): void;
  /** Calls back after every change, until the returned function is called. */
  subscribe(listener: () => void): () => void;
}

/** The conversation as five values and five actions, over runs that `start` starts. */
export function createConversation(start: StartRun): ConversationModel {
  const listeners = new Set<() => void>();
  let state = initialState;
  let run: ConversationRun | undefined;
  let isProcessing = false;
  let isCancelled = false;
  let failure: ErrorFacts | undefined;
  /** Answered here, although the run has not said so yet. */
  const answered = new Set<string>();

  const tell = (): void => {
    for (const listener of listeners) listener();
  };

  async function follow(request: { prompt: string; resume?: string }): Promise<void> {
    try {
      run = await start(request);
      if (isCancelled) run.cancel();
      for await (const event of run.events) {
        state = reduce(state, event);
        tell();
      }
    } catch (error) {
      failure = { category: 'unknown', message: messageOf(error) };
    } finally {
      run = undefined;
      isProcessing = false;
      tell();
    }
  }

  function begin(request: { prompt: string; resume?: string }, from: SessionState): Promise<void> {
    if (isProcessing) {
      throw new GlassboxError('conflict', 'The conversation has a run under way. Cancel it or wait for its end.');
    }
    state = from;
    failure = undefined;
    isProcessing = true;
    isCancelled = false;
    answered.clear();
    tell();
    return follow(request);
  }

  /** Once only: a second answer, or one to a question that is gone, changes nothing. */
  function settle(id: string, answer: (run: ConversationRun) => boolean): boolean {
    const isPending = selectPendingApprovals(state).some((approval) => approval.id === id) && !answered.has(id);
    if (run === undefined || !isPending || !answer(run)) return false;
    answered.add(id);
    tell();
    return true;
  }

  const sessionId = () => selectRun(state)?.sessionId;

  return {
    get messages() {
      return selectMessages(state);
    },
    get pendingToolApproval() {
      return selectPendingApprovals(state).find(({ id }) => !answered.has(id));
    },
    get isProcessing() {
      return isProcessing;
    },
    get sessionId() {
      return sessionId();
    },
    get error() {
      return failure ?? selectError(state);
    },
    get state() {
      return state;
    },
    startSession: async (prompt) => begin({ prompt }, initialState),
    async resumeSession(prompt, id = sessionId()) {
      if (id === undefined) throw new GlassboxError('not-found', 'There is no session to resume. Start one first.');
      return begin({ prompt, resume: id }, id === sessionId() ? state : initialState);
    },
    approveToolUse(id, options) {
      refuseUnknown('approveToolUse', options, { changes: true, remember: true });
      return settle(id, (current) => current.approve(id, options));
    },
    denyToolUse: (id, message = 'The user did not allow this.') => settle(id, (current) => current.deny(id, message)),
    cancel() {
      isCancelled = isProcessing;
      run?.cancel();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'The run could not be followed.';
}
