/** Which files of a session were read, as they were then: the mark falls off when a file changes again. Kept by this browser. */
import { useMemo, useState } from 'preact/hooks';
import type { ReviewFile } from './review-file.js';

export interface Seen {
  isSeen(file: ReviewFile): boolean;
  toggle(file: ReviewFile): void;
}

export function useSeenFiles(session: string): Seen {
  const key = `seen ${session}`;
  const [versions, setVersions] = useState(() => read(key));
  // The same as long as nothing else was seen: all rows of the list are made anew with another one.
  return useMemo(() => {
    const isSeen = ({ path, version }: ReviewFile) => versions.get(path) === version;
    return {
      isSeen,
      toggle(file) {
        const next = new Map(versions);
        if (isSeen(file)) next.delete(file.path);
        else next.set(file.path, file.version);
        setVersions(next);
        write(key, next);
      },
    };
  }, [key, versions]);
}

function read(key: string): ReadonlyMap<string, unknown> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    const pairs: unknown[] = Array.isArray(kept) ? kept : [];
    return new Map(pairs.flatMap((pair) => (Array.isArray(pair) ? [[String(pair[0]), pair[1]] as const] : [])));
  } catch {
    return new Map();
  }
}

function write(key: string, versions: ReadonlyMap<string, unknown>): void {
  try {
    if (versions.size === 0) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify([...versions]));
  } catch {
    // A browser that keeps nothing, or has no room: the marks live as long as the page.
  }
}
