/** What a session, or one of its turns, did to the files, and what became of each since. Unknown is not guessed. */
import type { SessionChanges, SessionFile } from './checkpoint.js';
import { commitsOf } from './committed.js';
import { checkpointDirectory } from './directory.js';
import { gitText, tryGit } from './git.js';
import type { TurnFiles } from './session-turns.js';
import { findStretch, keptTurns, type Stretch } from './stretch.js';
import { look } from './take.js';
import { changesBetween, linesBetween, pairChanges, type TreeChange, type TreeEntry } from './tree-change.js';
import type { WorkTree } from './work-tree.js';

/** More are counted and not listed. */
const MOST_FILES = 5000;

export interface ChangesWish {
  turn?: number | undefined;
  /** What became of the files since, and where the folder stands now, is left out: soon told, because nothing on the disk is looked at. */
  brief?: boolean | undefined;
}

export async function sessionChanges(
  turns: readonly TurnFiles[],
  { turn, brief = false }: ChangesWish = {},
  dir: string = checkpointDirectory(),
): Promise<SessionChanges> {
  const stretch = await findStretch(turns, turn, dir);
  const { workTree, from, to } = stretch;
  const { kept } = keptTurns(turns);
  // Somebody waits, and to start git takes longer than what it does: whatever waits for nothing is asked at once.
  // In git's words the old side is what it was, the new one what the session made of it.
  const [now, whole, byTurn, between, lines, branch] = await Promise.all([
    stretch.now ?? (brief ? undefined : look(workTree)),
    stretch.changes(),
    changedIn(stretch),
    changedBetween(stretch),
    linesBetween(workTree, from, to),
    brief ? '' : branchOf(workTree),
  ]);
  const own = whole.filter(({ path }) => byTurn.has(path));
  const isAsLeft = !now || stretch.turns.at(-1)?.after?.tree === now.tree;
  const [since, commits] = await Promise.all([
    isAsLeft ? [] : changesBetween(workTree, to, now.tree),
    commitsOf(workTree, stretch.turns[0]?.before.head, now?.head, own),
  ]);
  const later = new Map(since.map((change) => [change.path, change]));
  const isUnderWay = stretch.turns.at(-1)?.after === undefined;
  const files = own.slice(0, MOST_FILES).map((change): SessionFile => {
    const counted = lines.get(change.path);
    const commit = commits.get(change.path);
    return {
      path: change.path,
      change: change.from ? (change.to ? 'changed' : 'deleted') : 'added',
      turns: byTurn.get(change.path) ?? [],
      ...(now && { state: stateOf(change, later.get(change.path), isUnderWay) }),
      version: change.to ? `${change.to.mode} ${change.to.id}` : 'gone',
      ...(counted && { lines: counted }),
      ...(commit && { commit }),
      ...(between.has(change.path) && { byOthers: true }),
    };
  });
  const known = new Set(kept.map((one) => one.turn));
  return {
    top: workTree.top,
    kind: workTree.kind,
    ...(branch !== '' && { branch }),
    files,
    more: own.length - files.length,
    missing: turns.filter((one) => !known.has(one.turn)).map((one) => one.turn),
  };
}

/** Path → the turns that changed it. */
async function changedIn({ workTree, turns, now, changes }: Stretch): Promise<Map<string, number[]>> {
  const [only] = turns;
  if (only && turns.length === 1) return new Map((await changes()).map(({ path }) => [path, [only.turn]]));
  const pairs = turns.map(({ before, after }): [string, string] => [before.tree ?? '', after?.tree ?? now?.tree ?? '']);
  const found = new Map<string, number[]>();
  for (const [index, paths] of (await pairChanges(workTree, pairs)).entries()) {
    const turn = turns[index]?.turn ?? 0;
    for (const path of paths) found.set(path, [...(found.get(path) ?? []), turn]);
  }
  return found;
}

/** What changed while none of these turns was at work. */
async function changedBetween({ workTree, turns }: Stretch): Promise<Set<string>> {
  const pairs = turns.slice(1).flatMap(({ before }, index): [string, string][] => {
    const left = turns[index]?.after?.tree;
    return left === undefined || before.tree === undefined ? [] : [[left, before.tree]];
  });
  return new Set((await pairChanges(workTree, pairs)).flatMap((paths) => [...paths]));
}

type FileState = NonNullable<SessionFile['state']>;

function stateOf(change: TreeChange, later: TreeChange | undefined, isUnderWay: boolean): FileState {
  if (isUnderWay) return 'under-way';
  if (later === undefined) return 'as-left';
  return isSame(later.to, change.from) ? 'reverted' : 'changed-since';
}

const isSame = (one: TreeEntry | undefined, other: TreeEntry | undefined): boolean =>
  one?.id === other?.id && one?.mode === other?.mode;

async function branchOf({ kind, theirs }: WorkTree): Promise<string> {
  if (kind === 'plain') return '';
  const { status, stdout } = await tryGit(['symbolic-ref', '-q', '--short', 'HEAD'], theirs);
  if (status === 0) return stdout.toString('utf8').trim();
  const head = await gitText(['rev-parse', '--short', 'HEAD'], theirs).catch(() => '');
  return head && `detached at ${head}`;
}
