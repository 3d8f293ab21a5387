/** Events in, the rows of a conversation out: a table of what happened and what is shown. */
import { describe, expect, test } from 'vitest';
import { bash, done, linesOf, runEnd, text } from './bodies.js';
import { type Body, play } from './play.js';

const conversations: Record<string, [events: Body[], lines: string[]]> = {
  'LL-11 one message that comes as several lines is one message': [
    [
      { type: 'message-start', messageId: 'm' },
      text('m', 0, 'first'),
      { type: 'message-start', messageId: 'm' },
      text('m', 1, 'second'),
      { type: 'message-end', messageId: 'm' },
    ],
    ['text first', 'text second'],
  ],
  'LL-12 the whole text replaces its deltas, and later deltas do not come back': [
    [
      { type: 'text-delta', messageId: 'm', index: 0, text: 'Hel' },
      { type: 'text-delta', messageId: 'm', index: 0, text: 'lo' },
      text('m', 0, 'Hello!'),
      { type: 'text-delta', messageId: 'm', index: 0, text: ' again' },
    ],
    ['text Hello!'],
  ],
  'an answer that stands only in the result is told before its turn ends': [
    [{ type: 'turn-start' }, { type: 'turn-end', outcome: 'success', text: 'Yes.' }],
    ['text Yes.', 'turn'],
  ],
  'an answer that was said is not told again, in whatever order results come': [
    [
      { type: 'turn-start' },
      text('m', 0, 'One.'),
      { type: 'turn-start', turn: 2 } as Body,
      text('n', 0, 'Two.', { turn: 2 } as Partial<Body>),
      { type: 'turn-end', outcome: 'success', text: 'One.' },
      { type: 'turn-end', outcome: 'success', text: 'Two.', turn: 2 } as Body,
    ],
    ['text One.', 'text Two.', 'turn', 'turn'],
  ],
  'text grows while its deltas come': [
    [
      { type: 'text-delta', messageId: 'm', index: 0, text: 'Hel' },
      { type: 'text-delta', messageId: 'm', index: 0, text: 'lo' },
    ],
    ['text Hello …'],
  ],
  'a message that ends in the middle of a text keeps it as cut off': [
    [
      { type: 'text-delta', messageId: 'm', index: 0, text: 'Hel' },
      { type: 'message-end', messageId: 'm' },
    ],
    ['text Hel (cut)'],
  ],
  'LL-15 thinking works without text': [
    [
      { type: 'thinking-start', messageId: 'm', index: 0 },
      { type: 'usage-update', thinkingTokens: 50 },
    ],
    ['thinking  …'],
  ],
  'blocks stand in the order of their index, calls after the text before them': [
    [
      { type: 'message-start', messageId: 'm' },
      text('m', 2, 'after'),
      text('m', 0, 'before'),
      bash('a', { messageId: 'm' }),
      text('n', 0, 'look'),
      bash('b', { messageId: 'n' }),
      text('n', 2, 'and on'),
    ],
    ['text before', 'text after', 'tool Bash preparing', 'text look', 'tool Bash preparing', 'text and on'],
  ],
  'a call whose place is told stands there, although the text before it ends later': [
    [
      { type: 'text-delta', messageId: 'm', index: 0, text: 'look' },
      bash('a', { messageId: 'm', index: 1 } as Partial<Body>),
      text('m', 0, 'look'),
      text('m', 2, 'and on'),
    ],
    ['text look', 'tool Bash preparing', 'text and on'],
  ],
  'thinking and text may be counted apart': [
    [
      text('m', 0, 'answer'),
      { type: 'thinking-start', messageId: 'm', index: 0 },
      { type: 'thinking-end', messageId: 'm', index: 0, text: 'hmm' },
    ],
    ['thinking hmm', 'text answer'],
  ],
  'what was retracted is gone, and what is said in its place is there': [
    [
      text('m', 0, 'wrong'),
      { type: 'message-retract', messageId: 'm', why: 'superseded' },
      text('n', 0, 'right'),
      text('n', 1, 'half wrong'),
      { type: 'message-retract', messageId: 'n', index: 1, why: 'refused' },
      { type: 'text-delta', messageId: 'n', index: 1, text: 'half right' },
    ],
    ['text right', 'text half right …'],
  ],
  'the calls of a retracted message stay, because they may have run': [
    [
      text('m', 0, 'wrong'),
      bash('a', { messageId: 'm' }),
      done('a'),
      { type: 'message-retract', messageId: 'm', why: 'stream-broken' },
    ],
    ['tool Bash ok'],
  ],
  'LL-13 a sub-agent speaks below its call, its prompt too': [
    [
      { type: 'user-message', text: 'go' },
      { type: 'tool-start', id: 'a', name: 'Agent', kind: 'think' },
      { type: 'user-message', text: 'look around', parent: 'a' },
      bash('b', { parent: 'a' }),
      { type: 'tool-start', id: 'c', name: 'Agent', kind: 'think', parent: 'a' },
      text('m', 0, 'deep', { parent: 'c' }),
      done('a'),
      text('n', 0, 'done'),
    ],
    [
      'user go',
      'tool Agent ok',
      '  user look around',
      '  tool Bash preparing',
      '  tool Agent preparing',
      '    text deep',
      'text done',
    ],
  ],
  'children of parallel sub-agents do not mix': [
    [
      { type: 'tool-start', id: 'a', name: 'Agent', kind: 'think' },
      { type: 'tool-start', id: 'b', name: 'Agent', kind: 'think' },
      text('1', 0, 'of b', { parent: 'b' }),
      text('2', 0, 'of a', { parent: 'a' }),
      text('3', 0, 'of b again', { parent: 'b' }),
    ],
    ['tool Agent preparing', '  text of a', 'tool Agent preparing', '  text of b', '  text of b again'],
  ],
  'a sub-agent whose call was never seen has a card without a name': [
    [text('m', 0, 'orphan', { parent: 'a' }), { type: 'tool-start', id: 'a', name: 'Agent', kind: 'think' }],
    ['tool Agent running', '  text orphan'],
  ],
  'LL-16 a result without a start has a card': [
    [done('a', { name: 'Read', output: 'text' } as Partial<Body>)],
    ['tool Read ok'],
  ],
  'a tool ends once': [
    [bash('a'), done('a'), { type: 'tool-end', id: 'a', status: 'failed' }, bash('a')],
    ['tool Bash ok'],
  ],
  'S0-32 a tool from its announcement to its end': [
    [bash('a'), bash('b'), { type: 'tool-input-end', id: 'b', input: {}, summary: 'ls' }, bash('c'), done('c')],
    ['tool Bash preparing', 'tool Bash running ls', 'tool Bash ok'],
  ],
  'what the agent echoes is said once': [
    [
      { type: 'user-message', text: 'go', messageId: 'u' },
      { type: 'user-message', text: 'go', messageId: 'u', replay: true },
    ],
    ['user go'],
  ],
  'a tool that waits says so, on its card; a plan stands for itself': [
    [
      bash('a'),
      { type: 'approval-request', id: '1', kind: 'tool', toolId: 'a', toolName: 'Bash' },
      { type: 'approval-request', id: '2', kind: 'plan', plan: 'do it' },
    ],
    ['tool Bash waiting', 'approval pending'],
  ],
  'a task is shown by the tool that started it, else by itself': [
    [
      bash('a'),
      { type: 'task-start', id: '1', kind: 'shell', toolId: 'a' },
      { type: 'task-start', id: '2', kind: 'monitor' },
      { type: 'task-end', id: '2', status: 'ok' },
      { type: 'task-end', id: '2', status: 'failed' },
    ],
    ['tool Bash preparing', 'task ok'],
  ],
  'quiet lines, faults and a declared loss stand where they happened': [
    [
      { type: 'retry', attempt: 1, why: 'overloaded' },
      { type: 'status', code: 'requesting' },
      { type: 'status', code: 'note', text: 'hello' },
      { type: 'rate-limit', state: 'allowed', window: 'five-hour' },
      { type: 'rate-limit', state: 'warning', window: 'five-hour' },
      { type: 'rate-limit', state: 'warning', window: 'five-hour' },
      { type: 'compaction-start' },
      { type: 'compaction-end', tokensBefore: 9, tokensAfter: 1 },
      { type: 'permission-deny', toolName: 'Bash' },
      { type: 'agent-error', category: 'server', message: 'broken', fatal: false },
      { type: 'decode-error', code: 'json_parse', line: 3, bytes: 9 },
      { type: 'warning', code: 'x', message: 'careful' },
      { type: 'gap', from: 4, to: 9, why: 'slow reader' },
      { type: 'unknown', wireType: 'new', bytes: 1 },
    ],
    [
      'retry',
      'status',
      'rate-limit',
      'compaction-end',
      'permission-deny',
      'agent-error',
      'decode-error',
      'warning',
      'gap',
    ],
  ],
  'a hook stands where it started, a turn and a run where they ended': [
    [
      { type: 'hook-start', id: 'h', name: 'PreToolUse' },
      text('m', 0, 'hello'),
      { type: 'hook-end', id: 'h', name: 'PreToolUse', outcome: 'ok' },
      { type: 'turn-end', outcome: 'success' },
      runEnd('finished'),
    ],
    ['hook', 'text hello', 'turn', 'run'],
  ],
};

describe('S0-33, S0-34 the conversation', () => {
  test.each(Object.entries(conversations))('%s', (_, [events, lines]) => {
    expect(linesOf(play(events))).toEqual(lines);
  });

  test('S0-30 events of hooks and transcripts count like those of the stream', () => {
    const from = (source: 'hook' | 'transcript'): Body[] => [bash('a', { source }), done('a', { source })];
    expect(linesOf(play(from('hook')))).toEqual(linesOf(play(from('transcript'))));
  });
});
