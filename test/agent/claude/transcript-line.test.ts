/** Entries of Claude's transcripts in the spelling of its stream. */
import { expect, test } from 'vitest';
import { lineOf } from '../../../src/agent/claude/transcript-line.js';

const content = [
  { type: 'text', text: 'x' },
  { type: 'tool_result', tool_use_id: 't1', content: 'no', is_error: true },
  { type: 'tool_result', tool_use_id: 't2', content: 'no', is_error: true },
];
const metaOf = (facts: object) =>
  lineOf({ type: 'user', message: { role: 'user', content }, ...facts }, undefined)?.tool_result_meta;

test.each([
  ['nothing told', {}, undefined],
  ['a kind', { toolDenialKind: 'user-rejected' }, { non_execution_kind: 'user-rejected' }],
  ['a decision', { permissionDecision: 'deny' }, { permission_decision: 'deny' }],
  [
    'both',
    { toolDenialKind: 'permission-rule', permissionDecision: 'deny' },
    { non_execution_kind: 'permission-rule', permission_decision: 'deny' },
  ],
])('why calls did not run, each result with what was told: %s', (_, facts, told) => {
  expect(metaOf(facts)).toEqual(
    told && [
      { id: 't1', ...told },
      { id: 't2', ...told },
    ],
  );
});
