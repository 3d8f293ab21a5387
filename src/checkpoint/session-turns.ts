/** The turns of a session, counted over all its runs, each with what is kept of the files. */
import type { Checkpoint, TurnChange } from './checkpoint.js';
import { checkpointDirectory } from './directory.js';
import { readRecord } from './record.js';
import { changesBetween, linesBetween } from './tree-change.js';
import { findWorkTree } from './work-tree.js';

export interface TurnFiles {
  /** Of the session, from 1. */
  turn: number;
  runId: string;
  /** The folder that is kept; absent when nothing is known of it here. */
  top?: string;
  before?: Checkpoint;
  after?: Checkpoint;
}

/** What has to be known of the runs of a session, the oldest first. */
export type RunOfTurns = { runId: string; turns: number };

export async function findTurns(
  runs: readonly RunOfTurns[],
  dir: string = checkpointDirectory(),
): Promise<TurnFiles[]> {
  const turns: TurnFiles[] = [];
  for (const { runId, turns: told } of runs) {
    const record = await readRecord(dir, runId);
    const checkpoints = record?.checkpoints ?? [];
    const count = Math.max(told, ...checkpoints.filter(({ moment }) => moment === 'after').map(({ turn }) => turn), 0);
    const offset = turns.length;
    for (let turn = 1; turn <= Math.max(count, checkpoints.length > 0 ? 1 : 0); turn += 1) {
      const before = checkpoints.find((one) => one.turn === turn && one.moment === 'before');
      const after = checkpoints.findLast((one) => one.turn === turn && one.moment === 'after');
      turns.push({
        turn: offset + turn,
        runId,
        ...(record && { top: record.top }),
        ...(before && { before }),
        ...(after && { after }),
      });
    }
  }
  return turns;
}

/** Which files a turn changed; undefined where that is not known. */
export async function turnChanges(
  { top, before, after }: TurnFiles,
  dir: string = checkpointDirectory(),
): Promise<TurnChange[] | undefined> {
  const [from, to] = [before?.commit, after?.commit];
  if (top === undefined || from === undefined || to === undefined) return undefined;
  const workTree = await findWorkTree(top, dir).catch(() => undefined);
  if (!workTree) return undefined;
  // Another repository may lie there now, or somebody cleaned this one.
  const [changes, lines] = await Promise.all([
    changesBetween(workTree, from, to),
    linesBetween(workTree, from, to),
  ]).catch(() => []);
  return changes?.map(({ path, from: old, to: now }) => {
    const counted = lines?.get(path);
    return { path, change: old ? (now ? 'changed' : 'deleted') : 'added', ...(counted && { lines: counted }) };
  });
}
