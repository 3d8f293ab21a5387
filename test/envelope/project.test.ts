import { describe, expect, it } from 'vitest';
import { createProjection, type Envelope } from '../../src/envelope/index.js';
import type { AgentEvent, Payload } from '../../src/event/index.js';

const project = (payloads: readonly Payload[], options = {}, context = {}): Envelope[] => {
  const projection = createProjection({ agentKind: 'toy', externalSandbox: false, timeoutMs: 0, ...options });
  const stamp = { seq: 1, at: 0, runId: 'r', agent: 'toy', source: 'stream', turn: 1, ...context };
  return [
    ...projection.start(),
    ...payloads.flatMap((payload) => projection.project({ ...stamp, ...payload } as AgentEvent)),
  ];
};
const brief = (envelopes: readonly Envelope[]) =>
  envelopes.map(({ kind, channel, text, message }) =>
    [kind, channel, text ?? message].filter((part) => part).join(' | '),
  );

const block = { messageId: 'm', index: 0 };
const open = { tools: [], tasks: [], approvals: [], processes: [] };
const runEnd = (facts: object): Payload =>
  ({ type: 'run-end', reason: 'finished', turns: 1, open, durationMs: 1, ...facts }) as Payload;

describe('kinds and channels', () => {
  it.each<[string, Payload[], string[]]>([
    ['the agent introduces itself', [{ type: 'session-start', cwd: '/x' }], ['Status | status | system init']],
    ['whole text', [{ type: 'text-end', ...block, text: 'Hi' }], ['TextOutput | assistant | Hi']],
    [
      'LL-12 text word by word is not told again',
      [
        { type: 'text-delta', ...block, text: 'H' },
        { type: 'text-delta', ...block, text: 'i' },
        { type: 'text-end', ...block, text: 'Hi' },
        { type: 'text-end', messageId: 'm', index: 1, text: 'Bye' },
      ],
      ['TextOutput | assistant | H', 'TextOutput | assistant | i', 'TextOutput | assistant | Bye'],
    ],
    ['empty text', [{ type: 'text-end', ...block, text: '' }], []],
    [
      'thinking, without its text',
      [
        { type: 'thinking-start', ...block },
        { type: 'thinking-delta', ...block, text: 'hmm' },
        { type: 'thinking-end', ...block, text: 'hmm' },
      ],
      ['Status | status | thinking'],
    ],
    ['what a person says, without its text', [{ type: 'user-message', text: 'go' }], ['Status | status']],
    ['a status', [{ type: 'status', code: 'requesting', text: 'x' }], ['Status | status | system requesting']],
    ['a retry', [{ type: 'retry', attempt: 2 }], ['Status | status | system retry']],
    ['a compaction', [{ type: 'compaction-start' }], ['Status | status | system compaction-start']],
    ['a changed file', [{ type: 'file-change', path: 'a', kind: 'edit' }], ['Status | status | system file-change']],
    ['a denial', [{ type: 'permission-deny', toolName: 'Bash' }], ['Status | status | permission denied']],
    ['a warning', [{ type: 'warning', code: 'x', message: 'mind this' }], ['Status | status | mind this']],
    ['a loss', [{ type: 'gap', from: 3, to: 9, why: 'late' }], ['Status | status | events 3 to 9 were lost']],
    ['a good result', [{ type: 'turn-end', outcome: 'success', text: 'x' }], ['Status | status | result success']],
    ['a bad result', [{ type: 'turn-end', outcome: 'failed' }], ['Error | error | result error']],
    ['no result', [{ type: 'turn-end', outcome: 'unknown' }], []],
    [
      'R-02 a line that cannot be read',
      [{ type: 'decode-error', code: 'json_parse', line: 7, bytes: 31 }],
      ['Error | error | line 7 could not be read (json_parse, 31 bytes)'],
    ],
    [
      'a failure of the agent',
      [{ type: 'agent-error', category: 'auth', message: 'log in', fatal: true }],
      ['Error | error | log in'],
    ],
    ['R-03 what is not known', [{ type: 'unknown', wireType: 'x', bytes: 9 }], ['Unknown']],
    ['what needs no envelope', [{ type: 'turn-start' }, { type: 'message-start', messageId: 'm' }], []],
    ['the end', [runEnd({ text: 'x' })], []],
  ])('U-2.1 U-2.2 S2-21: %s', (_, payloads, expected) => {
    const envelopes = project(payloads);
    expect(brief(envelopes)).toEqual(expected);
    // Text stands in `text` of a TextOutput and nowhere else; an Error always has a `message`.
    for (const { kind, text, message } of envelopes) {
      expect([kind, text !== undefined]).toEqual([kind, kind === 'TextOutput']);
      if (kind === 'TextOutput' || kind === 'Error') expect(message !== undefined).toBe(kind === 'Error');
    }
  });

  it('S2-13 every envelope names its backend', () => {
    expect(project([{ type: 'session-start' }])[0]?.agent_kind).toBe('toy');
  });

  it('LL-13 what a sub-agent says belongs to its tool call', () => {
    const [envelope] = project([{ type: 'text-end', ...block, text: 'Hi' }], {}, { parent: 'toolu_1' });
    expect(envelope).toMatchObject({ kind: 'TextOutput', channel: 'tool', text: 'Hi' });
  });
});

describe('U-2.2 the tools facet', () => {
  const calls: Payload[] = [
    { type: 'tool-start', id: 't1', name: 'Bash', kind: 'execute' },
    { type: 'tool-input-delta', id: 't1', text: '{"command":' },
    { type: 'tool-input-end', id: 't1', input: { command: 'cat secret' }, summary: 'cat secret' },
    { type: 'tool-output-delta', id: 't1', text: 'é', stream: 'stderr' },
    { type: 'tool-end', id: 't1', status: 'failed', output: 'nö', exitCode: 3 },
  ];
  const facet = (kind: string, phase: string, status: string, more = {}) => ({
    schema: 'agent_api.tools.structured.v1',
    tool: {
      backend_item_id: 't1',
      thread_id: null,
      turn_id: '1',
      kind,
      phase,
      status,
      exit_code: null,
      bytes: { stdout: 0, stderr: 0, diff: 0, result: 0 },
      tool_name: 'Bash',
      tool_use_id: 't1',
      ...more,
    },
  });

  it('R-16 LL-14 goes with every call and result, and holds sizes instead of payloads', () => {
    const none = { stdout: 0, stderr: 0, diff: 0, result: 0 };
    expect(project(calls)).toEqual([
      { agent_kind: 'toy', kind: 'ToolCall', channel: 'tool', data: facet('tool_use', 'start', 'running') },
      { agent_kind: 'toy', kind: 'ToolCall', channel: 'tool', data: facet('tool_use', 'delta', 'running') },
      {
        agent_kind: 'toy',
        kind: 'ToolResult',
        channel: 'tool',
        data: facet('tool_result', 'delta', 'running', { bytes: { ...none, stderr: 2 } }),
      },
      {
        agent_kind: 'toy',
        kind: 'ToolResult',
        channel: 'tool',
        data: facet('tool_result', 'fail', 'failed', { bytes: { ...none, result: 3 }, exit_code: 3 }),
      },
    ]);
  });

  it.each([
    ['ok', 'complete', 'completed'],
    ['denied', 'fail', 'failed'],
    ['cancelled', 'fail', 'failed'],
    ['unknown', 'fail', 'unknown'],
  ] as const)('a tool that ended %s', (status, phase, expected) => {
    const [envelope] = project([{ type: 'tool-end', id: 't1', name: 'Bash', status }]);
    expect(envelope?.data).toEqual(facet('tool_result', phase, expected));
  });

  it('an approval waits as a pending call', () => {
    const request = {
      type: 'approval-request',
      id: 'a1',
      kind: 'tool',
      toolId: 't1',
      toolName: 'Bash',
      input: {},
    } as const;
    const [envelope] = project([request]);
    expect(envelope).toMatchObject({ kind: 'Status', message: 'approval requested' });
    expect(envelope?.data).toEqual(facet('tool_use', 'start', 'pending', { backend_item_id: 'a1' }));
    expect(brief(project([{ type: 'approval-resolve', id: 'a1', decision: 'deny', by: 'rule' }]))).toEqual([
      'Status | status | approval resolved',
    ]);
  });
});

describe('U-2.2 the session facet', () => {
  const start: Payload = { type: 'session-start' };
  const status: Payload = { type: 'status', code: 'x' };
  const data = { schema: 'agent_api.session.handle.v1', session: { id: 's1' } };

  it('goes once, on the first status that can carry it', () => {
    const envelopes = project([start, status, { type: 'turn-end', outcome: 'success' }], {}, { sessionId: 's1' });
    expect(envelopes.map((envelope) => envelope.data)).toEqual([data, undefined, undefined]);
  });

  it('or on a status of its own, before what carried the id', () => {
    const envelopes = project([{ type: 'text-end', ...block, text: 'Hi' }, status], {}, { sessionId: 's1' });
    expect(envelopes).toMatchObject([{ kind: 'Status', data }, { text: 'Hi' }, { message: 'system x' }]);
    expect(envelopes[2]?.data).toBeUndefined();
  });

  it('is left out for an id beyond 1024 bytes, with one warning', () => {
    const envelopes = project([start, status], {}, { sessionId: 'é'.repeat(513) });
    expect(brief(envelopes)).toEqual([
      'Status | status | session handle omitted: id exceeds 1024 bytes',
      'Status | status | system init',
      'Status | status | system x',
    ]);
    expect(JSON.stringify(envelopes)).not.toContain('é');
  });

  it('is left out for an id of nothing but space', () => {
    expect(project([start], {}, { sessionId: ' ' })).toEqual(project([start]));
  });
});

describe('U-2.5 the end of a run', () => {
  it('DANGEROUS is said once, before everything else, and the run says nothing of its own', () => {
    const warning: Payload = { type: 'warning', code: 'permission-bypass', message: 'x' };
    const start: Payload = { type: 'session-start' };
    expect(brief(project([warning, start], { externalSandbox: true }))).toEqual([
      'Status | status | DANGEROUS: external sandbox exec policy enabled (agent_api.exec.external_sandbox.v1=true)',
      'Status | status | system init',
    ]);
    expect(brief(project([warning]))).toEqual(['Status | status | x']);
  });

  it.each([
    ['last', 'No conversation found to continue', 'no session found'],
    ['id', 'No conversation found with session ID: 5', 'session not found'],
    ['id', 'Session 5 could not be found', 'session not found'],
    ['id', 'thread not found: 5', 'session not found'],
    ['id', 'Something else was not right', undefined],
    [undefined, 'No conversation found with session ID: 5', undefined],
  ])('LL-26 a selector of %s and "%s" end with: %s', (selector, message, expected) => {
    const end = runEnd({ reason: 'failed', error: { category: 'unknown', message } });
    expect(brief(project([end], { selector }))).toEqual(expected ? [`Error | error | ${expected}`] : []);
  });

  it('an ending that is an error is told in the stream too, but not a cancellation', () => {
    const spawn = runEnd({ reason: 'spawn-failed', error: { category: 'config', message: 'was not found' } });
    expect(brief(project([spawn]))).toEqual(['Error | error | was not found']);
    expect(brief(project([runEnd({ reason: 'timed-out' })], { timeoutMs: 50 }))).toEqual([
      'Error | error | timeout after 50 ms',
    ]);
    expect(project([runEnd({ reason: 'cancelled' })])).toEqual([]);
  });
});
