import type { ToolKind } from './tool.js';

export type ApprovalKind = 'tool' | 'plan' | 'question' | 'elicitation' | 'hook' | 'other';

/** One question of the agent to a person. */
export interface Question {
  question: string;
  header?: string;
  options?: { label: string; description?: string }[];
  multiple?: boolean;
}

export type ApprovalDraft =
  /** The agent waits for somebody. Followed by exactly one `approval-resolve` or `approval-withdraw` with the same `id`. */
  | {
      type: 'approval-request';
      id: string;
      kind: ApprovalKind;
      toolId?: string;
      toolName?: string;
      toolKind?: ToolKind;
      input?: unknown;
      /** One line for people. */
      summary?: string;
      title?: string;
      description?: string;
      /** Why the agent asks. */
      reason?: string;
      blockedPath?: string;
      /** What "always" would mean, in the agent's own form; `remember` sends them back untouched. */
      suggestions?: unknown[];
      questions?: Question[];
      plan?: string;
      /** JSON schema of the answer (elicitations). */
      answerSchema?: unknown;
      url?: string;
    }
  | {
      type: 'approval-resolve';
      id: string;
      decision: 'allow' | 'allow-always' | 'deny' | 'answer';
      by: DecidedBy;
      /** Which rule decided, when `by` is `rule`. */
      rule?: string;
      message?: string;
      /** The input that was allowed differs from the one that was asked for. */
      changedInput?: unknown;
    }
  | { type: 'approval-withdraw'; id: string; why: 'agent' | 'interrupt' | 'exit' }
  /** A tool call was refused without asking, or the agent reports a refusal afterwards. */
  | { type: 'permission-deny'; toolName: string; toolId?: string; message?: string };

export type DecidedBy = 'person' | 'rule' | 'timeout';
