/** A folder in which a session of some turns was at work. */
import { type Checkpoint, planRewind, type TurnFiles } from '../../src/checkpoint/index.js';
import { anchor, take } from '../../src/checkpoint/take.js';
import { findWorkTree } from '../../src/checkpoint/work-tree.js';
import { temporaryDirectory } from '../fake-agent/play.js';

/** With a turn for each of these edits; `between` is done by somebody else. */
export async function played(root: string, ...edits: ((() => void) | { between: () => void })[]) {
  const dir = temporaryDirectory();
  const workTree = await findWorkTree(root, dir);
  const turns: TurnFiles[] = [];
  let count = 0;
  const keep = async (turn: number, moment: Checkpoint['moment']): Promise<Checkpoint> => {
    const { skipped, ...taken } = await take(workTree);
    await anchor(workTree, `refs/glassbox/s/${count++}`, taken.commit);
    return { turn, moment, at: 1, ...taken, ...(skipped.length > 0 && { skipped }) };
  };
  for (const edit of edits) {
    if (typeof edit !== 'function') {
      edit.between();
      continue;
    }
    const turn = turns.length + 1;
    const before = await keep(turn, 'before');
    edit();
    turns.push({ turn, runId: 'r', top: workTree.top, before, after: await keep(turn, 'after') });
  }
  return { dir, turns, workTree, plan: (turn: number, before = false) => planRewind(turns, { turn, before }, dir) };
}
