/**
 * From which lines of an old text those of a new one come. Only what the texts prove: a line that stands once in both is the same one, wherever
 * it is; of lines that read alike several may be meant, and then all of them are told. Linear.
 */

/** Positions in the old text that it may come from; `NEW` when it may have been written. */
export type Origin = readonly number[];

export const NEW = -1;
const ONLY_NEW: Origin = [NEW];

/** `prefix` and `suffix`: so many lines at either end are known to be the same. */
export function originsOf(before: readonly string[], after: readonly string[], prefix = 0, suffix = 0): Origin[] {
  const origins: Origin[] = new Array(after.length);
  for (let at = 0; at < prefix; at += 1) origins[at] = [at];
  for (let at = 1; at <= suffix; at += 1) origins[after.length - at] = [before.length - at];
  const [old, now] = [
    { lines: before, from: prefix, to: before.length - suffix },
    { lines: after, from: prefix, to: after.length - suffix },
  ];
  const [placesBefore, placesAfter] = [placesOf(old), placesOf(now)];
  const strays: number[] = [];
  const paired = new Set<number>();
  /** The last line that is known for certain, on both sides. */
  let known = { before: prefix - 1, after: prefix - 1 };
  for (let at = prefix; at <= now.to; at += 1) {
    const [place, ...others] = placesBefore.get(after[at] ?? '') ?? [];
    const isEnd = at === now.to;
    const isSure =
      !isEnd && place !== undefined && others.length === 0 && placesAfter.get(after[at] ?? '')?.length === 1;
    if (!isSure && !isEnd) continue;
    const next = { before: isEnd ? old.to : (place ?? old.to), after: at };
    between(known, next);
    if (isEnd) break;
    origins[at] = [next.before];
    known = next;
  }
  settleStrays();
  return origins;

  /**
   * A line that also stands elsewhere in the old text is new only when all of those are known to be there still. Where that rests on pairing
   * lines that read alike, it may be the other way round.
   */
  function settleStrays(): void {
    const taken = new Set(origins.flatMap((origin, at) => (origin?.length === 1 && !paired.has(at) ? origin : [])));
    const found = new Map<string, Origin>();
    for (const at of strays) {
      const text = after[at] ?? '';
      const missing = found.get(text) ?? [NEW, ...(placesBefore.get(text) ?? []).filter((place) => !taken.has(place))];
      found.set(text, missing);
      origins[at] = missing;
    }
    for (const at of paired) origins[at] = found.get(after[at] ?? '') ?? origins[at] ?? ONLY_NEW;
  }

  /** The lines between two that are certain. Where those changed places, any line of the old text may be meant. */
  function between(from: typeof known, to: typeof known): void {
    if (to.after - from.after <= 1) return;
    const isInOrder = from.before < to.before;
    const own = { lines: before, from: isInOrder ? from.before + 1 : old.from, to: isInOrder ? to.before : old.to };
    const made = { lines: after, from: from.after + 1, to: to.after };
    if (isInOrder && isSame(own, made)) {
      for (let at = made.from; at < made.to; at += 1) origins[at] = [own.from + at - made.from];
      return;
    }
    const there = placesOf(own);
    for (const [text, places] of placesOf(made)) {
      const candidates = there.get(text) ?? [];
      if (candidates.length === 0 && placesBefore.has(text)) {
        strays.push(...places);
        continue;
      }
      const isPaired = isInOrder && candidates.length === places.length;
      const any =
        candidates.length === 0
          ? ONLY_NEW
          : candidates.length < places.length || !isInOrder
            ? [NEW, ...candidates]
            : candidates;
      for (const [index, place] of places.entries()) {
        origins[place] = isPaired ? [candidates[index] ?? NEW] : any;
        if (isPaired) paired.add(place);
      }
    }
  }
}

/** A part of a text. */
interface Stretch {
  lines: readonly string[];
  from: number;
  to: number;
}

function placesOf({ lines, from, to }: Stretch): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (let at = from; at < to; at += 1) {
    const own = places.get(lines[at] ?? '');
    if (own) own.push(at);
    else places.set(lines[at] ?? '', [at]);
  }
  return places;
}

function isSame(one: Stretch, other: Stretch): boolean {
  if (one.to - one.from !== other.to - other.from) return false;
  for (let at = 0; at < one.to - one.from; at += 1) {
    if (one.lines[one.from + at] !== other.lines[other.from + at]) return false;
  }
  return true;
}
