/** Cuts text for display to `max` code points, the last three being dots; never splits a character. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  const points = [...text];
  if (points.length <= max) return text;
  return `${points.slice(0, Math.max(0, max - 3)).join('')}...`;
}
