/**
 * The lines that a session changed, of some of its files at a time. Its parts are those of the way back (`rewindHunks`), seen from the other
 * side, so that a part that is read can be taken back by its position.
 */
import type { DifferenceHunk } from '../event/index.js';
import { readBlobs, readPatches } from './patch.js';
import type { Stretch } from './stretch.js';
import { LINK_MODE, REPOSITORY_MODE, type TreeChange } from './tree-change.js';

export interface FileLines {
  path: string;
  hunks: DifferenceHunk[];
  /** The whole texts, to find out what in them is a secret; absent where the file is no text or too large. */
  before?: string;
  after?: string;
  /** Lines that are left out. */
  cut: number;
}

/** More of a file is not read by anybody. */
const MOST_LINES = 20_000;

/** `from`: the path to begin with, in the order of the files. `next`: with what to go on. */
export async function changeLines(
  { workTree, from: begin, to: end, changes }: Stretch,
  { from, limit }: { from?: string | undefined; limit: number },
): Promise<{ files: FileLines[]; next?: string }> {
  const all = await changes();
  const first = from === undefined ? 0 : all.findIndex(({ path }) => path === from);
  if (first < 0) return { files: [] };
  const chosen = all.slice(first, first + limit);
  const next = all[first + limit]?.path;
  const texts = chosen.filter(isText);
  const [patches, blobs] = await Promise.all([
    readPatches(workTree, end, begin, texts),
    readBlobs(
      workTree,
      texts.flatMap(({ from: was, to: left }) => [left, was].flatMap((entry) => entry?.id ?? [])),
    ),
  ]);
  const files = chosen.map((change): FileLines => {
    const { path, from: was, to: left } = change;
    const [hunks, cut] = shortened((patches.get(path) ?? []).map(inverted));
    const [before, after] = [was && blobs.get(was.id), left && blobs.get(left.id)];
    return { path, hunks, cut, ...(before !== undefined && { before }), ...(after !== undefined && { after }) };
  });
  return { files, ...(next !== undefined && { next }) };
}

const isText = ({ from, to }: TreeChange): boolean =>
  [from?.mode, to?.mode].every((mode) => mode !== REPOSITORY_MODE && mode !== LINK_MODE);

/** What goes away first, as people read it. */
function inverted({ oldStart, newStart, lines }: DifferenceHunk): DifferenceHunk {
  const out: string[] = [];
  let added: string[] = [];
  const settle = () => {
    out.push(...added);
    added = [];
  };
  for (const line of lines) {
    const text = line.slice(1);
    // That the last line has no end is no line.
    if (line.startsWith('\\')) continue;
    if (line.startsWith('-')) added.push(`+${text}`);
    else if (line.startsWith('+')) out.push(`-${text}`);
    else {
      settle();
      out.push(line);
    }
  }
  settle();
  return { oldStart: newStart, newStart: oldStart, lines: out };
}

function shortened(hunks: readonly DifferenceHunk[]): [hunks: DifferenceHunk[], cut: number] {
  let room = MOST_LINES;
  let cut = 0;
  const kept = hunks.flatMap((hunk): DifferenceHunk[] => {
    const lines = hunk.lines.slice(0, room);
    cut += hunk.lines.length - lines.length;
    room -= lines.length;
    return lines.length === 0 ? [] : [{ ...hunk, lines }];
  });
  return [kept, cut];
}
