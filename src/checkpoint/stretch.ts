/**
 * From which files to which a session, or one of its turns, led. Somebody who looks at it asks many times within seconds, and to start git takes longer
 * than what it does: of a stretch that is over, what was found is remembered for a while, as long as the repository is the same.
 */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { GlassboxError } from '../event/index.js';
import type { Checkpoint } from './checkpoint.js';
import { checkpointDirectory } from './directory.js';
import type { TurnFiles } from './session-turns.js';
import { type Taken, take } from './take.js';
import { changesBetween, type TreeChange } from './tree-change.js';
import { findWorkTree, type WorkTree } from './work-tree.js';

export interface Stretch {
  workTree: WorkTree;
  from: string;
  /** A turn that goes on ends with the files as they are. */
  to: string;
  /** The turns in it that are kept. */
  turns: KeptTurn[];
  /** The files as they are now, where somebody has looked. */
  now?: Taken;
  /** What differs between the two. */
  changes(): Promise<TreeChange[]>;
}

interface KeptTurn {
  turn: number;
  before: Checkpoint;
  /** Absent while it goes on. */
  after?: Checkpoint;
}

/** Throws a `GlassboxError` when nothing is kept of it. */
export async function findStretch(
  turns: readonly TurnFiles[],
  turn: number | undefined,
  dir: string = checkpointDirectory(),
): Promise<Stretch> {
  const { top, kept } = keptTurns(turns);
  const chosen = turn === undefined ? kept : kept.filter((one) => one.turn === turn);
  const last = chosen.at(-1);
  if (top === undefined || !last) {
    const what = turn === undefined ? 'this session' : `turn ${turn}`;
    throw new GlassboxError('not-found', `The files before and after ${what} are not kept on this machine.`);
  }
  if (!last.after) return makeStretch(top, chosen, dir);
  return remembered(JSON.stringify([dir, top, chosen]), top, () => makeStretch(top, chosen, dir));
}

/** Of one folder: a session that moved is shown where it is. */
export function keptTurns(turns: readonly TurnFiles[]): { top: string | undefined; kept: KeptTurn[] } {
  const top = turns.findLast((one) => one.top !== undefined)?.top;
  const kept = turns.flatMap(({ turn, top: own, before, after }, index): KeptTurn[] => {
    const begin = before?.tree ? before : turns[index - 1]?.after;
    const isLast = index === turns.length - 1;
    if (own !== top || !begin?.tree || !(after?.tree || (isLast && after === undefined))) return [];
    return [{ turn, before: begin, ...(after && { after }) }];
  });
  return { top, kept };
}

async function makeStretch(top: string, turns: KeptTurn[], dir: string): Promise<Stretch> {
  const workTree = await findWorkTree(top, dir, { isAwaited: true });
  if (workTree.top !== top)
    throw new GlassboxError('conflict', `${top} is not what it was: its files are in ${workTree.top} now.`);
  const [first, last] = [turns[0], turns.at(-1)];
  const now = last?.after ? undefined : await take(workTree);
  const from = first?.before.commit ?? '';
  const to = last?.after?.commit ?? now?.commit ?? '';
  let changes: Promise<TreeChange[]> | undefined;
  return {
    ...{ workTree, from, to, turns },
    ...(now && { now }),
    changes: () => (changes ??= changesBetween(workTree, from, to)),
  };
}

interface Memory {
  stretch: Promise<Stretch>;
  /** Of which repository that is. */
  mark: string;
  timer: NodeJS.Timeout;
}

const memories = new Map<string, Memory>();

const KEEP_MS = 20_000;
const MOST_MEMORIES = 8;

async function remembered(key: string, top: string, make: () => Promise<Stretch>): Promise<Stretch> {
  const mark = await markOf(top);
  const known = memories.get(key);
  if (known && mark !== '' && known.mark === mark) return known.stretch;
  forget(key);
  const stretch = make();
  memories.set(key, { stretch, mark, timer: setTimeout(() => forget(key), KEEP_MS).unref() });
  for (const oldest of [...memories.keys()].slice(0, -MOST_MEMORIES)) forget(oldest);
  // What did not come about is tried again.
  stretch
    .then(({ changes }) => changes())
    .catch(() => {
      if (memories.get(key)?.stretch === stretch) forget(key);
    });
  return stretch;
}

function forget(key: string): void {
  clearTimeout(memories.get(key)?.timer);
  memories.delete(key);
}

/** Another one for another repository, or other settings of it; empty where there is none, which anybody may change anywhere above. */
async function markOf(top: string): Promise<string> {
  const facts = await Promise.all(
    ['', '.git', '.git/config', '.git/info/exclude'].map((name) => stat(path.join(top, name)).catch(() => undefined)),
  );
  if (!facts[1]) return '';
  return facts.map((fact, index) => fact && `${fact.dev} ${fact.ino} ${index > 1 ? fact.mtimeMs : ''}`).join();
}
