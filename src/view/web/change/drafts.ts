/** Comments that are being written: they are still there when the page is loaded again. */
import { useMemo, useState } from 'preact/hooks';
import type { ChosenPlace } from './comment-place.js';

export interface Draft extends ChosenPlace {
  key: string;
  path: string;
  /** Of which turn the changes were looked at. */
  turn?: number | undefined;
  /** The comment that is written anew. */
  comment?: string | undefined;
  text: string;
}

export interface Drafts {
  all: readonly Draft[];
  /** As it is written so far. */
  textOf(key: string): string;
  open(draft: Draft): void;
  /** Other lines are meant. */
  move(key: string, place: ChosenPlace): void;
  /** Kept without drawing anything. */
  write(key: string, text: string): void;
  close(key: string): void;
}

export function useDrafts(session: string): Drafts {
  const name = `review drafts ${session}`;
  const [all, setAll] = useState<readonly Draft[]>(() => read(name));
  const texts = useMemo(() => new Map(all.map(({ key, text }) => [key, text])), []);
  const withTexts = (drafts: readonly Draft[]) => drafts.map((one) => ({ ...one, text: texts.get(one.key) ?? '' }));
  const set = (change: (before: readonly Draft[]) => readonly Draft[]) =>
    setAll((before) => {
      const next = change(withTexts(before));
      keep(name, next);
      return next;
    });
  return {
    all,
    textOf: (key) => texts.get(key) ?? '',
    open(draft) {
      if (all.some(({ key }) => key === draft.key)) return;
      texts.set(draft.key, draft.text);
      set((before) => [...before, draft]);
    },
    move: (key, place) => set((before) => before.map((one) => (one.key === key ? { ...one, ...place } : one))),
    write(key, text) {
      texts.set(key, text);
      keep(name, withTexts(all));
    },
    close(key) {
      texts.delete(key);
      set((before) => before.filter((one) => one.key !== key));
    },
  };
}

function read(name: string): Draft[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(name) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isDraft) : [];
  } catch {
    return [];
  }
}

function isDraft(value: unknown): value is Draft {
  if (typeof value !== 'object' || value === null) return false;
  const of = new Map<string, unknown>(Object.entries(value));
  return (
    ['key', 'path', 'side', 'text'].every((name) => typeof of.get(name) === 'string') && Array.isArray(of.get('quote'))
  );
}

function keep(name: string, drafts: readonly Draft[]): void {
  const written = drafts.filter(({ text }) => text.trim() !== '');
  try {
    if (written.length === 0) localStorage.removeItem(name);
    else localStorage.setItem(name, JSON.stringify(written));
  } catch {
    // A browser that keeps nothing, or has no room: they live as long as the page.
  }
}
