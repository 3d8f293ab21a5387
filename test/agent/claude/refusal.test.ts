/** Whether a call that failed was refused: said by newer versions, told by older ones only in words. */
import { expect, test } from 'vitest';
import { assistant, init, only, result, toolResult, toolUse, translate } from './translate.js';

const ask = (name: string) => ({
  type: 'control_request',
  request_id: 'r',
  request: { subtype: 'can_use_tool', tool_name: name, tool_use_id: 't', input: {} },
});

test.each([
  ['2.1.225', 'WebFetch', 'Unable to verify if domain 127.0.0.1 is safe to fetch.', 'failed'],
  ['2.1.325', 'Bash', 'no way', 'failed'],
  ['2.2.0', 'Bash', 'no way', 'failed'],
  ['3.0.0', 'Bash', 'no way', 'failed'],
  ['2.1.213', 'Bash', 'no way', 'denied'],
  ['2.0.77', 'Bash', 'no way', 'denied'],
  ['1.9.999', 'Bash', 'no way', 'denied'],
  [undefined, 'Bash', 'no way', 'denied'],
  ['1.0.128', 'Bash', 'Command timed out after 1.5s\nbefore', 'failed'],
  ['2.0.77', 'Bash', 'Exit code 3\nbad', 'failed'],
])('version %s: %s that was asked about and says %j is %s', (version, name, words, status) => {
  const lines = [{ ...init, claude_code_version: version }, assistant('m', toolUse('t', name)), ask(name)];
  const events = translate([...lines, toolResult('t', words, { is_error: true }), result()]);
  expect(only(events, 'tool-end')).toMatchObject([{ status, output: words }]);
});

const REJECTED = "The user doesn't want to proceed with this tool use. The tool use was rejected";
const STOPPED = `${REJECTED}. Correction to the text above: this call was stopped while running, not refused before it ran.`;

/** Somebody else answered, and whoever reads the stream sees only how the call ended. */
test.each([
  ['refused with an interrupt', REJECTED, true, true, 'denied', 'deny'],
  ['allowed and stopped while it ran', STOPPED, true, false, 'cancelled', 'allow'],
  ['one or the other, and not listed as refused', REJECTED, true, false, 'denied', 'unknown'],
  ['refused, in a version that marks nothing', REJECTED, false, true, 'denied', 'unknown'],
] as const)('a call that was %s', (_, words, isMarked, isListed, status, decision) => {
  const meta = isMarked ? { tool_result_meta: [{ id: 't', non_execution_kind: 'user-rejected' }] } : {};
  const end = toolResult('t', words, { is_error: true }, meta);
  const refusals = isListed ? [{ tool_name: 'Bash', tool_use_id: 't', tool_input: {} }] : [];
  const over = { subtype: 'error_during_execution', is_error: true, terminal_reason: 'aborted_tools' };
  const last = result({ ...over, permission_denials: refusals });
  const events = translate([init, assistant('m', toolUse('t', 'Bash')), ask('Bash'), end, last]);
  expect(only(events, 'tool-end')).toMatchObject([{ status }]);
  expect(only(events, 'approval-resolve')).toMatchObject([{ decision, by: 'unknown' }]);
});

/** The kinds and sources that 2.1.325 names in its own description of the stream, besides those that were recorded. */
test.each([
  ['a rule', { non_execution_kind: 'permission-rule' }, 'denied', 'deny'],
  ['automatic mode', { non_execution_kind: 'automode-blocked' }, 'denied', 'deny'],
  ['automatic mode that was away', { non_execution_kind: 'automode-unavailable' }, 'denied', 'deny'],
  ['an interrupt before it ran', { non_execution_kind: 'interrupted' }, 'cancelled', 'unknown'],
  ['a call beside it, or the end', { non_execution_kind: 'cancelled' }, 'cancelled', 'unknown'],
  [
    'the same after it was allowed',
    { non_execution_kind: 'cancelled', permission_decision: { decision: 'accept', source: 'user_temporary' } },
    'cancelled',
    'allow',
  ],
  [
    'who left the question',
    { permission_decision: { decision: 'cancelled', source: 'user_abort' } },
    'cancelled',
    'unknown',
  ],
  ['a person', { permission_decision: { decision: 'reject', source: 'user_reject' } }, 'denied', 'deny'],
  ['its own arguments', { permission_decision: { decision: 'reject', source: 'invalid_input' } }, 'failed', 'unknown'],
  [
    'what the host made of its arguments',
    { permission_decision: { decision: 'reject', source: 'permission_updated_input_invalid' } },
    'failed',
    'unknown',
  ],
  [
    'the server',
    { permission_decision: { decision: 'reject', source: 'server_fallback_tombstone' } },
    'failed',
    'unknown',
  ],
  ['a kind that nobody knows yet', { non_execution_kind: 'from-the-future' }, 'failed', 'unknown'],
] as const)('a call that was stopped by %s', (_, why, status, decision) => {
  const meta = { tool_result_meta: [{ id: 't', ...why }] };
  const end = toolResult('t', 'no way', { is_error: true }, meta);
  const lines = [{ ...init, claude_code_version: '2.1.325' }, assistant('m', toolUse('t', 'Bash')), ask('Bash'), end];
  const events = translate([...lines, result()]);
  expect(only(events, 'tool-end')).toMatchObject([{ status }]);
  expect(only(events, 'approval-resolve')).toMatchObject([{ decision, by: 'unknown' }]);
  expect(only(translate(lines.filter((line) => line.type !== 'control_request')), 'tool-end')).toMatchObject([
    { status },
  ]);
});

test('of a sub-agent’s calls older builds mark nothing, so that their words tell', () => {
  const inside = { parent_tool_use_id: 'a' };
  const lines = [
    { ...init, claude_code_version: '2.1.225' },
    assistant('m', toolUse('a', 'Agent')),
    { ...assistant('n', toolUse('t', 'Bash')), ...inside },
    ask('Bash'),
  ];
  const ended = (words: string) =>
    only(translate([...lines, toolResult('t', words, { is_error: true }, inside)]), 'tool-end')[0]?.status;
  expect(ended('no way')).toBe('denied');
  expect(ended('Exit code 3')).toBe('failed');
});

test('a compaction whose end no line tells is not one that went well', () => {
  const compacting = { type: 'system', subtype: 'status', status: 'compacting', session_id: 's1' };
  const [end] = only(translate([init, compacting, result()]), 'compaction-end');
  expect(end).toMatchObject({ error: 'cut off', source: 'synthetic' });
});
