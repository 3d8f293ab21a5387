import type { Changes, DecidedBy, Decider } from './answer.js';
import type { AskedCall, Targets } from './target.js';
import type { ToolKind } from './tool.js';

export type ApprovalKind = 'tool' | 'plan' | 'question' | 'elicitation' | 'hook' | 'other';

/** One question of the agent to a person. */
export interface Question {
  question: string;
  header?: string;
  options?: { label: string; description?: string }[];
  multiple?: boolean;
  /** What is answered is typed unseen and never kept. */
  secret?: boolean;
}

/** One thing that "always" could mean, in neutral words; the agent's folder keeps the agent's own form of it. The narrowest comes first. */
export interface Suggestion {
  allows: 'command' | 'tool' | 'path' | 'directory' | 'host' | 'mode' | 'other';
  /** Which ones: patterns, names, paths. */
  what: string[];
  lasts: 'session' | 'project' | 'user' | 'unknown';
  /** The file that it is written to, where the agent tells or is known to write it. */
  file?: string;
}

/** How one file would change, against the file as it was when the question was asked. Made by the run that owns the agent. */
export interface Difference {
  path: string;
  /** Why nothing is shown: the file is outside the run's directories, too big, not text, not found where the edit says. */
  notShown?: string;
  /** The file does not exist yet. */
  created?: boolean;
  deleted?: boolean;
  /** Where a moved file goes. */
  to?: string;
  /** What no line shows, in sentences: line endings, a newline at the end, that nothing changes. */
  remarks?: string[];
  hunks: DifferenceHunk[];
}

/** Lines begin with ` `, `+` or `-`, as in a unified diff; numbers count from 1 and are true. */
export interface DifferenceHunk {
  oldStart: number;
  newStart: number;
  lines: string[];
}

export type ApprovalDraft =
  /** The agent waits for somebody. Followed by exactly one `approval-resolve` or `approval-withdraw` with the same `id`. */
  | (Targets & {
      type: 'approval-request';
      id: string;
      kind: ApprovalKind;
      toolId?: string;
      toolName?: string;
      toolKind?: ToolKind;
      /** Where one question is about several calls; the other fields are about all of them together. */
      calls?: AskedCall[];
      input?: unknown;
      /** One line for people. */
      summary?: string;
      title?: string;
      description?: string;
      /** Why the agent asks. */
      reason?: string;
      blockedPath?: string;
      /** The agent's own name for what shall be called back (hooks). */
      callback?: string;
      /** What "always" could mean, the narrowest first; `remember` names the accepted ones by their position. */
      suggestions?: Suggestion[];
      questions?: Question[];
      plan?: string;
      /** JSON schema of the answer (elicitations). */
      answerSchema?: unknown;
      url?: string;
      /** Where it would happen, where the agent or the run tells. */
      directory?: string;
      /** Those of `paths` that lead out of the directories that the agent was given, links resolved. Told by the run that owns the agent. */
      outside?: string[];
      /** Those of `paths` that are files with a second name (a hard link), which may be anywhere. Told by the run that owns the agent. */
      linked?: string[];
      /** Other sessions that work in the same folder now. Told by the run that owns the agent. */
      alsoHere?: string[];
      /** What is withheld of the command, of what would be written or of another input as a secret is more than a word of it, so that nobody can read what would be done. Told by the run that owns the agent. */
      hidesWords?: true;
      /** How files would change, as the person who decides is shown it. */
      differences?: Difference[];
    })
  /** What was decided, by whom or by which rule. `unknown` where the stream does not show the answer. */
  | {
      type: 'approval-resolve';
      id: string;
      decision: 'allow' | 'allow-always' | 'deny' | 'answer' | 'unknown';
      by: DecidedBy;
      who?: string;
      host?: string;
      via?: Decider['via'];
      /** Which rule decided, when `by` is `rule`. */
      rule?: string;
      /** Why it was denied; what was answered, where the stream has only words for it. */
      message?: string;
      /** What was answered: by question text, or the fields of an elicitation; fields that its schema marks as passwords are left out. */
      answers?: Readonly<Record<string, unknown>>;
      /** How the person edited the input before allowing it. */
      changes?: Changes;
      /** Which suggestions were accepted for the future. */
      remembered?: Suggestion[];
    }
  /** Nobody need decide any more: the agent took the question back, was interrupted or is gone. */
  | { type: 'approval-withdraw'; id: string; why: 'agent' | 'interrupt' | 'exit' }
  /** A tool call was refused without asking, or the agent reports a refusal afterwards. */
  | { type: 'permission-deny'; toolName: string; toolId?: string; message?: string };
