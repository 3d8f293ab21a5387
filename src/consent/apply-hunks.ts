/** Puts the hunks of a unified diff into a text: where they say, or at the one other place where they fit. Linear. */
import { findPart } from './find-part.js';

/** Undefined when it does not fit, or is no diff. */
export function applyHunks(text: string, diff: string): string | undefined {
  const hunks = hunksIn(diff);
  if (hunks.length === 0) return undefined;
  const lines = text.split('\n');
  const patched: string[] = [];
  let [from, shift] = [0, 0];
  for (const { start, before, after } of hunks) {
    const at = placeOf(lines, before, start === undefined ? undefined : start + shift, from);
    if (at === undefined) return undefined;
    if (start !== undefined) shift = at - start;
    for (const line of lines.slice(from, at)) patched.push(line);
    for (const line of after) patched.push(line);
    from = at + before.length;
  }
  for (const line of lines.slice(from)) patched.push(line);
  const { lacksNewline } = hunks.at(-1) ?? {};
  if (lacksNewline?.before !== lacksNewline?.after) {
    if (lacksNewline?.before) patched.push('');
    else if (patched.at(-1) === '') patched.pop();
  }
  return patched.join('\n');
}

interface Hunk {
  /** Line of the old text, from 0; absent where the header tells none. */
  start: number | undefined;
  before: string[];
  after: string[];
  /** It reaches the end of the text, and the last line has no newline. */
  lacksNewline: { before: boolean; after: boolean };
}

const HEADER = /^@@(?: -(\d{1,9})(,0)?(?:,\d+)? \+\d+(?:,\d+)? @@)?/;

function hunksIn(diff: string): Hunk[] {
  const hunks: Hunk[] = [];
  const lines = diff.split('\n');
  if (lines.at(-1) === '') lines.pop();
  let sign = '';
  for (const line of lines) {
    const header = HEADER.exec(line);
    if (header) {
      const lacksNewline = { before: false, after: false };
      hunks.push({ start: startOf(header), before: [], after: [], lacksNewline });
      continue;
    }
    const hunk = hunks.at(-1);
    if (!hunk) continue;
    if (line.startsWith('\\')) {
      if (sign !== '+') hunk.lacksNewline.before = true;
      if (sign !== '-') hunk.lacksNewline.after = true;
      continue;
    }
    sign = line.charAt(0);
    if (sign !== '+') hunk.before.push(line.slice(1));
    if (sign !== '-') hunk.after.push(line.slice(1));
  }
  return hunks;
}

/** A hunk without old lines names the line before it. */
function startOf([, line, isEmpty]: RegExpExecArray): number | undefined {
  return line === undefined ? undefined : Number(line) - (isEmpty ? 0 : 1);
}

function placeOf(
  lines: readonly string[],
  part: readonly string[],
  wanted: number | undefined,
  from: number,
): number | undefined {
  if (wanted !== undefined && wanted >= from && stands(lines, part, wanted)) return wanted;
  const [place, ...others] = findPart(lines, part, 2, from);
  return others.length === 0 ? place : undefined;
}

function stands(lines: readonly string[], part: readonly string[], at: number): boolean {
  return at + part.length <= lines.length && part.every((line, index) => lines[at + index] === line);
}
