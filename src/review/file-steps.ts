/** What became of a file in each span of its folder's time, also under the name that it had before. */
import { type Call, type KnownEdit, linesOf, type Span, type Step } from '../attribution/index.js';
import { type FileVersions, fileVersions, type WorkTree } from '../checkpoint/index.js';
import type { FolderTime } from './folder-time.js';

/** Undefined where it is no text, or too large, at some moment: then nothing is told. */
export async function fileSteps(
  workTree: WorkTree,
  time: Pick<FolderTime, 'callsIn'>,
  spans: readonly Span[],
  paths: readonly string[],
): Promise<Map<string, Step[] | undefined>> {
  const commits = spans.flatMap(({ from, to }) => [from, to]);
  const versions = await fileVersions(workTree, commits, paths);
  const asked: Asked = { workTree, time, spans, commits, versions };
  const changes = new Map<string, Change[]>();
  for (const path of paths) changes.set(path, await changesOf(path, asked));
  // All texts at once: to start git for each file would take longer than all the rest.
  const texts = await versions.read([...changes.values()].flat().flatMap(idsOf));
  const found = new Map<string, Step[] | undefined>();
  for (const [path, own] of changes) found.set(path, await stepsOf(own, texts, time));
  return found;
}

interface Asked {
  workTree: WorkTree;
  time: Pick<FolderTime, 'callsIn'>;
  spans: readonly Span[];
  commits: readonly string[];
  versions: FileVersions;
}

/** A span in which it changed. */
interface Change {
  span: Span;
  before: string | undefined;
  after: string | undefined;
  /** What it was called, and is called after it. */
  names: readonly [string, string];
}

const idsOf = ({ before, after }: Change): string[] => [before, after].flatMap((id) => id ?? []);

async function stepsOf(
  changes: readonly Change[],
  texts: ReadonlyMap<string, string>,
  time: Asked['time'],
): Promise<Step[] | undefined> {
  if (changes.flatMap(idsOf).some((id) => !texts.has(id))) return undefined;
  const textOf = (id: string | undefined) => (id === undefined ? undefined : texts.get(id));
  return Promise.all(
    changes.map(async ({ span, before, after, names }): Promise<Step> => {
      if (span.rewind)
        return { before: textOf(before), after: textOf(after), ...ALONE, rewind: span.rewind, last: span.last };
      const { calls, commands, lingering } = await time.callsIn(span);
      const { turns, isPartlyOutside, last } = span;
      return {
        before: textOf(before),
        after: textOf(after),
        turns: [...turns, ...lingering],
        isPartlyOutside: isPartlyOutside && turns.length + lingering.length > 0,
        last,
        calls: calls.flatMap((call) => editsOf(call, names)),
        commands,
      };
    }),
  );
}

const ALONE = { turns: [], isPartlyOutside: false, calls: [], commands: [] } as const;

/** From the newest back, because only the new name is known; the oldest first in the end. */
async function changesOf(path: string, { workTree, spans, commits, versions }: Asked): Promise<Change[]> {
  const changes: Change[] = [];
  let [name, known] = [path, versions];
  for (const span of spans.toReversed()) {
    const [before, after] = [known.idOf(span.from, name), known.idOf(span.to, name)];
    if (before === after) continue;
    const earlier = before === undefined && after !== undefined ? await nameBefore(span, after, known) : undefined;
    if (!earlier) {
      changes.unshift({ span, before, after, names: [name, name] });
      continue;
    }
    changes.unshift({ span, before: earlier.id, after, names: [earlier.path, name] });
    name = earlier.path;
    known = await fileVersions(workTree, commits, [name]);
  }
  return changes;
}

/** The file that went while this one came, if most of its lines are the same. */
async function nameBefore(
  { from, to }: Span,
  id: string,
  versions: FileVersions,
): Promise<{ path: string; id: string } | undefined> {
  const gone = (await versions.gone(from, to)).slice(0, MOST_GONE);
  const same = gone.filter((one) => one.id === id);
  if (same.length > 0) return same.length === 1 ? same[0] : undefined;
  const texts = await versions.read([id, ...gone.map((one) => one.id)]);
  const own = new Set(linesOf(texts.get(id)).filter((line) => line.trim() !== ''));
  const alike = gone.filter((one) => {
    const lines = linesOf(texts.get(one.id)).filter((line) => line.trim() !== '');
    const shared = lines.filter((line) => own.has(line)).length;
    return shared > 0 && shared * 2 >= Math.max(lines.length, own.size);
  });
  return alike.length === 1 ? alike[0] : undefined;
}

/** More are not compared. */
const MOST_GONE = 50;

/** A call with its edits of this file alone. */
function editsOf(call: Call, [old, now]: readonly [string, string]): Call[] {
  const edits = call.edits.flatMap((edit): KnownEdit[] => {
    if (edit.path !== old && edit.path !== now) return [];
    const isAway = edit.kind === 'move' && edit.to !== undefined && edit.to !== now;
    return [isAway ? { path: edit.path, kind: 'delete' } : edit];
  });
  return edits.length === 0 ? [] : [{ ...call, edits }];
}
