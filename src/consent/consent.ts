/** One question of an agent as a person reads it. Every view draws this and makes no words of its own. */
import type { DraftOf, EventOf } from '../event/index.js';
import type { Around } from './around.js';
import { type Fact, factsAround, factsOf } from './fact.js';
import { type Part, partsOf } from './part.js';
import { type Scope, scopesOf } from './scope.js';
import { titleOf } from './title.js';
import { showUnseen } from './unseen.js';
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

export function consentFor(request: ApprovalRequest, around: Around = {}): Consent {
  const missing = missingOf(request);
  const facts = [...factsAround(around), ...factsOf(request)];
  return {
    title: showUnseen(titleOf(request)),
    facts: facts.sort(warningsFirst).map((fact) => ({ ...fact, text: showUnseen(fact.text) })),
    parts: partsOf(request).map(seenPart),
    always: scopesOf(request).map((scope) => ({ ...scope, text: showUnseen(scope.text) })),
    ...(missing !== undefined && { missing }),
  };
}

function seenPart(part: Part): Part {
  return part.kind === 'difference' || part.kind === 'prose' ? part : { ...part, text: showUnseen(part.text) };
}

const warningsFirst = (one: Fact, other: Fact) => Number(other.isWarning ?? false) - Number(one.isWarning ?? false);

/** Who wants what, as a sentence without its end: "k7qd wants to run a command". */
export function sentenceFor(request: ApprovalRequest, who: readonly string[]): string {
  const title = titleOf(request);
  const isForPerson = request.kind === 'question' || request.kind === 'elicitation';
  const [last = '', ...others] = [...who].reverse();
  const names = others.length === 0 ? last : `${others.reverse().join(', ')} and ${last}`;
  const wish = `${who.length > 1 ? 'want' : 'wants'} ${isForPerson ? 'you ' : ''}to`;
  return `${names} ${wish} ${title.charAt(0).toLowerCase()}${title.slice(1)}`;
}

/** The same in one line, for lists and notifications. */
export function lineFor(request: DraftOf<'approval-request'>): string {
  const { command, questions, kind, title } = request;
  const about = command ?? questions?.[0]?.question ?? (kind === 'elicitation' ? title : undefined);
  const [first] = about?.trim().split('\n', 1) ?? [];
  return showUnseen([titleOf(request), first].filter(Boolean).join(': '));
}
