/** What each `system` line of Claude Code becomes: the whole table, also the lines that no recording has. */
import { describe, expect, test } from 'vitest';
import type { Draft } from '../../../src/event/index.js';
import { init, type Line, translate } from './translate.js';

/** What a line adds to a session that has begun. */
function told(subtype: string | undefined, line: Line = {}, before: Line[] = []): Draft[] {
  const count = translate([init, ...before]).length;
  const drafts = translate([init, ...before, { type: 'system', subtype, ...line }]);
  // The end of the stream closes the turn the same way in both.
  return drafts.slice(count - CLOSING, drafts.length - CLOSING);
}

const CLOSING = translate([init]).length - translate([init]).findIndex(({ type }) => type === 'turn-end');

const status = (code: string, more: object = {}) => [{ type: 'status', code, ...more }];

test.each<[subtype: string, line: Line, events: object[]]>([
  [
    'api_retry',
    { attempt: 2, max_retries: 5, retry_delay_ms: 100, error_status: 529, error: 'overloaded' },
    [{ type: 'retry', attempt: 2, maxAttempts: 5, delayMs: 100, httpStatus: 529, why: 'overloaded' }],
  ],
  ['thinking_tokens', { estimated_tokens: 7 }, [{ type: 'usage-update', thinkingTokens: 7 }]],
  ['informational', { content: 'so' }, status('informational', { text: 'so', level: 'info' })],
  ['informational', { level: 'notice' }, status('informational', { level: 'notice' })],
  ['informational', { level: 'warning' }, status('informational', { level: 'warning' })],
  ['notification', { key: 'k', text: 't' }, status('k', { text: 't' })],
  ['notification', {}, status('notification')],
  ['model_fallback', { content: 'other' }, status('model-fallback', { text: 'other', level: 'notice' })],
  [
    'model_fallback',
    { original_model: 'a', fallback_model: 'b' },
    status('model-fallback', { text: 'a is replaced by b', level: 'notice' }),
  ],
  ['model_refusal_fallback', { content: 'no' }, status('model-refusal-fallback', { text: 'no', level: 'notice' })],
  ['model_refusal_no_fallback', { content: 'no' }, status('model-refusal', { text: 'no', level: 'warning' })],
  [
    'model_refusal_no_fallback',
    { api_refusal_explanation: 'why' },
    status('model-refusal', { text: 'why', level: 'warning' }),
  ],
  ['vcs_state_changed', { kind: 'commit', branch: 'main' }, status('vcs-commit', { text: 'main' })],
  ['vcs_state_changed', {}, status('vcs-change')],
  [
    'code_change_published',
    { action: 'opened', url: 'u', identifier: 'i' },
    status('code-change-published', { text: 'opened u', level: 'notice' }),
  ],
  ['code_change_published', { identifier: 'i' }, status('code-change-published', { text: 'i', level: 'notice' })],
  ['plugin_install', { status: 'done', name: 'p' }, status('plugin-done', { text: 'p' })],
  ['plugin_install', {}, status('plugin-install')],
  [
    'plugin_install',
    { status: 'failed', name: 'p', error: 'e' },
    status('plugin-failed', { text: 'p: e', level: 'warning' }),
  ],
  [
    'control_request_progress',
    { status: 'api_retry', attempt: 1, max_retries: 3 },
    [{ type: 'retry', attempt: 1, maxAttempts: 3 }],
  ],
  ['control_request_progress', { status: 'other' }, []],
  ['session_state_changed', { state: 'idle' }, [{ type: 'session-update', state: 'idle' }]],
  ['session_state_changed', { state: 'running' }, [{ type: 'session-update', state: 'running' }]],
  ['session_state_changed', { state: 'requires_action' }, [{ type: 'session-update', state: 'waiting' }]],
  ['session_state_changed', { state: 'new' }, []],
  ['session_title_changed', { title: 't' }, [{ type: 'session-update', title: 't' }]],
  ['commands_changed', { commands: ['a', 'b'] }, [{ type: 'session-update', commands: ['a', 'b'] }]],
  ['local_command_output', { content: 'out' }, status('local-command-output', { text: 'out' })],
  [
    'instruction_size_warning',
    { content: 'big' },
    status('instruction-size-warning', { text: 'big', level: 'warning' }),
  ],
  [
    'instruction_size_warning',
    { message: 'big' },
    status('instruction-size-warning', { text: 'big', level: 'warning' }),
  ],
  [
    'session_writes_lost',
    {},
    [{ type: 'warning', code: 'session-writes-lost', message: 'The agent could not save its session.' }],
  ],
  ['worker_shutting_down', {}, status('worker-shutting-down')],
  ['hook_progress', { hook_name: 'h' }, status('hook-progress', { text: 'h' })],
  ['status', { status: 'requesting' }, status('requesting')],
  ['status', { permissionMode: 'plan' }, [{ type: 'session-update', permissionMode: 'plan' }]],
  ['status', { compact_result: 'failed' }, []],
  [
    'permission_denied',
    { tool_use_id: 't', tool_name: 'Bash', message: 'no' },
    [{ type: 'permission-deny', toolName: 'Bash', toolId: 't', message: 'no' }],
  ],
  [
    'permission_denied',
    { decision_reason: 'rule' },
    [{ type: 'permission-deny', toolName: 'unknown', message: 'rule' }],
  ],
])('%s %j', (subtype, line, events) => {
  expect(told(subtype, line)).toEqual(events.map((event) => expect.objectContaining(event)));
});

test.each([
  'elicitation_complete',
  'files_persisted',
  'memory_recall',
  'mirror_error',
  'permission_check_status',
  'per_turn_effort_changed',
  'turn_duration',
])('%s is known and worth no event', (subtype) => {
  expect(told(subtype)).toEqual([]);
});

test('what is new says so, with or without a name', () => {
  expect(told('tomorrow')).toMatchObject([{ type: 'unknown', wireType: 'system', wireSubtype: 'tomorrow' }]);
  expect(told(undefined)[0]).toMatchObject({ type: 'unknown', wireType: 'system' });
  expect(told(undefined)[0]).not.toHaveProperty('wireSubtype', '');
});

describe('a hook', () => {
  const hook = { hook_id: 'i', hook_name: 'n', hook_event: 'Stop' };

  test.each<[Line, object]>([
    [{}, { outcome: 'ok' }],
    [
      { exit_code: 0, output: 'o', stdout: 's' },
      { outcome: 'ok', exitCode: 0, output: 'o' },
    ],
    [
      { exit_code: 1, stdout: 's', stderr: 'e' },
      { outcome: 'failed', exitCode: 1, output: 's' },
    ],
    [
      { outcome: 'error', stderr: 'e' },
      { outcome: 'failed', output: 'e' },
    ],
    [{ outcome: 'cancelled', exit_code: 1 }, { outcome: 'cancelled' }],
  ])('%j ends %j, also when its start was not told', (line, end) => {
    const whole = [
      { type: 'hook-start', id: 'i', name: 'n', event: 'Stop' },
      { type: 'hook-end', id: 'i', ...end },
    ];
    expect(told('hook_response', { ...hook, ...line })).toMatchObject(whole);
    const started = [{ type: 'system', subtype: 'hook_started', ...hook }];
    const after = translate([init, ...started, { type: 'system', subtype: 'hook_response', ...hook, ...line }]);
    expect(after.filter(({ type }) => type.startsWith('hook-'))).toMatchObject(whole);
  });

  test('without a name is called a hook', () => {
    expect(told('hook_response')).toMatchObject([
      { type: 'hook-start', id: 'hook', name: 'hook' },
      { type: 'hook-end', id: 'hook', outcome: 'ok' },
    ]);
  });
});

describe('a compaction', () => {
  const begun = { type: 'system', subtype: 'status', status: 'compacting' };

  test('is told at once where only its end is', () => {
    const facts = { trigger: 'manual', pre_tokens: 9, post_tokens: 3, duration_ms: 5 };
    expect(told('compact_boundary', { compact_metadata: facts })).toMatchObject([
      { type: 'compaction-start', trigger: 'manual' },
      { type: 'compaction-end', trigger: 'manual', tokensBefore: 9, tokensAfter: 3, durationMs: 5 },
    ]);
  });

  test.each([
    [{ compact_error: 'too long' }, 'too long'],
    [{}, 'failed'],
  ])('that failed says why: %j', (line, error) => {
    const drafts = translate([init, begun, { ...begun, status: null, compact_result: 'failed', ...line }]);
    expect(drafts.filter(({ type }) => type === 'compaction-end')).toMatchObject([{ error }]);
  });
});
