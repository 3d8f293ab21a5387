/** What Claude Code prints that is easily read wrong: one named test each. Framing (2, 4, 5) is proved in jsonl too. */
import { describe, expect, test } from 'vitest';
import { createLineDecoder } from '../../../src/jsonl/index.js';
import {
  assistant,
  init,
  only,
  recording,
  result,
  streamEvent,
  text,
  toolResult,
  toolUse,
  translate,
} from './translate.js';

describe('framing', () => {
  test('1 `type` may be the last key of a line', () => {
    const { type, ...rest } = result();
    expect(only(translate([init, { ...rest, type }]), 'turn-end')).toMatchObject([{ outcome: 'success' }]);
  });

  test('2 raw U+2028 inside a line does not split it', () => {
    const line = JSON.stringify(assistant('m', text('a\u2028b\u2029c')));
    const items = createLineDecoder().push(new TextEncoder().encode(`${line}\n`));
    expect(items).toHaveLength(1);
    const [item] = items;
    expect(only(translate([item?.kind === 'value' && item.value]), 'text-end')).toMatchObject([
      { text: 'a\u2028b\u2029c' },
    ]);
  });

  test('3 the same text in `result` does not become a second text', () => {
    const events = translate([init, assistant('m', text('long')), result({ result: 'long' })]);
    expect(only(events, 'text-end')).toHaveLength(1);
    expect(only(events, 'turn-end')).toMatchObject([{ text: 'long' }]);
  });

  test('4 a last line cut in the middle is an error and the rest stands', () => {
    const line = JSON.stringify(assistant('m', text('hello')));
    const decoder = createLineDecoder();
    const items = [
      ...decoder.push(new TextEncoder().encode(`${JSON.stringify(init)}\n${line.slice(0, 60)}`)),
      ...decoder.end(),
    ];
    expect(items).toMatchObject([{ kind: 'value' }, { kind: 'error', code: 'json_parse', cut: true }]);
  });

  test('5 lines after the exit are read until the stream closes', () => {
    const events = translate([init, result(), { type: 'system', subtype: 'session_state_changed', state: 'idle' }]);
    expect(events.at(-1)).toMatchObject({ type: 'session-update', state: 'idle' });
  });
});

describe('messages', () => {
  test('6 LL-11 one message in several lines starts and ends once, usage counted once', () => {
    const usage = { input_tokens: 100, output_tokens: 1 };
    const line = (block: Record<string, unknown>) => {
      const whole = assistant('m', block);
      return { ...whole, message: { ...(whole.message as object), usage } };
    };
    const events = translate([init, line(text('a')), line(text('b')), line(toolUse('t', 'Bash')), result()]);
    expect(only(events, 'message-start')).toHaveLength(1);
    expect(only(events, 'message-end')).toMatchObject([{ messageId: 'm', usage: { inputTokens: 100 } }]);
    expect(only(events, 'message-end')[0]?.usage?.outputTokens).toBeUndefined();
    expect(only(events, 'text-end').map((event) => event.index)).toEqual([0, 1]);
  });

  test('7 a stop reason on the line makes its output count final', () => {
    const line = assistant('m', text('a'));
    const message = { ...(line.message as object), stop_reason: 'end_turn', usage: { output_tokens: 7 } };
    expect(only(translate([init, { ...line, message }, result()]), 'message-end')).toMatchObject([
      { stopReason: 'end_turn', usage: { outputTokens: 7 } },
    ]);
  });

  test('8 LL-06 R-14 S1-08 `success` with `is_error` is a failed turn with its text as the error', () => {
    const failed = { is_error: true, result: 'API Error: 401 no', api_error_status: 401, terminal_reason: 'api_error' };
    const events = translate([
      init,
      assistant('x', text('API Error: 401 no'), { error: 'authentication_failed', is_api_error_message: true }),
      result(failed),
    ]);
    expect(only(events, 'agent-error')).toMatchObject([{ category: 'auth', fatal: true }]);
    expect(only(events, 'turn-end')).toMatchObject([
      { outcome: 'failed', error: { category: 'auth', message: 'API Error: 401 no', httpStatus: 401 } },
    ]);
  });

  test('9 several results in one run are several turns', () => {
    const events = translate(recording('monitor'));
    expect(only(events, 'turn-start').map((event) => event.turn)).toEqual([1, 2, 3, 4, 5]);
    expect(only(events, 'turn-end').map((event) => event.turn)).toEqual([1, 2, 3, 4, 5]);
    expect(only(events, 'turn-end')[1]).toMatchObject({ origin: 'task-notification' });
    expect(only(events, 'session-start')).toHaveLength(1);
  });

  test('10 a held-back result ends its own turn, not the one that runs', () => {
    const events = translate(recording('subagent-default-bg'));
    expect(only(events, 'turn-end').map(({ turn, text: answer }) => [turn, answer])).toEqual([
      [1, 'Waiting for it.'],
      [2, 'The subagent reported.'],
    ]);
    const second = only(events, 'message-end').find((event) => event.messageId === 'msg_stub0005');
    expect(second?.turn).toBe(2);
  });

  test('10 without `result_index` results go to the oldest open turn', () => {
    const events = translate(recording('v2.1.200-subagent-default'));
    expect(only(events, 'turn-end').map((event) => event.turn)).toEqual([1, 2]);
  });

  test('11 LL-13 children of parallel sub-agents keep their parents, and heartbeats name the running tool', () => {
    const parents = new Set(only(translate(recording('subagent-parallel')), 'text-end').map((event) => event.parent));
    expect(parents.size).toBe(3);
    const beat = {
      type: 'tool_progress',
      tool_use_id: 't-heartbeat-0',
      parent_tool_use_id: 't',
      elapsed_time_seconds: 30,
    };
    expect(only(translate([init, assistant('m', toolUse('t', 'Bash')), beat]), 'tool-progress')).toMatchObject([
      { id: 't', elapsedMs: 30_000 },
    ]);
  });

  test('12 both names of the sub-agent tool are the same kind', () => {
    const events = translate([init, assistant('m', toolUse('a', 'Task')), assistant('m', toolUse('b', 'Agent'))]);
    expect(only(events, 'tool-start').map((event) => event.kind)).toEqual(['think', 'think']);
  });

  test.each([
    ['absent is_error', toolResult('t', 'fine'), { status: 'ok', output: 'fine' }],
    ['string content', toolResult('t', 'Exit code 3\nbad', { is_error: true }), { status: 'failed', exitCode: 3 }],
    ['list content', toolResult('t', [text('a'), text('b')]), { status: 'ok', output: 'a\nb' }],
    ['absent content', toolResult('t', undefined), { status: 'ok', output: '' }],
    [
      'image',
      toolResult('t', [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }]),
      { status: 'ok', attachments: [{ kind: 'image', mimeType: 'image/png', data: 'AAAA', bytes: 3 }] },
    ],
    [
      'string tool_use_result',
      toolResult('t', 'no', { is_error: true }, { tool_use_result: 'Error: no' }),
      { status: 'failed' },
    ],
  ])('13 LL-07 tool result with %s', (_, line, expected) => {
    expect(only(translate([init, assistant('m', toolUse('t', 'Bash')), line]), 'tool-end')).toMatchObject([expected]);
  });

  test("14 the tool's input is the model's, whatever a host changed", () => {
    const lines = [init, assistant('m', toolUse('t', 'Bash', { command: 'old' })), toolResult('t', 'new')];
    expect(only(translate(lines), 'tool-input-end')).toMatchObject([{ input: { command: 'old' }, summary: 'old' }]);
  });

  test('15 a result before the end of its message closes the tool and not the message', () => {
    const events = translate([
      init,
      assistant('m', toolUse('a', 'Bash')),
      toolResult('a', 'first'),
      assistant('m', toolUse('b', 'Bash')),
      toolResult('b', 'second'),
      result(),
    ]);
    expect(only(events, 'message-start')).toHaveLength(1);
    expect(only(events, 'message-end')).toHaveLength(1);
    expect(only(events, 'tool-end').map((event) => event.output)).toEqual(['first', 'second']);
  });

  test('16 LL-12 the whole block replaces its deltas, under the same index', () => {
    const events = translate(recording('partial-text'));
    const deltas = only(events, 'text-delta');
    const [whole] = only(events, 'text-end');
    expect(deltas.map((event) => event.text).join('')).toBe(whole?.text);
    expect(new Set(deltas.map((event) => event.index))).toEqual(new Set([whole?.index]));
    expect(only(events, 'text-end')).toHaveLength(1);
  });

  test('16 what a broken stream said is retracted', () => {
    const events = translate(recording('api-cut-midstream'));
    expect(only(events, 'message-retract')).toMatchObject([{ messageId: 'msg_stub0001', why: 'stream-broken' }]);
    expect(only(events, 'text-end').map((event) => event.text)).toEqual(['second attempt']);
  });

  test('16 what a stream said to its end stays, though its whole blocks come later, and so do its counts', () => {
    const usage = (output_tokens: number) => ({ input_tokens: 1, output_tokens });
    const said = (stop: object[]) =>
      translate([
        init,
        streamEvent({ type: 'message_start', message: { id: 'm', usage: usage(1) } }),
        streamEvent({ type: 'content_block_start', index: 0, content_block: { type: 'text' } }),
        streamEvent({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'all of it' } }),
        ...stop.map((event) => streamEvent({ ...event })),
        streamEvent({ type: 'message_stop' }),
        { ...assistant('m', text('all of it')), message: { id: 'm', content: [text('all of it')], usage: usage(2) } },
        result(),
      ]);
    const stopped = said([{ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: usage(50) }]);
    expect(only(stopped, 'message-retract')).toEqual([]);
    expect(only(stopped, 'text-end')).toMatchObject([{ index: 0, text: 'all of it' }]);
    expect(only(stopped, 'message-end')).toMatchObject([{ stopReason: 'end_turn', usage: { outputTokens: 50 } }]);
    // An interrupt prints one that says nothing.
    const broken = said([{ type: 'message_delta', delta: {}, usage: usage(1) }]);
    expect(only(broken, 'message-retract')).toMatchObject([{ messageId: 'm', why: 'stream-broken' }]);
  });

  test('16 text cut by an interrupt is partial, with the final line or without it', () => {
    expect(only(translate(recording('stdio-interrupt-text')), 'text-end')[0]).toMatchObject({ partial: true });
    expect(only(translate(recording('v1.0.128-stdio-interrupt')), 'text-end')[0]).toMatchObject({ partial: true });
  });

  test('17 S3-11 user lines that are not tool results: sub-agent prompts, synthetic text, echoes', () => {
    const user = (content: unknown, more = {}) => ({ type: 'user', message: { role: 'user', content }, ...more });
    const events = translate([
      init,
      user([text('task')], { parent_tool_use_id: 't' }),
      user([text('skill body')], { isSynthetic: true }),
      user('echo', { isReplay: true }),
      user('<local-command-stdout>ok</local-command-stdout>'),
    ]);
    expect(only(events, 'user-message')).toMatchObject([
      { text: 'task', parent: 't' },
      { text: 'skill body', synthetic: true },
      { text: 'echo', replay: true },
      { synthetic: true },
    ]);
  });

  test('18 a refusal retracts the lines that it names, once', () => {
    const events = translate(recording('refusal-text-twice'));
    expect(only(events, 'message-retract')).toMatchObject([{ messageId: 'msg_stub0002', index: 0, why: 'refused' }]);
  });

  test('19 timestamps of lines are not used: order is the order of lines', () => {
    const late = assistant('m', text('a'), { timestamp: '2026-02-02T00:00:00Z' });
    const early = assistant('m', text('b'), { timestamp: '2026-01-01T00:00:00Z' });
    expect(only(translate([init, late, early]), 'text-end').map((event) => event.text)).toEqual(['a', 'b']);
  });
});

describe('results and money', () => {
  test('20 R-04 cost is cumulative over the session, the turn share is told beside it', () => {
    const [first, second] = only(translate(recording('bash-background')), 'turn-end');
    expect(first?.cost).toMatchObject({ usd: 0.00268, scope: 'session', origin: 'reported' });
    expect(second?.cost?.turnUsd).toBeCloseTo((second?.cost?.usd ?? 0) - (first?.cost?.usd ?? 0), 10);
    expect(
      only(translate([init, result({ total_cost_usd: undefined, cost_usd: 0.5 })]), 'turn-end')[0]?.cost?.usd,
    ).toBe(0.5);
    expect(only(translate([init, result({ total_cost_usd: undefined })]), 'turn-end')[0]?.cost).toBeUndefined();
  });

  test('20 `/clear` changes the session id', () => {
    const events = translate(recording('slash-clear-stdio'));
    expect(only(events, 'session-change')).toMatchObject([{ reason: 'clear' }]);
  });

  test('21 zeros of a cut turn are unknown, its cost a lower bound', () => {
    const usage = { input_tokens: 0, output_tokens: 0 };
    const cut = { subtype: 'error_during_execution', is_error: true, terminal_reason: 'aborted_streaming', usage };
    const [end] = only(translate([init, result(cut)]), 'turn-end');
    expect(end).toMatchObject({ outcome: 'interrupted', cost: { origin: 'lower-bound' } });
    expect(end?.usage).toBeUndefined();
    const [budget] = only(translate(recording('max-budget')), 'turn-end');
    expect(budget).toMatchObject({ outcome: 'over-budget', cost: { usd: 0.041100000000000005, origin: 'reported' } });
    expect(budget?.usage).toBeUndefined();
  });

  test('22 the answer is `result.result`, absent on error subtypes, whose errors are told', () => {
    expect(only(translate(recording('usage-iterations')), 'turn-end')).toMatchObject([{ text: 'b' }]);
    const failed = result({ subtype: 'error_during_execution', result: undefined, errors: ['it broke'] });
    const [end] = only(translate([init, failed]), 'turn-end');
    expect(end).toMatchObject({ outcome: 'failed', error: { message: 'it broke' } });
    expect(end?.text).toBeUndefined();
  });

  test.each([
    ['error_max_turns', 'The maximum number of turns was reached.'],
    ['error_max_budget_usd', 'The budget was used up.'],
    ['error_max_structured_output_retries', 'The answer never matched the schema.'],
    ['error_during_execution', 'The turn ended with an error.'],
    ['error_of_tomorrow', 'error_of_tomorrow'],
  ])('22 %s without errors is told in words', (subtype, message) => {
    const [end] = only(translate([init, result({ subtype, is_error: true, result: undefined })]), 'turn-end');
    expect(end?.error).toMatchObject({ message });
  });

  test('23 `num_turns` is the count of steps, not of turns', () => {
    expect(only(translate([init, result({ num_turns: 4 })]), 'turn-end')).toMatchObject([{ turn: 1, steps: 4 }]);
  });

  test('24 a schema that was never met succeeds without structured output', () => {
    expect(only(translate(recording('json-schema')), 'turn-end')[0]?.structuredOutput).toBeDefined();
    expect(only(translate(recording('json-schema-always-invalid')), 'turn-end')[0]).toMatchObject({
      outcome: 'failed',
    });
  });

  test.each([
    'This command requires approval',
    'Bash operation blocked by hook:\n- [exit 2]: no',
    'PreToolUse:Bash hook error: [exit 2]: no',
  ])('25 before `tool_result_meta` only the words tell a denial: %j', (words) => {
    const events = translate([init, assistant('m', toolUse('t', 'Bash')), toolResult('t', words, { is_error: true })]);
    expect(only(events, 'tool-end')).toMatchObject([{ status: 'denied', output: words }]);
  });

  test('25 denials are told by the result, by `permission_denied`, and on the tool', () => {
    const events = translate(recording('perm-denied-default'));
    expect(only(events, 'permission-deny')).toMatchObject([{ toolName: 'Bash' }]);
    expect(only(events, 'tool-end')).toMatchObject([{ status: 'denied' }]);
    expect(only(events, 'turn-end')).toMatchObject([{ denials: [{ toolName: 'Bash' }] }]);
  });

  test('26 lines before the first init and after the last result are read', () => {
    const early = only(translate(recording('hook-prompt-block')), 'hook-start');
    expect(early[0]?.turn).toBe(0);
    const late = translate(recording('hook-async'));
    expect(late.findLastIndex((event) => event.type === 'hook-end')).toBeGreaterThan(
      late.findIndex((event) => event.type === 'turn-end'),
    );
  });
});

test('35 R-03 unknown types, subtypes, blocks and deltas pass as unknown, their neighbours unharmed', () => {
  const lines = [
    init,
    { type: 'from_the_future', session_id: 's1' },
    { type: 'system', subtype: 'brand_new' },
    {
      type: 'assistant',
      message: { id: 'm', content: [{ type: 'hologram' }, text('seen'), 7, null] },
    },
    streamEvent({ type: 'message_start', message: { id: 'n' } }),
    streamEvent({ type: 'content_block_start', index: 0, content_block: { type: 'text' } }),
    streamEvent({ type: 'content_block_delta', index: 0, delta: { type: 'smell_delta' } }),
    streamEvent({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'on' } }),
    42,
    null,
  ];
  const events = translate(lines);
  expect(only(events, 'unknown').map(({ wireType, wireSubtype }) => [wireType, wireSubtype])).toEqual([
    ['from_the_future', undefined],
    ['system', 'brand_new'],
    ['assistant', 'hologram'],
    ['content_block_delta', 'smell_delta'],
    ['number', undefined],
    ['object', undefined],
  ]);
  expect(only(events, 'text-end').map((event) => event.text)).toEqual(['seen', 'on']);
});
