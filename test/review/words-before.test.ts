/** What an agent said before a call is never what it said after it, also where its calls belong to no message. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { decode } from '../../src/decode/index.js';
import { reasonsOf } from '../../src/review/words-before.js';
import { initialState, reduce, values } from '../../src/session/index.js';

test.each<[recording: string, tool: string, said: string | undefined]>([
  ['codex/file-add-workspace-write', 'item_0', undefined],
  ['codex/mixed-parallel', 'item_4', 'Doing several things.'],
])('J 4: %s: before %s', async (recording, id, said) => {
  const bytes = readFileSync(path.resolve(import.meta.dirname, '../recordings', recording, 'stdout.jsonl'));
  let state = initialState;
  for await (const event of decode([bytes], { agent: 'codex', runId: 'r' })) state = reduce(state, event);
  const tools = [...values(state.tools.rows)].filter((tool) => tool.id === id);
  expect(tools.map((tool) => reasonsOf(state, tool).said)).toEqual([said]);
});
