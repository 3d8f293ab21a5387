import type { Answer, Decider } from '../event/index.js';
import type { Said } from './attachment.js';

/** Somebody's answer to the request with this `id`; `input` is the whole one with the answer's changes, where it has any. */
export type Decision = Answer & Decider & { id: string; input?: unknown };

/** What a person, a rule or the run itself can tell an agent. */
export type Action =
  | ({ type: 'say' } & Said)
  | Decision
  | { type: 'interrupt' }
  | { type: 'set-permission'; mode: string }
  | { type: 'set-model'; model: string };
