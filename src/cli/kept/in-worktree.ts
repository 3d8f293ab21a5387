/** A run in a work tree of its own: made before, and afterwards removed when nothing changed in it, or kept and told. */
import { checkpointAt, findTurns } from '../../checkpoint/index.js';
import { GlassboxError } from '../../event/index.js';
import { makeWorktree, releaseWorktree, reuseWorktree, type WorktreeRecord } from '../../worktree/index.js';
import { parseTurn } from '../flag/parse-turn.js';
import type { StoreFlag } from '../flag/store-flag.js';
import { note } from '../print/note.js';
import { configurationFor } from '../run-request.js';
import { namedSession } from './named-session.js';
import { withStore } from './with-store.js';

type Flags = StoreFlag & { at?: string; quiet?: boolean };

export async function inWorktree(
  flags: Flags,
  project: string,
  process: NodeJS.Process,
  work: (cwd: string) => Promise<void>,
): Promise<void> {
  const { settings } = await configurationFor(project, process);
  const from = flags.at === undefined ? undefined : await momentOf(flags, flags.at, project);
  const { record, cwd, missing } = await makeWorktree({ cwd: project, copy: settings.worktree?.copy, from });
  if (!flags.quiet) note(process.stderr, `working in ${record.path}, on the branch ${record.branch}.`);
  for (const name of missing)
    note(process.stderr, `${name} is to be copied there (worktree.copy), and is not in the project.`);
  await released(record, flags, process, () => work(cwd));
}

/** The same for a session that goes on: in its own work tree, which may have to be made again, or where it was. */
export async function inOwnWorktree(
  flags: Flags,
  cwd: string | undefined,
  process: NodeJS.Process,
  work: () => Promise<void>,
): Promise<void> {
  const record = cwd === undefined ? undefined : await reuseWorktree(cwd);
  if (!record) return work();
  await released(record, flags, process, work);
}

async function released(
  record: WorktreeRecord,
  { quiet }: Flags,
  { stderr }: NodeJS.Process,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } finally {
    const became = await releaseWorktree(record);
    const { path, branch, name } = record;
    if (became === 'kept')
      note(
        stderr,
        `what was done is in ${path}, on the branch ${branch}. glassbox apply ${name} brings it into your files, glassbox worktrees ${name} --remove discards it.`,
      );
    else if (!quiet) note(stderr, 'nothing changed in its work tree, which was removed.');
  }
}

async function momentOf(flags: Flags, ref: string, cwd: string): Promise<{ commit: string; head?: string }> {
  const { id, turn } = parseTurn(ref);
  if (turn === undefined)
    throw new GlassboxError('invalid-request', `Say which turn, as ${id}@2. glassbox rewind ${id} lists them.`);
  const session = await withStore(flags, (store) => namedSession(store, id, cwd));
  const { commit = '', head } = checkpointAt(await findTurns(session.runs), { turn }).checkpoint;
  if (head === undefined)
    throw new GlassboxError(
      'invalid-request',
      'The files of that session are in no git repository with a commit, so there is no work tree of it.',
    );
  return { commit, head };
}
