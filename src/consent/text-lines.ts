/** A text as its lines, and what of it no line can show: how lines end, the newline at the end, the byte order mark. */

export interface TextLines {
  lines: string[];
  /** `mixed`: both; `none`: it has no two lines. */
  ending: 'LF' | 'CRLF' | 'mixed' | 'none';
  endsWithNewline: boolean;
  hasMark: boolean;
}

export const BYTE_ORDER_MARK = '\ufeff';

export function readLines(text: string): TextLines {
  const hasMark = text.startsWith(BYTE_ORDER_MARK);
  const lines = (hasMark ? text.slice(1) : text).split('\n');
  const endsWithNewline = lines.length > 1 && lines.at(-1) === '';
  const breaks = lines.length - 1;
  if (lines.at(-1) === '') lines.pop();
  let returns = 0;
  for (const [index, line] of lines.entries()) {
    if (index === breaks || !line.endsWith('\r')) continue;
    returns += 1;
    lines[index] = line.slice(0, -1);
  }
  return { lines, ending: endingOf(breaks, returns), endsWithNewline, hasMark };
}

function endingOf(breaks: number, returns: number): TextLines['ending'] {
  if (breaks === 0) return 'none';
  if (returns === 0) return 'LF';
  return returns === breaks ? 'CRLF' : 'mixed';
}
