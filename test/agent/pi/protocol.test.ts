/** What pi prints: results, messages, tools, in both of its lines. */
import { describe, expect, test } from 'vitest';
import { pi } from '../../../src/agent/pi/index.js';
import { converse, draftsOf, ofType, requestFor } from '../drive.js';
import { assistant, begin, content, end, failure, read, said, text, toolRun } from './lines.js';

const grow = (event: object) => ({ type: 'message_update', assistantMessageEvent: event });

describe('the result is in the last message, never in the exit status', () => {
  test.each<[string, object, object]>([
    [
      'stop',
      text('Hi.'),
      {
        outcome: 'success',
        text: 'Hi.',
        usage: { inputTokens: 10, outputTokens: 2 },
        cost: { usd: 0.001, scope: 'turn', origin: 'reported' },
      },
    ],
    [
      'error',
      failure('401 Incorrect API key provided'),
      { outcome: 'failed', error: { category: 'auth', httpStatus: 401 } },
    ],
    ['aborted', assistant([], { stopReason: 'aborted' }), { outcome: 'interrupted' }],
    ['aborted while a tool ran', failure('This operation was aborted'), { outcome: 'interrupted' }],
    ['length', assistant([], { stopReason: 'length' }), { outcome: 'failed', error: { category: 'max-output' } }],
  ])('%s', (_, message, expected) => {
    expect(ofType(read(...said(message), end), 'turn-end')).toMatchObject([expected]);
  });

  test('a stream that was joined late and cut early still tells what was spent', () => {
    const drafts = draftsOf(pi, said(text('Hi.')));
    expect(ofType(drafts, 'turn-end')).toMatchObject([
      { outcome: 'unknown', usage: { inputTokens: 10, outputTokens: 2 }, cost: { usd: 0.001 } },
    ]);
    const running = { type: 'tool_execution_start', toolCallId: 't', toolName: 'bash', args: {} };
    expect(ofType(draftsOf(pi, [running]), 'turn-start')).toHaveLength(1);
  });

  test('an end that is followed by a retry was none: the turn goes on', () => {
    const retry = {
      type: 'auto_retry_start',
      attempt: 1,
      maxAttempts: 3,
      delayMs: 2000,
      errorMessage: '500 The server had an error',
    };
    const drafts = read(
      ...said(failure('500 The server had an error')),
      end,
      retry,
      ...begin,
      ...said(text('Hi.')),
      end,
    );
    expect(ofType(drafts, 'retry')).toMatchObject([{ attempt: 1, maxAttempts: 3, delayMs: 2000, httpStatus: 500 }]);
    expect(ofType(drafts, 'turn-start')).toHaveLength(1);
    expect(ofType(drafts, 'turn-end')).toMatchObject([{ outcome: 'success' }]);
    expect(ofType(drafts, 'agent-error')).toEqual([]);
  });

  test('an overflow compacts and goes on in the same turn', () => {
    const drafts = read(
      ...said(failure('prompt is too long')),
      end,
      { type: 'compaction_start', reason: 'overflow' },
      { type: 'compaction_end', reason: 'overflow', result: { tokensBefore: 9 }, willRetry: true },
      ...begin,
      ...said(text('Hi.')),
      end,
    );
    expect(ofType(drafts, 'compaction-end')).toMatchObject([{ trigger: 'overflow', tokensBefore: 9 }]);
    expect(ofType(drafts, 'turn-end')).toMatchObject([{ outcome: 'success' }]);
  });

  test('what a broken stream said is taken back by the retry', () => {
    const drafts = read(
      { type: 'message_start', message: text('') },
      grow({ type: 'text_delta', contentIndex: 0, delta: 'Hal' }),
      { type: 'message_end', message: { ...failure('terminated'), content: [{ type: 'text', text: 'Hal' }] } },
      end,
      { type: 'auto_retry_start', attempt: 1 },
    );
    expect(ofType(drafts, 'text-end')).toMatchObject([{ text: 'Hal', partial: true }]);
    expect(ofType(drafts, 'message-retract')).toMatchObject([{ messageId: 'message-1', why: 'stream-broken' }]);
  });
});

describe('messages', () => {
  test('only the delta counts: the message that is repeated with it may already be further', () => {
    const partial = { content: [{ type: 'text', text: 'Hello there' }] };
    const drafts = read(
      { type: 'message_start', message: text('') },
      grow({ type: 'text_start', contentIndex: 0, partial }),
      grow({ type: 'text_delta', contentIndex: 0, delta: 'Hel', partial }),
      grow({ type: 'text_delta', contentIndex: 0, delta: 'lo', partial }),
      grow({ type: 'text_end', contentIndex: 0, content: 'Hello', partial }),
      { type: 'message_end', message: text('Hello') },
    );
    expect(ofType(drafts, 'text-delta').map((delta) => delta.text)).toEqual(['Hel', 'lo']);
    expect(ofType(drafts, 'text-end')).toMatchObject([{ text: 'Hello' }]);
  });

  test('a call is announced while its arguments stream', () => {
    const partial = { content: [{ type: 'toolCall', id: 't1', name: 'bash' }] };
    const drafts = read(
      { type: 'message_start', message: text('') },
      grow({ type: 'toolcall_start', contentIndex: 0, partial }),
      grow({ type: 'toolcall_delta', contentIndex: 0, delta: '{"comm', partial }),
      grow({
        type: 'toolcall_end',
        contentIndex: 0,
        toolCall: { id: 't1', name: 'bash', arguments: { command: 'ls' } },
      }),
    );
    expect(drafts.filter(({ type }) => type.startsWith('tool-')).map(({ type }) => type)).toEqual([
      'tool-start',
      'tool-input-delta',
      'tool-input-end',
      'tool-end',
    ]);
  });

  test('the results that are repeated as messages are not said twice', () => {
    const drafts = read(...said({ role: 'toolResult', toolCallId: 't1', content: [{ type: 'text', text: 'x' }] }));
    expect(ofType(drafts, 'message-start')).toEqual([]);
  });
});

describe('tools', () => {
  test('output is the whole so far and is told as what is new', () => {
    const update = (words: string) => ({
      type: 'tool_execution_update',
      toolCallId: 't1',
      partialResult: content(words),
    });
    const drafts = read(
      { type: 'tool_execution_start', toolCallId: 't1', toolName: 'bash', args: {} },
      update('a\n'),
      update('a\nb\n'),
    );
    expect(ofType(drafts, 'tool-output-delta').map((delta) => delta.text)).toEqual(['a\n', 'b\n']);
  });

  test.each<[string, object, boolean, object]>([
    [
      'the exit code is in the words',
      content('x\n\nCommand exited with code 3'),
      true,
      { status: 'failed', exitCode: 3 },
    ],
    ['a command that worked', content('x'), false, { status: 'ok', exitCode: 0 }],
    ['a timeout has no exit code', content('Command timed out after 1 seconds'), true, { status: 'failed' }],
  ])('%s', (_, result, isError, expected) => {
    expect(ofType(toolRun(result, isError), 'tool-end')).toMatchObject([expected]);
  });

  test('a numbered diff becomes hunks', () => {
    const diff = ' 1 # demo\n 2 \n-3 hello\n+3 HELLO\n ...\n  9 x\n-10 y\n';
    const drafts = toolRun({ content: [], details: { diff } }, false, 'edit', { path: 'README.md' });
    expect(ofType(drafts, 'file-change')).toMatchObject([
      {
        path: 'README.md',
        kind: 'edit',
        diff: '@@ -1,3 +1,3 @@\n # demo\n \n-hello\n+HELLO\n@@ -9,2 +9,1 @@\n x\n-y\n',
      },
    ]);
  });

  test('a written file', () => {
    expect(ofType(toolRun(content('ok'), false, 'write', { path: 'a' }), 'file-change')).toMatchObject([
      { path: 'a', kind: 'create' },
    ]);
    expect(ofType(toolRun(content('no'), true, 'write', { path: 'a' }), 'file-change')).toEqual([]);
  });
});

test.each([[{ type: 'hologram' }], [grow({ type: 'hologram_delta' })], [7], [null]])(
  '%j is unknown and harms nothing',
  (value) => {
    const drafts = read(value, ...said(text('Hi.')), end);
    expect(ofType(drafts, 'unknown')).toHaveLength(1);
    expect(ofType(drafts, 'turn-end')).toMatchObject([{ outcome: 'success' }]);
  },
);

describe('from 0.87 on', () => {
  const over = (willRetry: boolean) => ({ ...end, willRetry });
  const settled = { type: 'agent_settled' };
  const noted = { type: 'entry_appended', entry: { type: 'context_edit' } };

  test('a retry that is announced keeps the turn open, whatever is noted in between', () => {
    const events = read(
      ...said(failure('429 Rate limit')),
      over(true),
      { type: 'auto_retry_start', attempt: 1, maxAttempts: 3, delayMs: 10, errorMessage: '429' },
      noted,
      ...begin,
      ...said(text('Hi.')),
      over(false),
      settled,
    );
    expect(ofType(events, 'turn-end')).toMatchObject([{ outcome: 'success', text: 'Hi.' }]);
    expect(ofType(events, 'retry')).toMatchObject([{ attempt: 1, httpStatus: 429 }]);
    expect(ofType(events, 'unknown')).toEqual([]);
  });

  test('a retry that was given up ends the turn when all is settled', () => {
    const events = read(...said(failure('500')), over(true), noted, settled);
    expect(ofType(events, 'turn-end')).toMatchObject([{ outcome: 'failed' }]);
  });

  test('nobody is asked whether a retry follows', () => {
    const talk = converse(pi, requestFor({ mode: 'conversation', prompt: 'go' }));
    talk.start();
    const before = talk.sent.length;
    for (const value of [...begin, ...said(failure('500')), over(false)]) talk.hear(value);
    expect(ofType(talk.events, 'turn-end')).toMatchObject([{ outcome: 'failed' }]);
    expect(talk.sent).toHaveLength(before);
  });

  test('a call that is being written has its id and name beside the delta', () => {
    const events = read(
      { type: 'message_start', message: assistant([]) },
      grow({ type: 'toolcall_start', contentIndex: 0, id: 't1', toolName: 'bash' }),
      grow({ type: 'toolcall_delta', contentIndex: 0, delta: '{"command":' }),
    );
    expect(ofType(events, 'tool-start')).toMatchObject([{ id: 't1', name: 'bash' }]);
    expect(ofType(events, 'tool-input-delta')).toMatchObject([{ id: 't1', text: '{"command":' }]);
  });

  test('compactions and their retries are told', () => {
    const events = read(
      { type: 'compaction_start', reason: 'threshold' },
      { type: 'summarization_retry_scheduled', attempt: 1, maxAttempts: 3, delayMs: 5, errorMessage: '529 overloaded' },
      { type: 'summarization_retry_attempt_start', source: 'compaction', reason: 'threshold' },
      { type: 'summarization_retry_finished' },
      { type: 'compaction_end', reason: 'threshold', result: { tokensBefore: 9, estimatedTokensAfter: 2 } },
      { type: 'compaction_end', reason: 'manual', aborted: true },
    );
    expect(ofType(events, 'retry')).toMatchObject([{ attempt: 1, why: '529 overloaded' }]);
    expect(ofType(events, 'compaction-end')).toMatchObject([{ tokensBefore: 9, tokensAfter: 2 }, { error: 'aborted' }]);
    expect(ofType(events, 'unknown')).toEqual([]);
  });
});
