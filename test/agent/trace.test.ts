/** What is known of agents before their code is loaded is what they say themselves. */
import { expect, test } from 'vitest';
import { AGENTS } from '../../src/agent/index.js';
import { TRACES } from '../../src/agent/trace.js';

test('every agent has one, in the same order, and nothing in it differs', () => {
  const own = AGENTS.map(({ name, title, program, transcripts, presence }) => ({
    name,
    title,
    programs: program.names,
    ...(transcripts && { folders: transcripts.folders }),
    ...(presence && { presence }),
  }));
  expect(TRACES.map(({ load: _, ...trace }) => trace)).toStrictEqual(own);
});

test('each loads its own agent', async () => {
  expect(await Promise.all(TRACES.map(({ load }) => load()))).toEqual(AGENTS);
});
