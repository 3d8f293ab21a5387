/** Which session a run of Claude Code turns out to be, against the one that was asked for. */
import { expect, test } from 'vitest';
import { claude } from '../../../src/agent/claude/index.js';
import { converse, ofType, requestFor } from '../drive.js';

test.each([
  [undefined, []],
  ['s1', []],
  // Which one that is, is heard from the agent: nothing has changed.
  ['latest', []],
  ['s0', [{ previousId: 's0', newId: 's1', reason: 'resume' }]],
])('asked for %s, it is s1', (resume, changes) => {
  const talk = converse(claude, requestFor(resume === undefined ? {} : { resume }));
  talk.start();
  talk.hear({ type: 'system', subtype: 'init', session_id: 's1', model: 'm', cwd: '/repo', tools: [] });
  expect(ofType(talk.events, 'session-change')).toMatchObject(changes);
});
