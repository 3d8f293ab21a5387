import type { DecidedBy } from '../event/index.js';

interface Decided {
  id: string;
  by: DecidedBy;
  /** The rule that decided, when `by` is `rule`. */
  rule?: string;
}

/** What a person, a rule or the run itself can tell an agent. */
export type Action =
  | { type: 'say'; text: string }
  /** `input` replaces the asked-for input; `remember` also accepts the agent's own suggestions for the future. */
  | ({ type: 'approve'; input?: unknown; remember?: boolean } & Decided)
  /** `interrupt` also ends the turn. */
  | ({ type: 'deny'; message: string; interrupt?: boolean } & Decided)
  /** Answers to questions by question text, or the fields of an elicitation. */
  | ({ type: 'answer'; answers: Record<string, unknown> } & Decided)
  | { type: 'interrupt' }
  | { type: 'set-permission'; mode: string }
  | { type: 'set-model'; model: string };
