/** Whether the lines of comments changed since, against the files as they are. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { linesOf, NEW, originsOf } from '../attribution/index.js';
import { fileVersions, type WorkTree } from '../checkpoint/index.js';
import type { CommentState, ReviewComment } from './comment.js';

export async function commentStates(
  workTree: WorkTree,
  comments: readonly ReviewComment[],
): Promise<Map<string, CommentState>> {
  const versions = await fileVersions(
    workTree,
    comments.map(({ commit }) => commit),
    comments.map((comment) => comment.path),
  ).catch(() => undefined);
  const idOf = (comment: ReviewComment) => versions?.idOf(comment.commit, comment.path);
  const texts = await versions?.read(comments.flatMap((comment) => idOf(comment) ?? []));
  const states = new Map<string, CommentState>();
  for (const comment of comments) {
    const then = texts?.get(idOf(comment) ?? '');
    const now = await readFile(path.join(workTree.top, comment.path), 'utf8').catch(() => undefined);
    states.set(comment.id, then === undefined ? 'unknown' : stateOf(comment, then, now));
  }
  return states;
}

/** `then`: the file of which the numbers are. */
function stateOf(
  { side, start, end }: Pick<ReviewComment, 'side' | 'start' | 'end'>,
  then: string,
  now: string | undefined,
): CommentState {
  const origins = originsOf(linesOf(then), linesOf(now));
  const left = new Set(origins.flat().filter((place) => place !== NEW));
  const count = Array.from({ length: end - start + 1 }, (_, index) => start - 1 + index).filter((at) =>
    left.has(at),
  ).length;
  // What went is as it was while it is away.
  if (side === 'old') return count === 0 ? 'unchanged' : 'changed';
  if (count === 0) return 'gone';
  return count === end - start + 1 ? 'unchanged' : 'changed';
}
