/**
 * Makes files be as a commit has them. A file is touched only when it is what the commit before says: what somebody wrote meanwhile is
 * left as it is, and named. Each file is replaced whole; done twice it does nothing.
 */
import { chmod, lstat, mkdir, readdir, rename, rm, rmdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { entryOnDisk, readBlobs } from './blobs.js';
import type { LeftFile } from './checkpoint.js';
import { isInFolder } from './sort-out.js';
import { changesBetween, LINK_MODE, REPOSITORY_MODE, type TreeChange, type TreeEntry } from './tree-change.js';
import type { WorkTree } from './work-tree.js';

/** `mark` names files that are half written, so that they are found when this is cut off. Gives those that were left alone. */
export async function apply(workTree: WorkTree, from: string, to: string, mark: string): Promise<LeftFile[]> {
  const { top } = workTree;
  const changes = (await changesBetween(workTree, from, to)).filter((change) => !isRepository(change));
  const left: LeftFile[] = [];
  for (const { path: name } of changes) await rm(halfOf(top, name, mark), { force: true }).catch(() => {});

  /** What goes first makes room for folders and files of the same name. */
  const removals = changes.filter((change) => !change.to).sort((one, other) => (one.path < other.path ? 1 : -1));
  for (const change of removals) {
    const now = await standsAt(top, change);
    if (now === undefined) continue;
    if (!isSame(now, change.from)) left.push({ path: change.path, why: 'changed-meanwhile' });
    else await removeFile(top, change.path);
  }

  const writes = changes.filter((change) => change.to);
  const open = new Map<string, TreeChange[]>();
  for (const change of writes) {
    const now = await standsAt(top, change);
    if (isSame(now, change.to)) continue;
    const isFree = now ? isSame(now, change.from) : !change.from && !(await isTaken(top, change.path));
    if (!isFree) left.push({ path: change.path, why: now && !change.from ? 'not-kept' : 'changed-meanwhile' });
    else if (change.to) open.set(change.to.id, [...(open.get(change.to.id) ?? []), change]);
  }
  for await (const blobs of readBlobs(workTree, [...open.keys()])) {
    for (const [id, content] of blobs) {
      for (const change of open.get(id) ?? []) if (change.to) await put(top, change.path, change.to, content, mark);
    }
  }
  return left;
}

const isRepository = ({ from, to }: TreeChange): boolean =>
  from?.mode === REPOSITORY_MODE || to?.mode === REPOSITORY_MODE;

/** What is there under this name, reached through folders of the project alone. */
async function standsAt(top: string, { path: name, from, to }: TreeChange): Promise<TreeEntry | undefined> {
  if (!(await isInFolder(top, path.posix.dirname(name), new Map()))) return undefined;
  return entryOnDisk(path.join(top, name), (from ?? to)?.id.length ?? 40);
}

/** Something that is no file of ours stands there, or in the way to it. */
async function isTaken(top: string, name: string): Promise<boolean> {
  for (let at = name, isLeaf = true; at !== '.'; at = path.posix.dirname(at), isLeaf = false) {
    const facts = await lstat(path.join(top, at)).catch(() => undefined);
    if (!facts || (facts.isDirectory() && (!isLeaf || (await isEmptied(path.join(top, at)))))) continue;
    return true;
  }
  return false;
}

/** Folders without a file are nothing that git knows of: they make room. */
async function isEmptied(folder: string): Promise<boolean> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!entry.isDirectory() || !(await isEmptied(path.join(folder, entry.name)))) return false;
  }
  await rmdir(folder);
  return true;
}

function isSame(one: TreeEntry | undefined, other: TreeEntry | undefined): boolean {
  return one?.id === other?.id && (one?.mode === other?.mode || process.platform === 'win32');
}

async function put(top: string, name: string, { mode }: TreeEntry, content: Buffer, mark: string): Promise<void> {
  const file = path.join(top, name);
  const half = halfOf(top, name, mark);
  await mkdir(path.dirname(file), { recursive: true });
  if (mode === LINK_MODE) await symlink(content, half);
  else {
    const before = await lstat(file).catch(() => undefined);
    const usual = before?.isFile() ? before.mode & 0o777 : 0o666 & ~process.umask();
    const execute = (usual & 0o444) >> 2;
    await writeFile(half, content, { flag: 'wx' });
    await chmod(half, mode === '100755' ? usual | execute : usual & ~0o111);
  }
  await rename(half, file);
}

async function removeFile(top: string, name: string): Promise<void> {
  await rm(path.join(top, name), { force: true });
  for (let folder = path.posix.dirname(name); folder !== '.'; folder = path.posix.dirname(folder)) {
    // Until one is not empty.
    const isGone = await rmdir(path.join(top, folder)).then(
      () => true,
      () => false,
    );
    if (!isGone) return;
  }
}

const halfOf = (top: string, name: string, mark: string): string =>
  path.join(top, path.posix.dirname(name), `.glassbox-${mark}-${path.posix.basename(name).slice(0, 60)}`);
