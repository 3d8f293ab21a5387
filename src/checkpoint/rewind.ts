/** Takes files back to what they were, after everything as it is was kept; so that it can be taken back itself. */
import { randomUUID } from 'node:crypto';
import { GlassboxError } from '../event/index.js';
import { thisProcess } from '../run/process/reaper.js';
import { apply } from './apply.js';
import { readBlobs } from './blobs.js';
import type { LeftFile, Rewound } from './checkpoint.js';
import { commitWith } from './commit-with.js';
import { checkpointDirectory } from './directory.js';
import { gitText } from './git.js';
import type { PreparedChange } from './rewind-plan.js';
import { cutOff, type RewindEntry, readEntries, refsOfRewind, writeEntry } from './rewind-record.js';
import { anchor, take } from './take.js';
import { changesBetween, hunksBetween, type TreeChange, withHunks } from './tree-change.js';
import { findWorkTree, type WorkTree } from './work-tree.js';

export interface RewindChoice {
  /** Only these files of the plan; default all. */
  paths?: readonly string[] | undefined;
  /** Of these files only some hunks, by their positions. */
  hunks?: Readonly<Record<string, readonly number[]>> | undefined;
}

/** Does what a plan shows, or a part of it. Throws `conflict` when the files are no longer what the plan was made of. */
export async function rewind(
  plan: PreparedChange,
  { session, to, applies, conversation }: Pick<RewindEntry, 'session' | 'to' | 'applies' | 'conversation'>,
  choice: RewindChoice = {},
  dir: string = checkpointDirectory(),
): Promise<Rewound> {
  const { workTree, now, then, files } = plan;
  const wanted = new Set(choice.paths ?? (choice.hunks ? Object.keys(choice.hunks) : files.map((file) => file.path)));
  const strange = [...wanted].find((name) => !files.some((file) => file.path === name));
  if (strange !== undefined)
    throw new GlassboxError('not-found', `${strange} is not among the files that would change.`);
  const changes = (await changesBetween(workTree, now, then)).filter((change) => wanted.has(change.path));
  const after = await commitWith(
    workTree,
    now,
    await Promise.all(changes.map((change) => chosen(plan, change, choice))),
  );
  if (after === now && !conversation) return { id: '', files: 0, left: [] };
  const also = { ...(applies && { applies }), ...(conversation && { conversation }) };
  return perform(workTree, { session, to, before: now, after, ...also }, dir);
}

/** The latest rewind of a session that was not taken back. */
export async function latestRewind(
  session: string,
  dir: string = checkpointDirectory(),
): Promise<RewindEntry | undefined> {
  const entries = (await readEntries(dir)).filter((entry) => entry.session === session);
  const undone = new Set(entries.map(({ undoes }) => undoes));
  return entries.findLast(({ id, undoes }) => undoes === undefined && !undone.has(id));
}

/** Takes the latest rewind of a session back, as far as nobody changed its files since. Undefined when there is none. */
export async function undoRewind(session: string, dir: string = checkpointDirectory()): Promise<Rewound | undefined> {
  const last = await latestRewind(session, dir);
  if (!last) return undefined;
  const workTree = await findWorkTree(last.top, dir);
  const now = await take(workTree);
  const back = new Map(
    (await changesBetween(workTree, last.before, last.after)).map((change) => [change.path, change]),
  );
  const since = new Set((await changesBetween(workTree, last.after, now.commit)).map((change) => change.path));
  const left = [...back.keys()].filter((name) => since.has(name));
  const changes = [...back.values()]
    .filter(({ path: name }) => !since.has(name))
    .map(({ path: name, from }) => ({ path: name, ...(from && { to: from }) }));
  const after = await commitWith(workTree, now.commit, changes);
  const done = await perform(workTree, { ...undoing(last), before: now.commit, after }, dir);
  return { ...done, left: [...done.left, ...left.map((name): LeftFile => ({ path: name, why: 'changed-meanwhile' }))] };
}

function undoing({
  id,
  session,
  to,
  applies,
}: RewindEntry): Pick<RewindEntry, 'session' | 'to' | 'applies' | 'undoes'> {
  return applies
    ? { session, to: `${to}, taken out again`, applies, undoes: id }
    : { session, to: `before the rewind to ${to}`, undoes: id };
}

export interface Finished {
  entry: RewindEntry;
  left: LeftFile[];
}

/** Finishes what a killed glassbox began. Never rejects: a folder that is away is left to the next one. */
export async function finishRewinds(dir: string = checkpointDirectory()): Promise<Finished[]> {
  const finished: Finished[] = [];
  for (const entry of await cutOff(dir).catch(() => [])) {
    try {
      const workTree = await findWorkTree(entry.top, dir);
      const left = await apply(workTree, entry.before, entry.after, entry.id);
      await writeEntry(dir, { ...entry, state: 'done' });
      finished.push({ entry, left });
    } catch {
      // Told by the next one that can.
    }
  }
  return finished;
}

async function perform(
  workTree: WorkTree,
  facts: Pick<RewindEntry, 'session' | 'to' | 'before' | 'after' | 'undoes' | 'conversation'>,
  dir: string,
): Promise<Rewound> {
  const id = randomUUID();
  await anchor(workTree, `${refsOfRewind(id)}/before`, facts.before);
  await anchor(workTree, `${refsOfRewind(id)}/after`, facts.after);
  const entry: RewindEntry = {
    id,
    top: workTree.top,
    at: Date.now(),
    state: 'begun',
    owner: await thisProcess(),
    ...facts,
  };
  await writeEntry(dir, entry);
  const left = await apply(workTree, facts.before, facts.after, id);
  await writeEntry(dir, { ...entry, state: 'done' });
  const changed = await changesBetween(workTree, facts.before, facts.after);
  return { id, files: changed.length - left.length, left };
}

/** A change with the content that it shall have when only some of its hunks are wanted. */
async function chosen(plan: PreparedChange, change: TreeChange, { hunks }: RewindChoice): Promise<TreeChange> {
  const positions = hunks?.[change.path];
  if (positions === undefined) return change;
  const { workTree, now, then } = plan;
  const all = await hunksBetween(workTree, now, then, change.path);
  if (positions.some((position) => !all[position]))
    throw new GlassboxError('invalid-request', `${change.path} has ${all.length} hunks, counted from 0.`);
  // A file that comes or goes whole has one hunk; without it nothing is wanted.
  if (!change.from || !change.to)
    return positions.length > 0 ? change : { ...change, ...(change.from && { to: change.from }) };
  let old: Buffer = Buffer.alloc(0);
  for await (const blobs of readBlobs(workTree, [change.from.id])) old = blobs.get(change.from.id) ?? old;
  const content = withHunks(old, all, positions);
  const id = await gitText(['hash-object', '-w', '--no-filters', '--stdin'], { ...workTree.ours(), input: content });
  return { ...change, to: { mode: positions.length === all.length ? change.to.mode : change.from.mode, id } };
}
