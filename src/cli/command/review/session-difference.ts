/** All that a session changed, as its lines, without the secrets in them. */
import { changeLines, findStretch, findTurns, type WorkTree } from '../../../checkpoint/index.js';
import { type ReviewFileLines, shownHunks } from '../../../review/index.js';
import type { SessionRecord } from '../../../store/index.js';

export interface Difference {
  files: ReviewFileLines[];
  /** The last turn and run of it. */
  turn: number;
  runId: string;
  /** The files before and after it, as commits of ours. */
  from: string;
  to: string;
  workTree: WorkTree;
}

const FILES_AT_ONCE = 200;

/** `withoutLines`: only where it is. */
export async function sessionDifference({ runs }: SessionRecord, withoutLines = false): Promise<Difference> {
  const turns = await findTurns(runs);
  const stretch = await findStretch(turns, undefined);
  const { workTree, from, to } = stretch;
  const last = stretch.turns.at(-1)?.turn ?? 0;
  const runId = turns.find(({ turn }) => turn === last)?.runId ?? runs.at(-1)?.runId ?? '';
  const files: ReviewFileLines[] = [];
  let next: string | undefined;
  do {
    if (withoutLines) break;
    const page = await changeLines(stretch, { from: next, limit: FILES_AT_ONCE });
    for (const { path, hunks, before, after } of page.files)
      if (hunks.length > 0) files.push({ path, hunks: shownHunks(hunks, { before, after }) });
    next = page.next;
  } while (next !== undefined);
  return { files, turn: last, runId, from, to, workTree };
}
