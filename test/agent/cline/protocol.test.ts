/** The traps of Cline's stream, one by one. */
import { describe, expect, test } from 'vitest';
import { cline } from '../../../src/agent/cline/index.js';
import { draftsOf, ofType } from '../drive.js';

const hook = (hookEventName: string, agentId = 'a', parentAgentId: string | null = null) => ({
  type: 'hook_event',
  hookEventName,
  agentId,
  taskId: 'conv_1',
  parentAgentId,
});
const event = (type: string, body: object = {}) => ({ type: 'agent_event', event: { type, ...body } });
const text = (delta: string) => event('content_start', { contentType: 'text', text: delta, accumulated: delta });
const result = (more: object = {}) => ({
  type: 'run_result',
  finishReason: 'completed',
  text: 'Done.',
  usage: { inputTokens: 51, outputTokens: 8, cacheReadTokens: 45, totalCost: 0 },
  ...more,
});

function call(toolName: string, input: object, end: object, id = 'c') {
  return [
    event('content_start', { contentType: 'tool', toolName, toolCallId: id, input }),
    event('content_end', { contentType: 'tool', toolName, toolCallId: id, ...end }),
  ];
}

const read = (...lines: unknown[]) => draftsOf(cline, [hook('agent_start'), event('iteration_start'), ...lines]);

describe('speech', () => {
  test('every delta is a start, and what is accumulated is not said again', () => {
    const events = read(text('He'), text('y.'), event('content_end', { contentType: 'text', text: 'Hey.' }));
    expect(ofType(events, 'text-delta').map((delta) => delta.text)).toEqual(['He', 'y.']);
    expect(ofType(events, 'text-end').map((end) => end.text)).toEqual(['Hey.']);
    expect(ofType(events, 'message-start')).toHaveLength(1);
  });

  test('thoughts and text that were not seen to begin have their places too', () => {
    const events = read(
      event('content_end', { contentType: 'reasoning', reasoning: 'Hm.' }),
      event('content_end', { contentType: 'text', text: 'Yes.' }),
      event('iteration_end'),
    );
    expect(ofType(events, 'thinking-end')).toMatchObject([{ index: 0, text: 'Hm.' }]);
    expect(ofType(events, 'text-end')).toMatchObject([{ index: 1, text: 'Yes.' }]);
  });

  test('thoughts end after the text that followed them, in the same message', () => {
    const events = read(
      event('content_start', { contentType: 'reasoning', reasoning: 'Hm.' }),
      text('Yes.'),
      event('content_end', { contentType: 'text', text: 'Yes.' }),
      event('content_end', { contentType: 'reasoning', reasoning: 'Hm.' }),
      event('iteration_end'),
    );
    expect(ofType(events, 'thinking-end')).toMatchObject([{ messageId: 'message-1', index: 0, text: 'Hm.' }]);
    expect(ofType(events, 'text-end')).toMatchObject([{ messageId: 'message-1', index: 1 }]);
  });
});

describe('tools', () => {
  test.each([
    [
      'a command that fails says so only inside',
      'run_commands',
      [{ result: '[Command exited with code 3]\nout', error: 'Command exited with code 3', success: false }],
      { status: 'failed', exitCode: 3, output: 'out' },
    ],
    ['a command', 'run_commands', [{ result: 'out', success: true }], { status: 'ok', exitCode: 0, output: 'out' }],
    [
      'an object',
      'editor',
      { result: '', error: 'Not found', success: false },
      { status: 'failed', output: 'Not found' },
    ],
    ['a text', 'ask_question', 'red', { status: 'ok', output: 'red' }],
    ['an unknown tool', 'nope', { error: 'was rejected before execution' }, { status: 'failed' }],
    ['a refusal', 'run_commands', [{ error: 'Tool was not approved', success: false }], { status: 'denied' }],
    ...[
      'Tool "run_commands" requires approval in a TTY session',
      'Tool approval request timed out',
      'Tool execution denied by user.',
      'User rejected the tool call',
      'Denied by user',
      'Denied by Google Chat user',
      'Desktop tool approval IPC is not configured',
    ].map((error): [string, string, unknown, object] => [
      error,
      'run_commands',
      [{ error, success: false }],
      { status: 'denied', output: error },
    ]),
    ...[
      'Command exited with code 1: this release needs approval',
      'Your card was declined',
      'access denied by policy',
    ].map((error): [string, string, unknown, object] => [
      `what a tool says itself: ${error}`,
      'run_commands',
      [{ error, success: false }],
      { status: 'failed', output: error },
    ]),
    [
      'a file of that name',
      'editor',
      [{ error: 'No text in /repo/approval.ts.', success: false }],
      { status: 'failed' },
    ],
  ])('%s', (_, name, output, end) => {
    expect(ofType(read(...call(name, {}, { output })), 'tool-end')).toMatchObject([end]);
  });

  test('an edit numbers its lines, which become hunks', () => {
    const output = { result: "Edited /a\n```diff\n-2:   return 'a';\n+2:   return 'b';\n```", success: true };
    expect(ofType(read(...call('editor', { path: '/a' }, { output })), 'file-change')).toMatchObject([
      { path: '/a', kind: 'edit', diff: "@@ -2,1 +2,1 @@\n-  return 'a';\n+  return 'b';\n" },
    ]);
  });

  test('a new file is created', () => {
    const output = { result: 'File created successfully at: /a', success: true };
    expect(ofType(read(...call('editor', { path: '/a' }, { output })), 'file-change')).toMatchObject([
      { kind: 'create' },
    ]);
  });

  test('output comes in pieces, empty ones among them', () => {
    const [start] = call('run_commands', { commands: ['x'] }, {});
    const update = (chunk: string) => event('content_update', { toolCallId: 'c', update: { stream: 'stderr', chunk } });
    const deltas = ofType(read(start, update(''), update('a\n')), 'tool-output-delta');
    expect(deltas).toMatchObject([{ text: 'a\n', stream: 'stderr' }]);
  });
});

test('a sub-agent has no id in its events, only in the hooks around them', () => {
  const [start, end] = call('spawn_agent', { task: 'print' }, { output: { text: 'Printed.' } }, 'spawn');
  const events = read(
    start,
    hook('agent_start', 'b', 'a'),
    event('iteration_start'),
    text('Sub.'),
    event('iteration_end'),
    hook('agent_end', 'b', 'a'),
    event('done', { text: 'Sub.' }),
    end,
    event('iteration_start'),
    text('Main.'),
  );
  expect(ofType(events, 'text-delta').map((delta) => [delta.text, delta.parent])).toEqual([
    ['Sub.', 'spawn'],
    ['Main.', undefined],
  ]);
  expect(ofType(events, 'task-end')).toMatchObject([{ id: 'b', toolId: 'spawn', status: 'ok' }]);
  expect(ofType(events, 'tool-end')[0]).not.toHaveProperty('parent');
});

describe('usage and ending', () => {
  test('cached tokens are counted once, and no price is not a price of zero', () => {
    const [end] = ofType(read(result()), 'turn-end');
    expect(end?.usage).toMatchObject({ inputTokens: 6, cacheReadTokens: 45, outputTokens: 8 });
    expect(end?.cost).toBeUndefined();
    const priced = result({ aggregateUsage: { totalCost: 0.5 } });
    expect(ofType(read(priced), 'turn-end')[0]?.cost).toEqual({ usd: 0.5, scope: 'process', origin: 'reported' });
  });

  const failure = (message: string, recoverable: boolean) => event('error', { error: { message }, recoverable });
  test.each([
    ['a result', [result()], 'success'],
    [
      'a failure, whose text is the error',
      [failure('500', false), result({ finishReason: 'error', text: '500' })],
      'failed',
    ],
    ['a failure without a result', [failure('500', false)], 'failed'],
    ['a signal that came too late', [result(), { type: 'run_aborted' }], 'success'],
    ['a signal in time', [{ type: 'run_aborted' }], 'interrupted'],
    ['too many steps', [result({ finishReason: 'max_iterations' })], 'max-turns'],
    ['cut off', [], 'unknown'],
  ])('%s', (_, lines, outcome) => {
    expect(ofType(read(...lines), 'turn-end').map((end) => end.outcome)).toEqual([outcome]);
  });

  test('that calls failed was said before', () => {
    expect(ofType(read(failure('1 tool call(s) failed: [x]', true)), 'warning')).toEqual([]);
  });
});

describe('what it says about its own recovery', () => {
  const notice = (metadata: object, message = 'words') => event('notice', { noticeType: 'status', message, metadata });
  const compaction = { kind: 'auto_compaction', reason: 'auto_compaction' };

  test.each<[string, object, object]>([
    [
      'a compaction begins',
      { ...compaction, phase: 'started' },
      { type: 'compaction-start', trigger: 'auto_compaction' },
    ],
    [
      'and ends',
      { ...compaction, phase: 'completed', tokensBefore: 9000, tokensAfter: 700 },
      { type: 'compaction-end', trigger: 'auto_compaction', tokensBefore: 9000, tokensAfter: 700 },
    ],
    ['or is skipped', { ...compaction, phase: 'skipped' }, { type: 'compaction-end', error: 'words' }],
    ['or fails', { ...compaction, phase: 'failed' }, { type: 'compaction-end', error: 'words' }],
    [
      'a call is tried again',
      { kind: 'provider_error_retry', phase: 'started', attempt: 1, maxRetries: 3, delayMs: 500 },
      { type: 'retry', attempt: 1, maxAttempts: 3, delayMs: 500, why: 'words' },
    ],
    [
      'after the context was full',
      { kind: 'context_overflow_recovery', phase: 'started', providerError: { message: 'too long' } },
      { type: 'retry', why: 'too long' },
    ],
    [
      'to no avail',
      { kind: 'max_tokens_compaction', phase: 'failed' },
      { type: 'status', code: 'max_tokens_compaction', text: 'words', level: 'warning' },
    ],
    ['something new', { kind: 'novel' }, { type: 'status', code: 'novel', text: 'words', level: 'info' }],
  ])('%s', (_, metadata, expected) => {
    expect(read(notice(metadata))).toContainEqual(expect.objectContaining(expected));
    expect(ofType(read(notice(metadata)), 'unknown')).toEqual([]);
  });
});
