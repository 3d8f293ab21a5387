/** Who made the parts of the files of a review: asked for when their lines are there, some files at a time. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { FileMakers } from '../../../client/index.js';
import { entries, rowAt, type SessionState } from '../../../session/index.js';
import { client } from '../state/server.js';
import type { ReviewFile } from './review-file.js';

export interface Makers {
  /** Undefined while nobody knows. */
  of(file: ReviewFile, position: number): FileMakers['makers'][number] | undefined;
  rowOf(runId: string, toolId: string): string | undefined;
}

/** Each time all that worked in the folder is read, so not too few. */
const FILES_AT_ONCE = 200;

/** `about`: another session or turn; `version`: the files changed. */
export function useMakers(
  session: string,
  turn: number | undefined,
  files: readonly ReviewFile[],
  isWanted: boolean,
  state: SessionState,
): Makers {
  const isLoaded = files.length > 0 && files.every(({ parts }) => parts !== undefined);
  const about = `${session} ${turn ?? ''} ${isLoaded ? files.map(({ version }) => version).join() : ''}`;
  const [known, setKnown] = useState<{ about: string; makers: ReadonlyMap<string, FileMakers['makers']> }>();
  useEffect(() => {
    if (!isWanted || !isLoaded) return;
    let isCurrent = true;
    const load = async () => {
      const makers = new Map<string, FileMakers['makers']>();
      const query = { limit: FILES_AT_ONCE, ...(turn !== undefined && { turn }) };
      for (let from: string | undefined; isCurrent; ) {
        const page = await client.changeMakers(session, { ...query, ...(from !== undefined && { from }) });
        for (const file of page.files) makers.set(file.path, file.makers);
        if (isCurrent) setKnown({ about, makers: new Map(makers) });
        from = page.next;
        if (from === undefined) return;
      }
    };
    // What cannot be told is not shown: the lines are there all the same.
    load().catch(() => undefined);
    return () => {
      isCurrent = false;
    };
  }, [about, isWanted, isLoaded]);
  const rows = useMemo(() => callRows(state), [state.tools.rows]);
  return {
    of: ({ path }, position) => (known?.about === about ? known.makers.get(path)?.[position] : undefined),
    rowOf: (runId, toolId) => rows.get(`${runId} ${toolId}`),
  };
}

/** A call → its row in the conversation. */
function callRows(state: SessionState): ReadonlyMap<string, string> {
  const rows = new Map<string, string>();
  for (const [number, { id, run }] of entries(state.tools.rows))
    rows.set(`${rowAt(state.runs, run)?.runId} ${id}`, `t${number}`);
  return rows;
}
