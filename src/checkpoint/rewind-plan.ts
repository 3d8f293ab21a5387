/** What going back to a turn would change, shown before anything is done: against the files as they are at this moment. */
import { type DifferenceHunk, GlassboxError } from '../event/index.js';
import type { Checkpoint, LeftFile, RewindFile, RewindPlan } from './checkpoint.js';
import { checkpointDirectory } from './directory.js';
import { readBlobs } from './patch.js';
import type { TurnFiles } from './session-turns.js';
import { take } from './take.js';
import { changesBetween, hunksBetween, linesBetween, REPOSITORY_MODE, type TreeChange } from './tree-change.js';
import { findWorkTree, type WorkTree } from './work-tree.js';

export interface RewindWish {
  /** Of the session; 0 is before the first one. */
  turn: number;
  /** As it was before that turn, and not as that turn left it. */
  before?: boolean | undefined;
}

/** Files that become others, with what is needed to do it. */
export interface PreparedChange extends Pick<RewindPlan, 'top' | 'files' | 'left'> {
  workTree: WorkTree;
  /** All files now, and then. */
  now: string;
  then: string;
}

/** A plan with what is needed to do it. */
export interface PreparedRewind extends RewindPlan, PreparedChange {}

/** Throws a `GlassboxError` that says why it cannot be gone back there. */
export async function planRewind(
  turns: readonly TurnFiles[],
  wish: RewindWish,
  dir: string = checkpointDirectory(),
): Promise<PreparedRewind> {
  const { checkpoint, top, index } = checkpointAt(turns, wish);
  const workTree = await findWorkTree(top, dir);
  if (workTree.top !== top)
    throw new GlassboxError('conflict', `${top} is not what it was: its files are in ${workTree.top} now.`);
  const now = await take(workTree);
  const then = checkpoint.commit ?? '';
  const changes = await changesBetween(workTree, now.commit, then);
  const others = await changedByOthers(workTree, turns.slice(index), now.commit);
  const skipped = new Map([...(checkpoint.skipped ?? []), ...now.skipped].map(({ path, why }) => [path, why]));
  const lines = await linesBetween(workTree, now.commit, then);
  const left = changes.flatMap((change): LeftFile[] => {
    const why = isRepository(change) ? 'repository' : skipped.get(change.path);
    return why === undefined ? [] : [{ path: change.path, why }];
  });
  const isLeft = new Set(left.map(({ path }) => path));
  const { turn, before = false } = wish;
  return {
    ...{ workTree, top, now: now.commit, then, turn, before, at: checkpoint.at, fingerprint: now.tree, left },
    ...(checkpoint.late && { late: true }),
    ...(checkpoint.head !== undefined &&
      now.head !== undefined &&
      checkpoint.head !== now.head && { movedHead: checkpoint.head }),
    files: changes
      .filter(({ path }) => !isLeft.has(path))
      .map((change) => fileOf(change, others.has(change.path), lines.get(change.path))),
  };
}

/** The hunks of one file of a plan, as people read them. */
export async function hunksOf({ workTree, now, then }: PreparedChange, path: string): Promise<DifferenceHunk[]> {
  const hunks = await hunksBetween(workTree, now, then, path);
  return hunks.map(({ lines, ...hunk }) => ({
    ...hunk,
    lines: lines.map((line) => Buffer.from(line, 'latin1').toString('utf8')),
  }));
}

/** One file of a plan as a whole, now and then; absent where it is no text or too large. */
export async function textsOf(
  { workTree, now, then }: PreparedRewind,
  path: string,
): Promise<{ before?: string | undefined; after?: string | undefined }> {
  const change = (await changesBetween(workTree, now, then)).find((one) => one.path === path);
  const ids = [change?.from?.id, change?.to?.id];
  const texts = await readBlobs(
    workTree,
    ids.filter((id) => id !== undefined),
  );
  const [before, after] = ids.map((id) => texts.get(id ?? ''));
  return { before, after };
}

/** What is kept of a moment, and which turns came after it. Throws a `GlassboxError` when nothing is. */
export function checkpointAt(
  turns: readonly TurnFiles[],
  { turn, before = false }: RewindWish,
): { checkpoint: Checkpoint; top: string; index: number } {
  const isBefore = before || turn === 0;
  const index = Math.max(turn, 1) - 1;
  const found = turns[index];
  const last = turns.length;
  if (!found || (turn === 0 && before))
    throw new GlassboxError(
      'not-found',
      `There is no turn ${turn}: the session has ${last === 1 ? 'one turn' : `${last} turns`}.`,
    );
  // In one process nothing comes between two turns unless somebody else does it.
  const checkpoint = isBefore ? (found.before ?? turns[index - 1]?.after) : found.after;
  const where = `${isBefore ? 'before' : 'after'} turn ${Math.max(turn, 1)}`;
  if (checkpoint?.failed !== undefined)
    throw new GlassboxError('not-found', `The files were not kept ${where}: ${checkpoint.failed}`);
  if (!checkpoint?.commit || found.top === undefined)
    throw new GlassboxError('not-found', `The files ${where} are not kept on this machine.`);
  return { checkpoint, top: found.top, index: isBefore ? index : index + 1 };
}

/** What changed while no turn of the session was at work: between its turns, and since the last one. */
async function changedByOthers(workTree: WorkTree, later: readonly TurnFiles[], now: string): Promise<Set<string>> {
  const changed = new Set<string>();
  for (const [index, { after }] of later.entries()) {
    const next = later[index + 1]?.before?.commit ?? (index === later.length - 1 ? now : undefined);
    // The same files have the same commit.
    if (after?.commit === undefined || next === undefined || next === after.commit) continue;
    for (const { path } of await changesBetween(workTree, after.commit, next)) changed.add(path);
  }
  return changed;
}

export function fileOf({ path, from, to }: TreeChange, byOthers: boolean, lines: RewindFile['lines']): RewindFile {
  const change = from ? (to ? 'changed' : 'removed') : 'restored';
  return { path, change, ...(lines && { lines }), ...(byOthers && { byOthers: true }) };
}

const isRepository = ({ from, to }: TreeChange): boolean =>
  from?.mode === REPOSITORY_MODE || to?.mode === REPOSITORY_MODE;
