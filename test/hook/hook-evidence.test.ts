/** What hooks tell counts as evidence of what their session does. */
import { expect, test } from 'vitest';
import type { HookCall } from '../../src/agent/hooks.js';
import { hookEvidence } from '../../src/hook/hook-evidence.js';

const said = (facts: Partial<HookCall>) => hookEvidence({ what: 'notice', sessionId: 'a', ...facts }, 5);

test.each<[HookCall['what'], string | undefined]>([
  ['session-start', 'idle'],
  ['prompt', 'working'],
  ['tool-start', 'working'],
  ['tool-end', 'working'],
  ['ask', 'waiting'],
  ['turn-end', 'idle'],
  ['session-end', 'ended'],
  ['notice', undefined],
])('%s: %s', (what, says) => {
  expect(said({ what })?.says).toBe(says);
});

test('a question says what is asked, without secrets, and when', () => {
  const request = {
    kind: 'tool',
    toolName: 'Bash',
    toolKind: 'execute',
    command: 'curl -H "Authorization: Bearer sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789"',
  } as const;
  const evidence = said({ what: 'ask', call: { request } });
  expect(evidence).toMatchObject({ source: 'hook', at: 5, for: { kind: 'approval' } });
  expect(evidence?.for?.text).toMatch(/^Run a command: curl/);
  expect(evidence?.for?.text).not.toContain('abcdefghijklmnop');
  const question = { kind: 'question', questions: [{ question: 'Which?', options: [] }] } as never;
  expect(said({ what: 'ask', call: { request: question } })?.for).toEqual({
    kind: 'question',
    text: 'Answer a question: Which?',
  });
});

test('when a sub-agent is done, the session is not', () => {
  expect(said({ what: 'turn-end', part: 'explorer' })).toBeUndefined();
  expect(said({ what: 'ask', part: 'explorer' })?.says).toBe('waiting');
});
