/** No agent is listed that does not pass the suite. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { AGENTS } from '../../src/agent/index.js';

test('every agent of the list passes testAgent', () => {
  const list = readFileSync('src/agent/index.ts', 'utf8');
  const folders = [...list.matchAll(/from '\.\/([\w-]+)\/index\.js'/g)].map(([, folder]) => folder ?? '');
  const untested = folders.filter((folder) => {
    const files = readdirSync(`test/agent/${folder}`).filter((file) => file.endsWith('.test.ts'));
    return !files.some((file) => readFileSync(`test/agent/${folder}/${file}`, 'utf8').includes('testAgent('));
  });
  expect(untested).toEqual([]);
  expect(folders).toHaveLength(AGENTS.length);
});
