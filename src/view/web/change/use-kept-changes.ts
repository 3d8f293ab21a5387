/** The changes of a session by the files that are kept: the list first, then the lines, some files at a time, those that are looked at first. */
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ChangedLines, ChangeLines, SessionChanges, SessionFile } from '../../../client/index.js';
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
  const early = useRef<Promise<ChangeLines | undefined>>();

  useEffect(() => {
    if (!isWanted) return;
    let isCurrent = true;
    const isFirst = loaded?.about !== about;
    if (isFirst) early.current = client.changeLines(session, { ...query, limit: FIRST_FILES }).catch(() => undefined);
    const show = (changes: SessionChanges) => isCurrent && setAnswer({ about, changes });
    // What is to be read comes before what became of it since, for which the whole folder is looked at.
    const brief = isFirst ? client.changes(session, { ...query, brief: true }).then(show, () => undefined) : undefined;
    Promise.resolve(brief)
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

  useEffect(() => {
    if (!changes) return;
    let isCurrent = true;
    const load = async () => {
      const versions = new Map(changes.files.map(({ path, version }) => [path, version]));
      const pause = createYield();
      const take = async (files: readonly ChangedLines[], from?: string) => {
        const next = new Map(newest.current);
        // What is not told has no lines, and is not asked for again.
        if (from !== undefined) next.set(from, { version: versions.get(from) ?? '', parts: [], cut: 0 });
        for (const file of files) {
          next.set(file.path, { version: versions.get(file.path) ?? '', ...readParts(file) });
          await pause();
        }
        if (!isCurrent) return;
        newest.current = next;
        setLoaded({ about, lines: next });
      };
      // What was asked for with the list, where nobody changes the files meanwhile.
      const isStill = changes.files.every(({ state }) => state !== 'under-way');
      const asked = early.current;
      early.current = undefined;
      const told = isStill ? await asked : undefined;
      if (told && isCurrent) await take(told.files);
      for (let most = told ? MORE_LINES : FIRST_LINES; isCurrent; most = MORE_LINES) {
        const batch = nextBatch(changes.files, newest.current, wanted.current, most);
        if (!batch) return;
        const { files } = await client.changeLines(session, { ...query, ...batch });
        if (isCurrent) await take(files, batch.from);
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

function readParts({ path, hunks, cut }: ChangedLines): Pick<ReviewFile, 'parts' | 'cut'> {
  const parts = hunks.map((hunk) => ({ rows: rowsOf([hunk]) }));
  for (const part of parts) linesOf(part, path);
  return { parts, cut };
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
