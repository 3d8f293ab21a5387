/** What passes a stream on stays small: also when the store's thread was started, which makes V8 forget what the program asked of it. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { start } from './glassbox.js';

/** Loaded before the program: when it ends, makes much that stays, and tells how large the place for young things became by that. */
const probe = `data:text/javascript,${encodeURIComponent(`
  import { isMainThread } from 'node:worker_threads';
  import { getHeapSpaceStatistics } from 'node:v8';
  if (isMainThread) process.on('exit', () => {
    const kept = Array.from({ length: 1e6 }, (_, n) => ({ n }));
    const { space_size: bytes } = getHeapSpaceStatistics().find((space) => space.space_name === 'new_space');
    process.stderr.write('YOUNG ' + bytes + ' of ' + kept.length);
  });
`)}`;

test.each([['--no-store'], ['--verbose']])('a pipe with %s keeps little for what is young', async (...flags) => {
  const { child, ended } = start(flags, { NODE_OPTIONS: `--import=${probe}` });
  child.stdin.end(readFileSync('test/recordings/claude/basic-text/stdout.jsonl'));
  const { stderr, status } = await ended;
  expect(status).toBe(0);
  expect(Number(/YOUNG (\d+)/.exec(stderr)?.[1])).toBeLessThan(8e6);
});
