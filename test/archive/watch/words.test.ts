/** Words that were left for later are read while somebody watches: all of them, also when it was stopped in between, and the sums stay. */
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { claude } from '../../../src/agent/claude/index.js';
import { findConversations, importFigures, type WordsProgress, watchTranscripts } from '../../../src/archive/index.js';
import { openStore, type Store } from '../../../src/store/index.js';

test('words come while somebody watches, and the figures stay', async () => {
  const { home, store, wordless } = await counted();
  const sums = await store.totals({ by: 'model' });
  const told: WordsProgress[] = [];
  await watched(home, store, (progress) => {
    told.push(progress);
    return progress.read === progress.of;
  });
  expect(told.map(({ read }) => read)).toEqual(Array.from({ length: wordless + 1 }, (_, read) => read));
  expect(told.every(({ of }) => of === wordless)).toBe(true);
  expect(await onlyFigures(store)).toEqual([]);
  expect(await store.totals({ by: 'model' })).toEqual(sums);
  expect((await store.search({ text: 'let me look' })).items.length).toBeGreaterThan(0);
});

test('whoever stops it loses nothing, and the next one goes on', async () => {
  const { home, store, wordless } = await counted();
  await watched(home, store, ({ read }) => read === 1);
  const left = await onlyFigures(store);
  expect(left).toHaveLength(wordless - 1);
  const told: WordsProgress[] = [];
  await watched(home, store, (progress) => {
    told.push(progress);
    return progress.read === progress.of;
  });
  expect(told[0]).toEqual({ read: 0, of: wordless - 1 });
  expect(await onlyFigures(store)).toEqual([]);
});

test('what is to be ignored stays without words, by its file or by its project', async () => {
  const { home, store, wordless } = await counted((home) => {
    const file = join(home, '.claude/projects/-v1-0-128-multi-block/f2b2be6e-505b-49a1-81ba-2def5a56eee4.jsonl');
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll('"cwd":"/repo"', '"cwd":"/secret"'));
  });
  const isIgnored = (path: string) => path === '/secret' || path.includes('-hooks-all');
  await watched(home, store, ({ read, of }) => read === of, isIgnored);
  const left = await onlyFigures(store);
  expect(left).toContain('claude-transcript-f2b2be6e-505b-49a1-81ba-2def5a56eee4');
  expect(left.length).toBeGreaterThan(1);
  expect(left.length).toBeLessThan(wordless);
});

/** A home of which only the figures were read. */
async function counted(change: (home: string) => void = () => {}) {
  const home = mkdtempSync(join(tmpdir(), 'glassbox-words-'));
  cpSync('test/archive/recordings/projects', join(home, '.claude/projects'), { recursive: true });
  change(home);
  const store = await openStore(join(home, 'store.db'));
  onTestFinished(() => store.close());
  const conversations = await findConversations(claude, join(home, '.claude/projects'));
  const { wordless } = await importFigures({ store, conversations });
  expect(wordless).toBeGreaterThan(1);
  return { home, store, wordless };
}

/** Watches until the progress is what is wanted. */
async function watched(
  home: string,
  store: Store,
  isEnough: (progress: WordsProgress) => boolean,
  isIgnored: (path: string) => boolean = () => false,
): Promise<void> {
  const stop = new AbortController();
  const onWords = (progress: WordsProgress) => isEnough(progress) && stop.abort();
  const options = { agents: [claude], env: {}, home, store, signal: stop.signal, isIgnored, onWords };
  await watchTranscripts({ ...options, pace: { recentMs: 0 } }).done;
}

async function onlyFigures(store: Store): Promise<string[]> {
  return (await store.sources()).filter((source) => source.onlyFigures).map(({ runId }) => runId);
}
