/**
 * What agents' programs leave of a session in a terminal, where no stream tells it: a person asked, the agent spoke, called a command that was
 * allowed, and answered. `test/archive/recordings/README.md` says which versions these are.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { violations } from '../../src/agent/conformance/invariants.js';
import { AGENTS } from '../../src/agent/index.js';
import { findConversations, transcriptFolders } from '../../src/archive/index.js';
import { readConversation } from '../../src/archive/read.js';
import { openForeign } from '../../src/store/foreign.js';
import { accountOf } from './account.js';

const HOMES = 'test/archive/recordings/interactive';

test.each(readdirSync(HOMES))('%s', async (name) => {
  const agent = AGENTS.find((one) => one.name === name);
  if (!agent) throw new Error(`No agent is called ${name}.`);
  const places = transcriptFolders(agent, { env: {}, home: join(HOMES, name, 'home') });
  const [conversation, ...more] = (
    await Promise.all(places.map((place) => findConversations(agent, place, openForeign)))
  ).flat();
  expect(more).toEqual([]);
  if (!conversation) throw new Error('There is no conversation.');
  const { events } = await readConversation(conversation, openForeign);
  const { said, ends, outcomes, answers, tokens } = accountOf(events);
  expect(violations(events)).toEqual([]);
  expect(events.filter(({ type }) => type === 'user-message').length).toBeGreaterThan(0);
  expect(said[0]).toBe('> One moment please');
  expect(said.at(-1)).toBe('> All done.');
  expect(ends).toEqual([expect.stringMatching(/touch made\.txt; sleep 4.*: ok$/)]);
  expect(new Set(outcomes)).toEqual(new Set(['success']));
  expect(answers.at(-1)).toBe('All done.');
  expect(tokens?.output).toBeGreaterThan(0);
});
