/** A rule of a user is refused before it meets any text when it is no expression, or one that a text could make slow. */
import { GlassboxError } from '../event/index.js';
import { prefixOf } from './pattern.js';
import { LOOK_BACK, MAX_OPEN, type Rule } from './rule.js';
import { worstCase } from './worst-case.js';

/** At one place of a text; such rules are tried at every place. */
const MAX_STEPS = 2_000;

export function checkRule(rule: Rule): void {
  const { name, before, match, rest, piece, until } = rule;
  // What is tried while a text arrives must be an expression that can be counted too.
  const sources = [match, rest, piece, until].flatMap((source) =>
    source === undefined ? [] : [source, prefixOf(source)],
  );
  const faults = sources.map((source) => faultOf(source, MAX_OPEN));
  const why = faultOf(before, LOOK_BACK, true) ?? faults.find((fault) => fault !== undefined);
  if (why !== undefined) throw new GlassboxError('invalid-request', `The guard's rule ${name} cannot be used: ${why}.`);
}

function faultOf(source: string | undefined, longest: number, back = false): string | undefined {
  if (source === undefined) return undefined;
  const cost = costOf(source, back);
  if (!cost) return 'it must be a valid expression without capturing groups and references back';
  if (cost.length > longest)
    return `it must be bounded, with at most ${longest} characters; write {1,40} for + and {0,40} for *, and leave what follows to rest`;
  if (cost.steps > MAX_STEPS)
    return `a text could make it take ${cost.steps} steps at one place, more than ${MAX_STEPS}; let neighbours that repeat have no character in common`;
  return undefined;
}

function costOf(source: string, back: boolean) {
  try {
    // With an empty alternative it always matches, and shows how many groups there are.
    const groups = new RegExp(`${source}|`).exec('')?.length;
    return groups === 1 ? worstCase(source, { back }) : undefined;
  } catch {
    return undefined;
  }
}
