/** The contract of the search: words wherever they were said, the best session first. */
import assert from 'node:assert/strict';
import type { SearchQuery, Snippet } from '../query.js';
import type { Store } from '../store.js';
import { type Check, found, HOUR, has, keep, rejects } from './case.js';
import { START } from './events.js';

async function fill(store: Store): Promise<void> {
  const [a, b, c] = ['a', 'b', 'c'].map((runId, hours) => ({ runId, at: START + hours * HOUR }));
  if (!a || !b || !c) return;
  await keep(store, { ...a, agent: 'one' }, { prompt: 'Why is the login test flaky?', usd: 1, cwd: '/work/a' });
  const words = { text: 'The résumé parser is flaky', thinking: 'maybe a race' };
  await keep(store, b, { ...words, output: 'Error: EACCES /etc/passwd' });
  await keep(store, c, { command: 'git bisect run npm test', text: '構文解析を直した' });
}

const SEARCHES: [what: string, query: SearchQuery, expected: string[]][] = [
  ['a word of the prompt before one of the text', { text: 'flaky' }, ['a', 'b']],
  ['the newest first', { text: 'flaky', order: 'newest' }, ['b', 'a']],
  ['all words must occur', { text: 'flaky parser' }, ['b']],
  ['a phrase', { text: '"login test"' }, ['a']],
  ['a phrase in another order', { text: '"test login"' }, []],
  ['a beginning', { text: 'bise*' }, ['c']],
  ['without a word', { text: 'flaky -login' }, ['b']],
  ['case and accents do not matter', { text: 'RESUME' }, ['b']],
  ['thinking', { text: 'race' }, ['b']],
  ['tool input, its values', { text: 'bisect' }, ['c']],
  ['tool input, not its keys', { text: 'command' }, []],
  ['tool output', { text: 'eacces' }, ['b']],
  ['a path', { text: '/etc/passwd' }, ['b']],
  ['a part of a sentence without spaces', { text: '解析' }, ['c']],
  ['operators of any query language are words', { text: 'NOT OR ( NEAR: *' }, []],
  ['only in outputs', { text: 'npm', fields: ['output'] }, []],
  ['of a tool', { text: 'npm', tool: 'Bash', order: 'newest' }, ['c', 'b', 'a']],
  ['of another tool', { text: 'npm', tool: 'Read' }, []],
  ['agent', { text: 'flaky', agent: 'one' }, ['a']],
  ['project', { text: 'flaky', project: '/work/a' }, ['a']],
  ['date', { text: 'flaky', since: START + HOUR }, ['b']],
  ['cost', { text: 'flaky', minUsd: 0.5 }, ['a']],
  ['outcome', { text: 'flaky', outcome: 'failed' }, []],
];

export const searchCases: Check[] = [
  {
    name: 'words are found wherever they were said, within every filter',
    async run(open) {
      const store = await open();
      await fill(store);
      for (const [what, query, expected] of SEARCHES) assert.deepEqual(await found(store, query), expected, what);
    },
  },
  {
    name: 'a hit says where it is and shows the words',
    async run(open) {
      const store = await open();
      await fill(store);
      const { items, sessions, events } = await store.search({ text: 'eacces' });
      assert.deepEqual({ sessions, events }, { sessions: 1, events: 1 });
      const hit = items[0]?.hits[0];
      has(hit, { runId: 'b', seq: 9, type: 'tool-end', field: 'output', tool: 'Bash' });
      assert.deepEqual(marked(hit?.snippet), ['EACCES']);
    },
  },
  {
    name: 'page by page',
    async run(open) {
      const store = await open();
      await fill(store);
      const first = await store.search({ text: 'npm', limit: 2 });
      has(first, { sessions: 3, events: 3 });
      assert.ok(first.cursor !== undefined);
      const second = await store.search({ text: 'npm', limit: 2, cursor: first.cursor });
      assert.equal(second.items.length, 1);
      assert.equal(second.cursor, undefined);
    },
  },
  {
    name: 'nothing to search for is refused',
    async run(open) {
      await rejects((await open()).search({ text: ' -only "" ' }), 'invalid-request');
    },
  },
];

function marked(snippet: Snippet | undefined): string[] {
  return snippet?.marks.map(([from, to]) => snippet.text.slice(from, to)) ?? [];
}
