/** The browsers that were let in: a file each, with nothing in it that would let anybody in. A browser without its file is unknown. */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { BrowserRecord } from '../client/api.js';
import { readPrivately, writePrivately } from './private-file.js';

export interface KnownBrowser extends BrowserRecord {
  /** The public half of its key. */
  key: string;
}

export interface KnownBrowsers {
  list(): KnownBrowser[];
  find(id: string): KnownBrowser | undefined;
  keep(browser: KnownBrowser): void;
  /** It is here again. False when it was sent away. */
  touch(id: string): boolean;
  /** False when there is none. */
  forget(id: string): boolean;
  isKnown(id: string): boolean;
}

/** Who did not come for so long has to be let in again. */
const FORGET_MS = 90 * 24 * 60 * 60 * 1000;

/** Without a folder they are forgotten with the server. */
export function openKnownBrowsers(folder?: string, now: () => number = Date.now): KnownBrowsers {
  const known = new Map<string, KnownBrowser>();
  const fileOf = (id: string): string | undefined => {
    // An id comes from a request, so it must not lead anywhere else.
    return folder === undefined || !/^\w+$/.test(id) ? undefined : path.join(folder, 'browsers', `${id}.json`);
  };

  const find = (id: string): KnownBrowser | undefined => {
    const file = fileOf(id);
    if (folder !== undefined && (file === undefined || !existsSync(file))) return undefined;
    const browser = known.get(id) ?? (file === undefined ? undefined : read(file));
    if (!browser || now() - browser.usedAt > FORGET_MS) return undefined;
    known.set(id, browser);
    return browser;
  };

  const keep = (browser: KnownBrowser): void => {
    known.set(browser.id, browser);
    const file = fileOf(browser.id);
    if (file !== undefined) writePrivately(file, JSON.stringify(browser));
  };

  return {
    find,
    keep,
    isKnown: (id) => find(id) !== undefined,
    touch(id) {
      const browser = find(id);
      if (browser) keep({ ...browser, usedAt: now() });
      return browser !== undefined;
    },
    list() {
      const ids = folder === undefined ? [...known.keys()] : idsIn(path.join(folder, 'browsers'));
      return ids.flatMap((id) => find(id) ?? []).sort((left, right) => right.usedAt - left.usedAt);
    },
    forget(id) {
      const isThere = find(id) !== undefined;
      known.delete(id);
      const file = fileOf(id);
      if (file !== undefined) rmSync(file, { force: true });
      return isThere;
    },
  };
}

function idsIn(folder: string): string[] {
  try {
    return readdirSync(folder).flatMap((name) => /^(\w+)\.json$/.exec(name)?.[1] ?? []);
  } catch {
    return [];
  }
}

function read(file: string): KnownBrowser | undefined {
  try {
    const value: unknown = JSON.parse(readPrivately(file) ?? '');
    return isKnownBrowser(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isKnownBrowser(value: unknown): value is KnownBrowser {
  if (typeof value !== 'object' || value === null) return false;
  const { id, name, origin, key, createdAt, usedAt } = value as Record<string, unknown>;
  const texts = [id, name, origin, key].every((part) => typeof part === 'string');
  return texts && [createdAt, usedAt].every((part) => typeof part === 'number');
}
