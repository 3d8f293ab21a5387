/** In which commit of the user's a line stands, as git blames it. Nothing of the repository's settings takes part. */
import { linesOf, NEW, originsOf } from '../attribution/index.js';
import { fileVersions, tryGit, type WorkTree } from '../checkpoint/index.js';

export interface LineCommit {
  id: string;
  subject: string;
  author: string;
  /** Ms since the epoch. */
  at: number;
}

/** Undefined where it is in no commit yet, or nobody can tell. `lines`: the file as it is. */
export async function lineCommit(
  workTree: WorkTree,
  head: string | undefined,
  { path, line, lines }: { path: string; line: number; lines: readonly string[] },
): Promise<LineCommit | undefined> {
  const { kind, ours } = workTree;
  if (kind === 'plain' || head === undefined) return undefined;
  const versions = await fileVersions(workTree, [head], [path]);
  const id = versions.idOf(head, path);
  const committed = id === undefined ? undefined : (await versions.read([id])).get(id);
  const [place = NEW, ...others] = originsOf(linesOf(committed), lines)[line - 1] ?? [];
  if (place === NEW || others.length > 0) return undefined;
  const range = `${place + 1},${place + 1}`;
  const { status, stdout } = await tryGit(['blame', '--porcelain', '-L', range, head, '--', path], {
    ...ours(),
    timeoutMs: 30_000,
  }).catch(() => ({ status: 1, stdout: Buffer.alloc(0) }));
  if (status !== 0) return undefined;
  const text = stdout.toString('utf8');
  const field = (name: string) => new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1] ?? '';
  return {
    id: /^[0-9a-f]+/.exec(text)?.[0] ?? '',
    subject: field('summary'),
    author: field('author'),
    at: Number(field('author-time')) * 1000,
  };
}
