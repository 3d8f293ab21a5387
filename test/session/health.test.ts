/** How it is doing and what it is doing now, case by case. */
import { describe, expect, test } from 'vitest';
import type { EndReason } from '../../src/event/index.js';
import {
  type Activity,
  activityText,
  type HealthState,
  initialState,
  selectCurrentActivity,
  selectError,
  selectHealth,
} from '../../src/session/index.js';
import { type Body, play } from './play.js';

const start: Body = { type: 'turn-start' };
const bash: Body[] = [
  { type: 'tool-start', id: 'a', name: 'Bash', kind: 'execute' },
  { type: 'tool-input-end', id: 'a', input: {}, summary: 'npm test' },
];
const silence: Body = { type: 'warning', code: 'watchdog-silence', message: 'no sign of life', source: 'synthetic' };

const cases: Record<string, [events: Body[], state: HealthState, now: [Activity['kind'], string]]> = {
  'before anything': [[], 'idle', ['idle', 'Nothing yet']],
  'before the first turn': [[{ type: 'session-start' }], 'idle', ['idle', 'Starting']],
  'in a turn': [[start], 'running', ['model', 'Waiting for the model']],
  'while it writes': [
    [start, { type: 'text-delta', messageId: 'm', index: 0, text: 'x' }],
    'running',
    ['text', 'Writing'],
  ],
  'while it thinks': [
    [start, { type: 'thinking-start', messageId: 'm', index: 0 }, { type: 'usage-update', thinkingTokens: 9 }],
    'running',
    ['thinking', 'Thinking: 9 tokens'],
  ],
  'with a tool': [[start, ...bash], 'running', ['tool', 'Bash: npm test']],
  'with several tools': [
    [start, { type: 'tool-start', id: 'b', name: 'Read', kind: 'read' }, ...bash],
    'running',
    ['tool', 'Bash: npm test and 1 more'],
  ],
  'with a tool of a sub-agent': [
    [
      start,
      { type: 'tool-start', id: 'g', name: 'Agent', kind: 'think' },
      ...bash.map((body) => ({ ...body, parent: 'g' })),
    ],
    'running',
    ['tool', 'Bash: npm test'],
  ],
  'when it asks': [
    [
      start,
      ...bash,
      { type: 'approval-request', id: '1', kind: 'tool', toolId: 'a', toolName: 'Bash', summary: 'npm test' },
      { type: 'approval-request', id: '2', kind: 'plan' },
    ],
    'waiting',
    ['approval', 'Waiting for you: Bash: npm test and 1 more'],
  ],
  'when the agent says that it waits': [
    [start, { type: 'session-update', state: 'waiting' }],
    'waiting',
    ['model', 'Waiting for the model'],
  ],
  'when nothing moves': [[start, silence], 'stalled', ['stall', 'Stalled: no sign of life']],
  'when it moves again': [[start, silence, ...bash], 'running', ['tool', 'Bash: npm test']],
  'when only glassbox speaks': [
    [start, silence, { type: 'warning', code: 'other', message: '', source: 'synthetic' }],
    'stalled',
    ['stall', 'Stalled: no sign of life'],
  ],
  'while a call is tried again': [
    [start, { type: 'retry', attempt: 2, maxAttempts: 10, why: 'overloaded', httpStatus: 529 }],
    'running',
    ['retry', 'Retrying 2/10: overloaded'],
  ],
  'T-067 while it is rate limited': [
    [start, { type: 'retry', attempt: 1, httpStatus: 429 }],
    'rate-limited',
    ['retry', 'Retrying 1'],
  ],
  'once the call went through': [
    [start, { type: 'retry', httpStatus: 429 }, { type: 'message-start', messageId: 'm' }],
    'running',
    ['model', 'Waiting for the model'],
  ],
  'while it compacts': [
    [start, { type: 'compaction-start' }],
    'running',
    ['compaction', 'Compacting the conversation'],
  ],
  'with work in the background': [
    [
      start,
      { type: 'turn-end', outcome: 'success' },
      { type: 'task-start', id: 'k', kind: 'shell', description: 'npm start' },
    ],
    'running',
    ['task', 'In the background: npm start'],
  ],
  'after its turn': [[start, { type: 'turn-end', outcome: 'success' }], 'done', ['ended', 'Done']],
  'after an interrupt': [[start, { type: 'turn-end', outcome: 'interrupted' }], 'done', ['ended', 'Stopped']],
  'after a failure, in one line': [
    [start, { type: 'turn-end', outcome: 'failed', error: { category: 'auth', message: 'Log in.\nDetails' } }],
    'failed',
    ['ended', 'Failed: Log in.'],
  ],
  'without a result': [
    [start, { type: 'turn-end', outcome: 'unknown' }],
    'failed',
    ['ended', 'Failed: ended without a result'],
  ],
  'after the run': [[start, runEnd('finished')], 'done', ['ended', 'Done']],
  'after a cancel': [[start, runEnd('cancelled')], 'done', ['ended', 'Stopped']],
  'after a crash': [[start, runEnd('crashed')], 'failed', ['ended', 'Failed: crashed']],
};

describe('S4-22 health and activity', () => {
  test.each(Object.entries(cases))('%s', (_, [events, health, [kind, text]]) => {
    const state = play(events);
    expect(selectHealth(state).state).toBe(health);
    const activity = selectCurrentActivity(state);
    expect([activity.kind, activityText(activity)]).toEqual([kind, text]);
  });

  test('say since when', () => {
    expect(selectHealth(play([start, ...bash])).since).toBe(1000);
    expect(selectCurrentActivity(play([start, ...bash])).since).toBe(2000);
    expect(selectHealth(play([start, silence])).since).toBe(2000);
  });
});

test('the error is that of the end, of the last turn, or the one that is fatal now', () => {
  const error = { category: 'server', message: 'down' } as const;
  const fault = (fatal: boolean): Body => ({ type: 'agent-error', ...error, fatal });
  expect(selectError(initialState)).toBeUndefined();
  expect(selectError(play([start, fault(false)]))).toBeUndefined();
  expect(selectError(play([start, fault(true)]))).toMatchObject(error);
  expect(selectError(play([start, { type: 'turn-end', outcome: 'failed', error }]))).toEqual(error);
  expect(selectError(play([start, fault(true), { type: 'turn-end', outcome: 'success' }]))).toBeUndefined();
  expect(selectError(play([start, fault(true), runEnd('finished')]))).toBeUndefined();
});

function runEnd(reason: EndReason): Body {
  const open = { tools: [], tasks: [], approvals: [], processes: [] };
  return { type: 'run-end', reason, turns: 1, open, durationMs: 1 };
}
