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

test('a compaction whose end no line tells is not one that went well', () => {
  const compacting = { type: 'system', subtype: 'status', status: 'compacting', session_id: 's1' };
  const [end] = only(translate([init, compacting, result()]), 'compaction-end');
  expect(end).toMatchObject({ error: 'cut off', source: 'synthetic' });
});
