/** Some agents number the lines of their diffs (`-3 hello`) instead of writing hunks; this makes hunks of them. */

export function toUnified(numbered: string): string | undefined {
  const hunks: string[] = [];
  let shift = 0;
  for (const segment of segmentsOf(numbered)) {
    const [first] = segment;
    if (!first) continue;
    // Unchanged and removed lines carry the old number, added ones the new.
    const from = first.sign === '+' ? first.line - shift : first.line;
    const removed = segment.filter(({ sign }) => sign !== '+').length;
    const added = segment.filter(({ sign }) => sign !== '-').length;
    hunks.push(
      `@@ -${from},${removed} +${from + shift},${added} @@`,
      ...segment.map(({ sign, text }) => `${sign}${text}`),
    );
    shift += added - removed;
  }
  return hunks.length === 0 ? undefined : `${hunks.join('\n')}\n`;
}

interface Line {
  sign: string;
  line: number;
  text: string;
}

/** Lines that stand together; `...` and whatever else has no number separates them. */
function segmentsOf(numbered: string): Line[][] {
  const segments: Line[][] = [[]];
  for (const text of numbered.split('\n')) {
    const found = /^([ +-])\s*(\d+) (.*)$/s.exec(text);
    if (found) segments.at(-1)?.push({ sign: found[1] ?? ' ', line: Number(found[2]), text: found[3] ?? '' });
    else segments.push([]);
  }
  return segments;
}
