/**
 * Where a sequence stands in another one, by Knuth, Morris and Pratt: linear whatever the texts. What is searched for comes
 * from an agent, and the engine's own search takes a minute for a megabyte that is made to slow it down.
 */

/** The first positions at which `part` stands, at most `most`; occurrences do not overlap. */
export function findPart(whole: ArrayLike<unknown>, part: ArrayLike<unknown>, most: number, from = 0): number[] {
  const found: number[] = [];
  if (part.length === 0) return found;
  const fallback = fallbacksOf(part);
  let matched = 0;
  for (let at = from; at < whole.length && found.length < most; at += 1) {
    while (matched > 0 && whole[at] !== part[matched]) matched = fallback[matched - 1] ?? 0;
    if (whole[at] === part[matched]) matched += 1;
    if (matched < part.length) continue;
    found.push(at - part.length + 1);
    matched = 0;
  }
  return found;
}

/** For each length that matched: how long a beginning of the part stands at its end. */
function fallbacksOf(part: ArrayLike<unknown>): Uint32Array {
  const fallback = new Uint32Array(part.length);
  let length = 0;
  for (let at = 1; at < part.length; at += 1) {
    while (length > 0 && part[at] !== part[length]) length = fallback[length - 1] ?? 0;
    if (part[at] === part[length]) length += 1;
    fallback[at] = length;
  }
  return fallback;
}
