/** Faults: shown where they happened, and counted. */
import { type EventOf, lineCount } from '../../event/index.js';
import { isStallCode } from '../select/health.js';
import type { Counters, UnknownKind } from '../state.js';
import { account } from './account.js';
import { keep } from './copy.js';
import { type ReduceContext, show } from './reduce-context.js';

/** A stream of nonsense must not grow the list of its kinds without end. */
const MOST_UNKNOWN_KINDS = 64;

export function noteError(context: ReduceContext, event: EventOf<'agent-error'>): void {
  context.run.error = keep(event);
  show(context, event);
}

export function countDecodeError(context: ReduceContext, event: EventOf<'decode-error'>): void {
  count(context, { decodeErrors: context.run.counters.decodeErrors + lineCount(event) });
  show(context, event);
}

export function noteWarning(context: ReduceContext, event: EventOf<'warning'>): void {
  count(context, { warnings: context.run.counters.warnings + 1 });
  if (isStallCode(event.code)) context.run.stall = keep(event);
  show(context, event);
}

export function noteGap(context: ReduceContext, event: EventOf<'gap'>): void {
  count(context, { lost: context.run.counters.lost + (Math.max(0, event.to - event.from + 1) || 0) });
  account(context, event);
  show(context, event);
}

export function countUnknown(context: ReduceContext, event: EventOf<'unknown'>): void {
  const { wireType = '', wireSubtype, field } = event;
  const kind = { wireType, wireSubtype, ...(field !== undefined && { field }) };
  count(context, { unknown: countKind(context.run.counters.unknown, kind, lineCount(event)) });
}

function count({ run }: ReduceContext, changed: Partial<Counters>): void {
  run.counters = { ...run.counters, ...changed };
}

function countKind(kinds: Counters['unknown'], kind: Omit<UnknownKind, 'count'>, more: number): Counters['unknown'] {
  const at = kinds.findIndex(
    ({ wireType, wireSubtype, field }) =>
      wireType === kind.wireType && wireSubtype === kind.wireSubtype && field === kind.field,
  );
  const known = kinds[at];
  if (known) return kinds.with(at, { ...known, count: known.count + more });
  const isOther = kind.wireType === 'other' && kind.wireSubtype === undefined;
  if (kinds.length >= MOST_UNKNOWN_KINDS && !isOther) return countKind(kinds, { wireType: 'other' }, more);
  return [...kinds, { ...kind, count: more }];
}
