/** Who made what a session changed, part by part, of some of its files at a time; where nothing proves anybody, nobody is named. */
import { setImmediate } from 'node:timers/promises';
import { blame, type HunkMaker, hunkMakers } from '../attribution/index.js';
import { changeLines, type Stretch } from '../checkpoint/index.js';
import { fileSteps } from './file-steps.js';
import { folderTime, type ReadableStore } from './folder-time.js';

export interface FileMakers {
  path: string;
  /** For each of its parts, in their order: who made most of it first. Empty: nothing is known. */
  makers: HunkMaker[][];
}

export async function changeMakers(
  store: ReadableStore,
  stretch: Stretch,
  page: { from?: string | undefined; limit: number },
  dir?: string,
): Promise<{ files: FileMakers[]; next?: string }> {
  const { workTree, to, turns } = stretch;
  const [first, last] = [turns[0]?.before, turns.at(-1)?.after];
  const [{ files, next }, time] = await Promise.all([changeLines(stretch, page), folderTime(store, workTree.top, dir)]);
  const spans = time
    .spans(last ? undefined : { commit: to, at: Date.now() })
    .filter(({ begin, end }) => begin >= (first?.at ?? 0) && end <= (last?.at ?? end));
  const steps = await fileSteps(
    workTree,
    time,
    spans,
    files.map(({ path }) => path),
  );
  const told: FileMakers[] = [];
  for (const { path, hunks, before, after } of files) {
    const own = steps.get(path);
    const made = own && own.length > 0 && own[0]?.before === before ? blame(own) : undefined;
    // What is kept of the way must lead from what is shown to what is shown.
    told.push({ path, makers: made && made.text === after ? hunkMakers(hunks, made) : hunks.map(() => []) });
    // Others ask meanwhile, and agents are read.
    await setImmediate();
  }
  return { files: told, ...(next !== undefined && { next }) };
}
