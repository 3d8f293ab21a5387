/** Who made the parts of a difference. */
import type { DifferenceHunk } from '../event/index.js';
import { type Maker, makerKey } from './maker.js';
import type { MadeText } from './replay.js';

export interface HunkMaker {
  maker: Maker;
  /** So many lines of the hunk are by it, which came or went. */
  lines: number;
}

/** For each hunk, the one who made most of it first. `made` began with the old text and ended with the new one. */
export function hunkMakers(hunks: readonly DifferenceHunk[], made: MadeText): HunkMaker[][] {
  return hunks.map((hunk) => {
    const counts = new Map<Maker, number>();
    for (const maker of changedBy(hunk, made)) counts.set(maker, (counts.get(maker) ?? 0) + 1);
    const found = new Map<string, HunkMaker>();
    for (const [maker, lines] of counts) {
      const own = found.get(makerKey(maker)) ?? { maker, lines: 0 };
      own.lines += lines;
      found.set(makerKey(maker), own);
    }
    const all = [...found.values()].sort((one, other) => other.lines - one.lines);
    // Lines that read alike, as a bracket: where somebody is known for the rest, they say nothing more.
    const told = all.filter(({ maker }) => !(maker.by === 'unknown' && maker.why === 'alike'));
    return told.length > 0 ? told : all;
  });
}

function* changedBy({ oldStart, newStart, lines }: DifferenceHunk, made: MadeText): Generator<Maker> {
  let [old, now] = [oldStart, newStart];
  for (const line of lines) {
    const sign = line.charAt(0);
    const maker = sign === '+' ? made.makers[now - 1] : sign === '-' ? made.removers.get(old - 1) : undefined;
    // What another comparison sees as moved, this one sees as the same.
    if (maker && maker.by !== 'older') yield maker;
    if (sign !== '+') old += 1;
    if (sign !== '-') now += 1;
  }
}
