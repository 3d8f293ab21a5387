/** How much is done without being asked: what goes beyond the worker's own file is refused, whoever wants it. */
import type { Permission } from '../event/index.js';

/** From the least to the most. */
const LADDER: readonly Permission[] = ['deny', 'plan', 'ask', 'accept-edits', 'bypass'];

export function isPermission(word: string): word is Permission {
  return (LADDER as readonly string[]).includes(word);
}

/** What is not known may be anything. `bypass` is above everything: work that comes from elsewhere is never done unasked. */
export function isAbove(wanted: string, ceiling: Permission): boolean {
  return !isPermission(wanted) || wanted === 'bypass' || rank(wanted) > rank(ceiling);
}

export const least = (one: Permission, other: Permission): Permission => (rank(one) < rank(other) ? one : other);

const rank = (permission: Permission): number => LADDER.indexOf(permission);
