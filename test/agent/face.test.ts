/**
 * What each agent says of itself: names, how it is found and installed, its flags and what it can do. People and programs rely on these
 * words, so the lists beside this file are read when they change; `npx vitest run test/agent -u` writes them.
 */
import { expect, test } from 'vitest';
import { NO_CAPABILITIES } from '../../src/agent/capability.js';
import { AGENTS } from '../../src/agent/index.js';

test.each(AGENTS)('$name', async (agent) => {
  await expect(`${JSON.stringify(agent, told, 2)}\n`).toMatchFileSnapshot(`face/${agent.name}.txt`);
});

test('an agent of your own can do nothing but what it says', () => {
  expect(Object.values(NO_CAPABILITIES).filter((can) => can !== false)).toEqual([]);
});

function told(_: string, value: unknown): unknown {
  if (typeof value === 'function') return 'a function';
  return value instanceof RegExp ? String(value) : value;
}
