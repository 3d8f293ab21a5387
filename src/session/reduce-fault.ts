/** Faults: shown where they happened, and counted. */
import type { EventOf } from '../event/index.js';
import { keep } from './copy.js';
import { isStallCode } from './health.js';
import { type Scene, show } from './scene.js';
import type { Counters, UnknownKind } from './state.js';

/** A stream of nonsense must not grow the list of its kinds without end. */
const MOST_UNKNOWN_KINDS = 64;

export function noteError(scene: Scene, event: EventOf<'agent-error'>): void {
  scene.run.error = keep(event);
  show(scene, event);
}

export function countDecodeError(scene: Scene, event: EventOf<'decode-error'>): void {
  count(scene, { decodeErrors: scene.run.counters.decodeErrors + 1 });
  show(scene, event);
}

export function noteWarning(scene: Scene, event: EventOf<'warning'>): void {
  count(scene, { warnings: scene.run.counters.warnings + 1 });
  if (isStallCode(event.code)) scene.run.stall = keep(event);
  show(scene, event);
}

export function noteGap(scene: Scene, event: EventOf<'gap'>): void {
  count(scene, { lost: scene.run.counters.lost + (Math.max(0, event.to - event.from + 1) || 0) });
  show(scene, event);
}

export function countUnknown(scene: Scene, { wireType = '', wireSubtype, field }: EventOf<'unknown'>): void {
  const kind = { wireType, wireSubtype, ...(field !== undefined && { field }) };
  count(scene, { unknown: countKind(scene.run.counters.unknown, kind) });
}

function count({ run }: Scene, changed: Partial<Counters>): void {
  run.counters = { ...run.counters, ...changed };
}

function countKind(kinds: Counters['unknown'], kind: Omit<UnknownKind, 'count'>): Counters['unknown'] {
  const at = kinds.findIndex(
    ({ wireType, wireSubtype, field }) =>
      wireType === kind.wireType && wireSubtype === kind.wireSubtype && field === kind.field,
  );
  const known = kinds[at];
  if (known) return kinds.with(at, { ...known, count: known.count + 1 });
  const isOther = kind.wireType === 'other' && kind.wireSubtype === undefined;
  if (kinds.length >= MOST_UNKNOWN_KINDS && !isOther) return countKind(kinds, { wireType: 'other' });
  return [...kinds, { ...kind, count: 1 }];
}
