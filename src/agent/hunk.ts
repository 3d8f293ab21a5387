/** Unified diff hunks: made from a file before and after, in time linear in its size, or taken out of a whole diff. */

/** One hunk around everything that differs; empty when nothing does. */
export function hunkOf(before: string, after: string): string {
  const [old, now] = [linesOf(before), linesOf(after)];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let same = 0;
  const most = Math.min(old.length, now.length) - start;
  while (same < most && old[old.length - 1 - same] === now[now.length - 1 - same]) same += 1;
  if (start === old.length && start === now.length) return '';
  const head = old.slice(Math.max(0, start - CONTEXT), start);
  const tail = old.slice(old.length - same, old.length - same + CONTEXT);
  const removed = old.slice(start, old.length - same);
  const added = now.slice(start, now.length - same);
  const from = start - head.length + 1;
  const around = head.length + tail.length;
  return [
    `@@ -${span(from, removed.length + around)} +${span(from, added.length + around)} @@`,
    ...head.map((line) => ` ${line}`),
    ...removed.map((line) => `-${line}`),
    ...added.map((line) => `+${line}`),
    ...tail.map((line) => ` ${line}`),
    '',
  ].join('\n');
}

/** The hunks of one file's diff without what stands in front of them; absent when it has none. */
export function hunksIn(diff: string | undefined): string | undefined {
  const from = diff?.search(/^@@ /m) ?? -1;
  return from < 0 ? undefined : diff?.slice(from);
}

const CONTEXT = 3;

/** The newline at the end of a file begins no further line. */
function linesOf(text: string): string[] {
  if (text === '') return [];
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
}

/** A hunk without lines counts from the line before it. */
function span(from: number, count: number): string {
  return `${count === 0 ? from - 1 : from},${count}`;
}
