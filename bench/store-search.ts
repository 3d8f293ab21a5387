/** Row 10: how long a person waits for a search in a large store, from the question to the ranked answer with its lines. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore, type SearchQuery } from '../src/store/index.js';
import { report } from './support/row.js';
import { createStories, WORDS, wordOf } from './support/story.js';

const EVENTS = 1_000_000;
const PER_RUN = 1000;
const MOST_MATCHES = 10_000;
const QUESTIONS = 60;
const TIMES = 5;

const stories = createStories();
const folder = mkdtempSync(join(tmpdir(), 'glassbox-bench-'));
const store = await openStore(join(folder, 'store.db'));

const filledAt = performance.now();
for (let run = 0; run < EVENTS / PER_RUN; run += 8) {
  await Promise.all(Array.from({ length: 8 }, (_, n) => store.append(stories.run(run + n, PER_RUN))));
}
const filledMs = performance.now() - filledAt;

const words: string[] = [];
let most = 0;
// From common words to rare ones; the commonest match more than is asked for.
for (let word = 20; word < WORDS && words.length < QUESTIONS; word = Math.ceil(word * 1.12)) {
  const { events } = await store.search({ text: wordOf(word), limit: 1 });
  if (events > MOST_MATCHES || events === 0) continue;
  words.push(wordOf(word));
  most = Math.max(most, events);
}

const plain = await ask({});
const filtered = await ask({ project: '/work/project3' });
const newest = await ask({ order: 'newest' });
await store.close();
rmSync(folder, { recursive: true });

report([
  {
    row: 10,
    what: `search over ${EVENTS.toLocaleString('en')} events, ${words.length} words that match up to ${most.toLocaleString('en')}`,
    against: 'a wait that nobody notices',
    goal: 'p95 ≤ 50 ms',
    value: quantile(plain, 0.95),
    unit: 'ms',
    ok: quantile(plain, 0.95) <= 50,
    also: {
      median: `${quantile(plain, 0.5).toFixed(1)} ms`,
      'p95 within one project': `${quantile(filtered, 0.95).toFixed(1)} ms`,
      'p95, the newest first': `${quantile(newest, 0.95).toFixed(1)} ms`,
      'filled with': `${Math.round((EVENTS / filledMs) * 1000).toLocaleString('en')} events/s`,
    },
  },
]);

async function ask(query: Omit<SearchQuery, 'text'>): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < TIMES; round += 1) {
    for (const text of words) {
      const startedAt = performance.now();
      await store.search({ text, ...query });
      times.push(performance.now() - startedAt);
    }
  }
  return times.sort((a, b) => a - b);
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
}
