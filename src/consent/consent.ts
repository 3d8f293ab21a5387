/** One question of an agent as a person reads it. Every view draws this and makes no words of its own. */
import type { DraftOf, EventOf } from '../event/index.js';
import { type Fact, factsOf } from './fact.js';
import { type Part, partsOf } from './part.js';
import { type Scope, scopesOf } from './scope.js';
import { titleOf } from './title.js';
import { missingOf } from './whole.js';

export type ApprovalRequest = EventOf<'approval-request'>;

export interface Consent {
  /** What is asked, as a sentence without its end: "Run a command". */
  title: string;
  /** What one should know besides, the weightiest first. */
  facts: Fact[];
  /** What has to be read before it is allowed, to its end. */
  parts: Part[];
  /** What "always" could mean, the narrowest first. */
  always: Scope[];
  /** Why it cannot be allowed by whoever reads this: not all of it is here. */
  missing?: string;
}

export function consentFor(request: ApprovalRequest): Consent {
  const missing = missingOf(request);
  return {
    title: titleOf(request),
    facts: factsOf(request),
    parts: partsOf(request),
    always: scopesOf(request),
    ...(missing !== undefined && { missing }),
  };
}

/** The same in one line, for lists and notifications. */
export function lineFor(request: DraftOf<'approval-request'>): string {
  const { command, questions, kind, title } = request;
  const about = command ?? questions?.[0]?.question ?? (kind === 'elicitation' ? title : undefined);
  const [first] = about?.trim().split('\n', 1) ?? [];
  return [titleOf(request), first].filter(Boolean).join(': ');
}
