/**
 * Patches in the words of OpenAI's `apply_patch`, which several agents take: files that are added, updated, moved or deleted, with hunks
 * that carry no line numbers. Reads markers as generously as the programs do, so that no file is overlooked.
 */
import type { Edit } from '../event/index.js';

export function readPatch(patch: string): Edit[] {
  const edits: Edit[] = [];
  let file: Part | undefined;
  const close = () => {
    if (file) edits.push(editOf(file));
    file = undefined;
  };
  for (const line of patch.split(/\r?\n/)) {
    const [, verb, named = ''] = FILE.exec(line) ?? [];
    const path = named.trim();
    const to = file && MOVE.exec(line)?.[1]?.trim();
    if (verb !== undefined && path !== '') {
      close();
      file = { verb, path, to: undefined, lines: [] };
    } else if (file && to) file.to = to;
    else if (END.test(line)) close();
    else if (!END_OF_FILE.test(line)) file?.lines.push(line);
  }
  close();
  return edits;
}

interface Part {
  verb: string;
  path: string;
  to: string | undefined;
  lines: string[];
}

const FILE = /^\s*\*\*\* (Add|Update|Delete) File:(.*)$/s;
const MOVE = /^\s*\*\*\* Move to:(.*)$/s;
const END = /^\s*\*\*\* End Patch\s*$/;
const END_OF_FILE = /^\s*\*\*\* End of File\s*$/;

function editOf({ verb, path, to, lines }: Part): Edit {
  if (verb === 'Delete') return { path, kind: 'delete' };
  if (verb === 'Add') {
    const text = lines.filter((line) => line.startsWith('+')).map((line) => `${line.slice(1)}\n`);
    return { path, kind: 'write', after: { text: text.join('') } };
  }
  const diff = diffOf(lines);
  if (to !== undefined) return { path, kind: 'move', to, ...(diff && { diff: { text: diff } }) };
  return { path, kind: 'patch', diff: { text: diff } };
}

/** Hunks of a unified diff; the first one may come without its header. */
function diffOf(lines: readonly string[]): string {
  const used = lines.at(-1) === '' ? lines.slice(0, -1) : [...lines];
  if (used.length === 0) return '';
  return `${[...(used[0]?.startsWith('@@') ? [] : ['@@']), ...used].join('\n')}\n`;
}
