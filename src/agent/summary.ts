/** Cuts text for display to `max` code points, the last three being dots; never splits a character or its marks. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  // Two code units per code point at most: what follows cannot matter, however long the text is.
  const points = [...text.slice(0, max * 2 + 2)];
  if (points.length <= max) return text;
  let end = Math.max(0, max - 3);
  while (end > 0 && JOINS.test(points[end] ?? '')) end -= 1;
  return `${points.slice(0, end).join('')}...`;
}

/** Code points that belong to the character before them. */
const JOINS = /^(?:\p{M}|\u200d|\ufe0f)/u;

/** The text on one line, cut for display. */
export const oneLine = (text: string, max: number): string => cutText(text.replace(/\s+/g, ' ').trim(), max);

/** Longest summaries by what is shown, in code points; a path is never cut. */
export const SUMMARY_LIMITS = { command: 60, pattern: 40, task: 40, address: 50 } as const;
