/** What sessions that worked in the folder at the same time would lose by a rewind: kept moments alone cannot tell whose a change was, what was told can. */
import type { PreparedRewind } from '../checkpoint/index.js';
import { folderTime, type ReadableStore } from './folder-time.js';

/** The plan of a session, with each file that another one says it edited since then marked as that of others, too. */
export async function markEditsOfOthers<Plan extends PreparedRewind>(
  store: ReadableStore,
  session: string,
  plan: Plan,
): Promise<Plan> {
  if (plan.files.length === 0) return plan;
  const edited = await editedByOthers(store, session, plan);
  return {
    ...plan,
    files: plan.files.map((file) => (edited.has(file.path) ? { ...file, byOthers: true as const } : file)),
  };
}

async function editedByOthers(
  store: ReadableStore,
  session: string,
  { top, at, now }: PreparedRewind,
): Promise<Set<string>> {
  const time = await folderTime(store, top, undefined, at);
  const edited = new Set<string>();
  for (const span of time.spans({ commit: now, at: Date.now() })) {
    // To read what a session told takes a while: only where there is another.
    if (span.end < at || !span.turns.some((turn) => turn.session !== session)) continue;
    const { calls } = await time.callsIn(span);
    for (const call of calls) {
      if (call.session === session || call.at < at) continue;
      for (const { path, to } of call.edits) for (const name of [path, to]) if (name !== undefined) edited.add(name);
    }
  }
  return edited;
}
