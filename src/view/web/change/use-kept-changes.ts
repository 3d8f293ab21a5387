/** The changes of a session by the files that are kept: the list first, then the lines, some files at a time, those that are looked at first. */
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ChangedLines, SessionChanges, SessionFile } from '../../../client/index.js';
import { rowsOf } from '../../../consent/index.js';
import { createYield } from '../state/main-thread.js';
import { client, messageOf } from '../state/server.js';
import { linesOf } from './line-row.js';
import type { ReviewFile } from './review-file.js';

export interface KeptChanges {
  /** Absent while nothing is known. */
  changes: SessionChanges | undefined;
  files: readonly ReviewFile[];
  /** Why there are none. */
  refusal: string;
  /** Why what is shown is not all, or not the newest. */
  problem: string;
  /** Loads the lines of a file before those of the others. */
  want(path: string): void;
}

/** What is asked for at once: little first, so that there is something to read, of some files while nobody knows yet which there are. */
const FIRST_FILES = 6;
const FIRST_LINES = 600;
const MORE_LINES = 10_000;
const MOST_FILES = 200;

interface Loaded extends Pick<ReviewFile, 'parts' | 'cut'> {
  version: string;
}

/** `look`: another value looks again; `isWanted`: nothing is asked for otherwise. */
export function useKeptChanges(
  session: string,
  turn: number | undefined,
  look: string,
  isWanted: boolean,
): KeptChanges {
  const about = `${session} ${turn ?? ''}`;
  const [answer, setAnswer] = useState<Answer>();
  const [loaded, setLoaded] = useState<{ about: string; lines: ReadonlyMap<string, Loaded> }>();
  const wanted = useRef<string | undefined>();
  const made = useRef(new Map<string, ReviewFile>());
  const query = turn === undefined ? {} : { turn };

  // Before the browser draws, because somebody waits.
  useLayoutEffect(() => {
    if (!isWanted) return;
    let isCurrent = true;
    const show = (next: SessionChanges) => isCurrent && setAnswer({ about, changes: next });
    const readFirst = async () => {
      const [list, told] = await Promise.all([
        client.changes(session, { ...query, brief: true }),
        client.changeLines(session, { ...query, limit: FIRST_FILES }).catch(() => undefined),
      ]);
      // Together, so that they are drawn once; what somebody changes meanwhile is asked for again.
      const isStill = list.files.every(({ state }) => state !== 'under-way');
      if (told && isStill && isCurrent) setLoaded({ about, lines: new Map(told.files.map(loadedFrom(list))) });
      show(list);
    };
    // What is to be read comes before what became of it since, for which the whole folder is looked at.
    const first = loaded?.about === about ? undefined : readFirst().catch(() => undefined);
    Promise.resolve(first)
      .then(() => client.changes(session, query))
      .then(show, (error: unknown) => isCurrent && setAnswer((before) => failed(before, about, messageOf(error))));
    return () => {
      isCurrent = false;
    };
  }, [about, look, isWanted]);

  const changes = answer?.about === about ? answer.changes : undefined;
  const lines = loaded?.about === about ? loaded.lines : NONE;
  const newest = useRef(lines);
  newest.current = lines;
  // The lines are the same, whatever became of the files since.
  const listed = useMemo(() => changes?.files.map(({ path, version }) => `${path} ${version}`).join('\n'), [changes]);

  useLayoutEffect(() => {
    if (!changes) return;
    let isCurrent = true;
    const load = async () => {
      const read = loadedFrom(changes);
      const pause = createYield();
      for (let most = newest.current.size > 0 ? MORE_LINES : FIRST_LINES; isCurrent; most = MORE_LINES) {
        const batch = nextBatch(changes.files, newest.current, wanted.current, most);
        if (!batch) return;
        const { files } = await client.changeLines(session, { ...query, ...batch });
        const next = new Map(newest.current);
        // What is not told has no lines, and is not asked for again.
        for (const file of [{ path: batch.from, hunks: [], cut: 0 }, ...files]) {
          next.set(...read(file));
          await pause();
        }
        if (!isCurrent) return;
        newest.current = next;
        setLoaded({ about, lines: next });
      }
    };
    load().catch((error: unknown) => isCurrent && setAnswer((before) => failed(before, about, messageOf(error))));
    return () => {
      isCurrent = false;
    };
  }, [about, listed]);

  const files = useMemo(() => {
    const before = made.current;
    const next = new Map(
      (changes?.files ?? []).map((file): [string, ReviewFile] => {
        const own = lines.get(file.path);
        const review = reviewOf(file, own?.version === file.version ? own : undefined);
        const old = before.get(file.path);
        return [file.path, old && isSame(old, review) ? old : review];
      }),
    );
    made.current = next;
    return [...next.values()];
  }, [changes, lines]);

  return {
    changes,
    files,
    refusal: (answer?.about === about && answer.refusal) || '',
    problem: (answer?.about === about && answer.problem) || '',
    want: useCallback((path: string) => {
      wanted.current = path;
    }, []),
  };
}

interface Answer {
  about: string;
  changes?: SessionChanges | undefined;
  refusal?: string | undefined;
  problem?: string | undefined;
}

/** What is there stays. */
function failed(before: Answer | undefined, about: string, why: string): Answer {
  const isThere = before?.about === about && before.changes !== undefined;
  return isThere ? { ...before, problem: why } : { about, refusal: why };
}

const NONE: ReadonlyMap<string, Loaded> = new Map();

function nextBatch(
  files: readonly SessionFile[],
  loaded: ReadonlyMap<string, Loaded>,
  wanted: string | undefined,
  mostLines: number,
): { from: string; limit: number } | undefined {
  const isMissing = ({ path, version }: SessionFile) => loaded.get(path)?.version !== version;
  const first = Math.max(
    files.findIndex((file) => file.path === wanted && isMissing(file)),
    -1,
  );
  const start = first >= 0 ? first : files.findIndex(isMissing);
  const from = files[start]?.path;
  if (from === undefined) return undefined;
  let lines = 0;
  let limit = 0;
  for (const file of files.slice(start, start + MOST_FILES)) {
    lines += (file.lines?.added ?? 0) + (file.lines?.removed ?? 0);
    if (limit > 0 && (lines > mostLines || !isMissing(file))) break;
    limit += 1;
  }
  return { from, limit };
}

/** The lines of a file, for the version that the list tells. */
function loadedFrom({ files }: SessionChanges): (told: ChangedLines) => [path: string, loaded: Loaded] {
  const versions = new Map(files.map(({ path, version }) => [path, version]));
  return ({ path, hunks, cut }) => {
    const parts = hunks.map((hunk) => ({ rows: rowsOf([hunk]) }));
    for (const part of parts) linesOf(part, path);
    return [path, { version: versions.get(path) ?? '', parts, cut }];
  };
}

function reviewOf(file: SessionFile, loaded: Loaded | undefined): ReviewFile {
  const { path, change, lines, turns, state, commit, version } = file;
  const shown = { path, change, lines, turns, state, commit, version, remarks: [] };
  return { ...shown, parts: loaded?.parts, cut: loaded?.cut ?? 0 };
}

function isSame(one: ReviewFile, other: ReviewFile): boolean {
  return (
    one.parts === other.parts &&
    one.version === other.version &&
    one.state === other.state &&
    one.commit?.id === other.commit?.id &&
    one.turns.length === other.turns.length
  );
}
