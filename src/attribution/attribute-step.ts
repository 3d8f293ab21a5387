/** Who made what became of a file between two moments: by the edits that were told, where they explain it, and else only what is proved. */
import type { Maker, Step, Unknown } from './maker.js';
import { makerKey } from './maker.js';
import { follow, type MadeText, replay } from './replay.js';

export function attributeStep(begin: MadeText, step: Step): MadeText {
  if (step.rewind) return follow(begin, step.after, { by: 'rewind', rewind: step.rewind });
  const replayed = replay(begin, step.calls);
  if (replayed.text === step.after) return replayed;
  const other = otherMaker(step);
  return proved(begin, replayed, follow(replayed, step.after, other), other);
}

/** Of what no told edit explains. */
function otherMaker({ turns, isPartlyOutside, last, commands }: Step): Maker {
  if (turns.length === 0) return { by: 'outside', ...(last && { after: last }) };
  const unknown: Unknown = { by: 'unknown', why: 'untold', turns, commands };
  return isPartlyOutside ? { ...unknown, isPartlyOutside } : unknown;
}

/**
 * Where the told edits explain only a part, something else was at work too, and may have taken an edit back and written something of its own. So a
 * line is a call's only when nobody would write the same by chance: it says something, stands there once, and did not before.
 */
function proved(begin: MadeText, replayed: MadeText, made: MadeText, other: Maker): MadeText {
  const [before, after] = [countsOf(begin.lines), countsOf(made.lines)];
  const isOld = new Set(begin.makers.map(makerKey));
  const isClaimed = made.makers.map((maker) => maker.by === 'call' && !isOld.has(makerKey(maker)));
  const isSure = made.lines.map(
    (line, at) => isClaimed[at] === true && saysSomething(line) && !before.has(line) && after.get(line) === 1,
  );
  const isBeside = (at: number, by: -1 | 1): boolean => {
    for (let place = at + by; isClaimed[place]; place += by) {
      if (isSure[place]) return makerKey(made.makers[place] ?? other) === makerKey(made.makers[at] ?? other);
    }
    return false;
  };
  const makers = made.makers.map((maker, at) => {
    if (isClaimed[at] !== true || isSure[at]) return maker;
    const isWithin = !saysSomething(made.lines[at] ?? '') && isBeside(at, -1) && isBeside(at, 1);
    return isWithin ? maker : other;
  });
  // What a told edit took out is gone by it, unless somebody put it back and took it out again.
  return { ...made, makers, removers: new Map([...made.removers, ...replayed.removers]) };
}

/** A bracket or a blank line is written by anybody. */
const saysSomething = (line: string): boolean => line.replace(/[^\p{L}\p{N}]/gu, '').length >= 4;

function countsOf(lines: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
}
