/** What is kept of the files of sessions goes with them. */
import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { checkpointDirectory } from './directory.js';
import { git, gitText, tryGit } from './git.js';
import { readRecord, readRecords, refsOf, removeRecord } from './record.js';
import { readEntries, refsOfRewind, removeEntry } from './rewind-record.js';
import { findWorkTree, type WorkTree } from './work-tree.js';

export interface ForgottenSession {
  id: string;
  runs: readonly { runId: string }[];
}

/** What cannot be removed now, as on a disk that is away, is left. Never rejects for that. */
export async function forgetSessions(
  sessions: readonly ForgottenSession[],
  dir: string = checkpointDirectory(),
): Promise<void> {
  const ids = new Set(sessions.map(({ id }) => id));
  for (const { id, top } of (await readEntries(dir)).filter(({ session }) => ids.has(session))) {
    const workTree = await findWorkTree(top, dir).catch(() => undefined);
    if (workTree && (await isForgotten(workTree, refsOfRewind(id)))) await removeEntry(dir, id);
  }
  for (const { runId } of sessions.flatMap(({ runs }) => runs)) await forgetRun(dir, runId);
}

/** What `keepMoment` kept in the repository of a folder, under this name. */
export async function forgetRefs(top: string, under: string, dir: string = checkpointDirectory()): Promise<void> {
  const workTree = await findWorkTree(top, dir).catch(() => undefined);
  if (workTree) await isForgotten(workTree, under);
}

async function forgetRun(dir: string, runId: string): Promise<void> {
  const record = await readRecord(dir, runId);
  if (!record) return;
  const workTree = await findWorkTree(record.top, dir).catch(() => undefined);
  // A work tree that was removed leaves what is kept of it in the repository.
  const { repository } = record;
  const theirs =
    workTree?.theirs ?? (repository === undefined ? undefined : { cwd: repository, at: { GIT_DIR: repository } });
  const isDone = theirs && (await isForgotten({ theirs }, refsOf(runId)));
  if (isDone || record.kind === 'plain') await removeRecord(dir, runId);
  if (record.kind === 'plain') await tidyPlain(dir, record.top, workTree);
}

async function isForgotten({ theirs }: Pick<WorkTree, 'theirs'>, under: string): Promise<boolean> {
  try {
    const lines = await gitText(['for-each-ref', '--format=delete %(refname)', under], theirs);
    if (lines !== '') await git(['update-ref', '--stdin'], { ...theirs, input: `${lines}\n` });
    return true;
  } catch {
    return false;
  }
}

/** Our own repository of a folder without git goes with the last run that was there; until then what nobody needs is cleaned away. */
async function tidyPlain(dir: string, top: string, workTree: WorkTree | undefined): Promise<void> {
  if ((await readRecords(dir)).some((other) => other.top === top)) {
    if (workTree) await tryGit(['gc', '-q', '--prune=now'], workTree.theirs);
    return;
  }
  const sides = path.join(dir, 'trees');
  for (const name of await readdir(sides).catch(() => [])) {
    const side = path.join(sides, name);
    if ((await readFile(path.join(side, 'top'), 'utf8').catch(() => undefined)) === top)
      await rm(side, { recursive: true, force: true });
  }
}
