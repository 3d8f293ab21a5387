/** The result of an edit is JSON in a text, with the changed file line by line; this makes unified hunks of it. */
import { anyString, type Json, members, number, objects, parsed } from '../field.js';
import { toUnified } from '../numbered-diff.js';

export function diffOf(output: string): string | undefined {
  if (!output.startsWith('{')) return undefined;
  const lines = objects(members(parsed(output)).diffLines);
  return toUnified(lines.map(numbered).join('\n'));
}

/** Unchanged and removed lines carry the old number, added ones the new. */
function numbered({ type, content, lineNumber }: Json): string {
  const { old, new: now } = members(lineNumber);
  const sign = type === 'added' ? '+' : type === 'removed' ? '-' : ' ';
  return `${sign}${number(type === 'added' ? now : old) ?? '?'} ${anyString(content) ?? ''}`;
}
