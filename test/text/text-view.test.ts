/** Events to lines: which are told, in which words, and how a run ends. */
import { describe, expect, test } from 'vitest';
import type { AgentEvent, EventType } from '../../src/event/index.js';
import { createTextView, type TextViewOptions } from '../../src/view/text/text-view.js';
import { everything, print } from './print.js';
import { SAMPLES } from './samples.js';
import { stamp } from './stamp.js';

const bash = (id: string, summary: string, parent?: string) => [
  stamp('tool-start', { id, name: 'Bash', kind: 'execute', ...(parent && { parent }) }),
  stamp('tool-input-end', { id, input: {}, summary, ...(parent && { parent }) }),
];
const text = (words: string, parent?: string) =>
  stamp('text-end', { messageId: 'm1', index: 0, text: words, ...(parent && { parent }) });
const done = (usd?: number) =>
  stamp('turn-end', {
    outcome: 'success',
    ...(usd !== undefined && { cost: { usd, scope: 'process', origin: 'reported' } as const }),
  });

describe('the lines of a run', () => {
  const run = [
    stamp('session-start', { sessionId: 's-123', model: 'opus' }),
    stamp('text-delta', { messageId: 'm1', index: 0, text: "I'll fix" }),
    text("I'll fix the failing test.\nFirst I look."),
    ...bash('t1', 'go test ./...'),
    stamp('tool-end', { id: 't1', status: 'ok', output: 'PASS\nok  pkg 0.5s\n' }),
    ...bash('t2', 'rm x'),
    stamp('tool-end', { id: 't2', status: 'failed', output: 'Permission denied' }),
    done(0.015),
  ];

  test.each<[string, TextViewOptions, string[]]>([
    [
      'S1-36 by default the lines of the reference',
      {},
      [
        '[claude] "I\'ll fix the failing test."',
        '[claude] Bash: go test ./...',
        '[claude] Bash: rm x',
        '[claude] ERROR: Permission denied',
        '[claude] Complete (cost: $0.0150)',
      ],
    ],
    [
      'S1-36, R-23 verbose adds outputs on one line, and a summary',
      { verbose: true },
      [
        '[claude] "I\'ll fix the failing test."',
        '[claude] Bash: go test ./...',
        '[claude]   -> PASS ok pkg 0.5s',
        '[claude] Bash: rm x',
        '[claude] ERROR: Permission denied',
        '[claude] Complete (cost: $0.0150)',
        '[claude]   tools: 2, errors: 1',
      ],
    ],
    [
      'quiet leaves what somebody must know',
      { quiet: true, verbose: true },
      ['[claude] ERROR: Permission denied', '[claude] Complete (cost: $0.0150)', '[claude]   tools: 2, errors: 1'],
    ],
    [
      'S1-25 without text, under another name',
      { showText: false, agentName: 'main' },
      [
        '[main] Bash: go test ./...',
        '[main] Bash: rm x',
        '[main] ERROR: Permission denied',
        '[main] Complete (cost: $0.0150)',
      ],
    ],
  ])('%s', (_name, options, lines) => {
    expect(print(run, options)).toEqual(lines);
  });

  test('S0-36, R-15, S1-19 the session id is told only with progress and details', () => {
    const [start] = run;
    expect(print(start ? [start] : [], { progress: true })).toEqual(['[claude] session started with opus']);
    expect(print(start ? [start] : [], { progress: true, verbose: true })).toEqual(['[claude] session: s-123']);
    expect(print(start ? [start] : [], { verbose: true })).toEqual([]);
  });
});

test('U-1.3 the summary counts what its own turn did', () => {
  const turn = (id: string) => [
    stamp('tool-start', { id, name: 'Bash', kind: 'execute' }),
    stamp('tool-end', { id, status: 'failed', output: 'no' }),
    done(),
  ];
  const summaries = print([...turn('t1'), ...turn('t2')], { verbose: true }).filter((line) => line.includes('tools:'));
  expect(summaries).toEqual(['[claude]   tools: 1, errors: 1', '[claude]   tools: 1, errors: 1']);
});

describe('endings', () => {
  const failed = { category: 'auth', message: 'Invalid API key', hint: 'log in' } as const;
  const runEnd = { turns: 0, durationMs: 1, open: { tools: [], tasks: [], approvals: [], processes: [] } };
  test.each<[string, AgentEvent[], string[]]>([
    [
      'a command that failed and printed',
      [...bash('t', 'ls'), stamp('tool-end', { id: 't', status: 'failed', output: 'a\nb\n', exitCode: 3 })],
      ['Bash: ls', 'ERROR: exit code 3: a b'],
    ],
    [
      'a command whose words tell its exit code',
      [...bash('t', 'ls'), stamp('tool-end', { id: 't', status: 'failed', output: 'Exit code 3\na', exitCode: 3 })],
      ['Bash: ls', 'ERROR: Exit code 3 a'],
    ],
    [
      'a call that was refused in words that do not say so',
      [...bash('t', 'ls'), stamp('tool-end', { id: 't', status: 'denied', output: 'Tool not found' })],
      ['Bash: ls', 'ERROR: denied: Tool not found'],
    ],
    [
      'a call that was refused in words that do',
      [...bash('t', 'ls'), stamp('tool-end', { id: 't', status: 'denied', output: 'This needs approval' })],
      ['Bash: ls', 'ERROR: This needs approval'],
    ],
    [
      'a call that was cut off, without what its model is told',
      [
        ...bash('t', 'ls'),
        stamp('tool-end', { id: 't', name: 'Bash', status: 'cancelled', output: 'STOP what you do' }),
      ],
      ['Bash: ls', 'ERROR: Bash cancelled'],
    ],
    [
      'an answer that stands only in the result',
      [stamp('turn-end', { outcome: 'success', text: 'Yes.\nIndeed.' })],
      ['"Yes."', 'Complete'],
    ],
    [
      'an answer that was said, in a turn of its own',
      [text('Yes.'), stamp('turn-end', { outcome: 'success', text: 'Yes.' })],
      ['"Yes."', 'Complete'],
    ],
  ])('%s', (_, events, lines) => {
    expect(print(events)).toEqual(lines.map((line) => `[claude] ${line}`));
  });

  test.each<[string, AgentEvent[], string[]]>([
    ['S1-32 four decimals', [done(0.5)], ['Complete (cost: $0.5000)']],
    ['no cost known', [done()], ['Complete']],
    [
      'R-26 a failure says so',
      [stamp('turn-end', { outcome: 'failed', error: failed, cost: { usd: 0, scope: 'process', origin: 'reported' } })],
      ['Failed: Invalid API key (cost: $0.0000)', 'Hint: log in'],
    ],
    [
      'R-26 and does not repeat an error just told',
      [stamp('agent-error', { fatal: true, ...failed }), stamp('turn-end', { outcome: 'failed', error: failed })],
      ['ERROR: Invalid API key', 'Hint: log in', 'Failed: auth'],
    ],
    [
      'a stream that was cut',
      [stamp('turn-end', { outcome: 'unknown' })],
      ['Failed: the stream ended without a result'],
    ],
    [
      'a cost that is a guess',
      [stamp('turn-end', { outcome: 'success', cost: { usd: 1, scope: 'turn', origin: 'computed' } })],
      ['Complete (cost: about $1.0000)'],
    ],
    [
      'costs per turn are added up',
      [1, 2].map((usd) => stamp('turn-end', { outcome: 'success', cost: { usd, scope: 'turn', origin: 'reported' } })),
      ['Complete (cost: $1.0000)', 'Complete (cost: $3.0000)'],
    ],
    [
      'a run repeats nothing',
      [done(1), stamp('run-end', { reason: 'finished', ...runEnd })],
      ['Complete (cost: $1.0000)'],
    ],
    ['a run without a result', [stamp('run-end', { reason: 'finished', ...runEnd })], ['Complete']],
    [
      'a failure that was said as text is not told again',
      [
        stamp('text-end', { messageId: 'm', index: 0, text: 'Invalid API key' }),
        stamp('agent-error', { fatal: true, ...failed }),
        stamp('turn-end', { outcome: 'failed', error: failed }),
      ],
      ['"Invalid API key"', 'Hint: log in', 'Failed: auth'],
    ],
    [
      'a run that somebody stopped says so once',
      [
        stamp('turn-end', { outcome: 'interrupted' }),
        stamp('run-end', { reason: 'cancelled', steps: ['sent SIGINT'], ...runEnd }),
      ],
      ['Interrupted'],
    ],
    [
      'an interrupt that says who it was',
      [
        stamp('turn-end', {
          outcome: 'interrupted',
          error: { category: 'interrupted', message: 'Interrupted by the user.' },
        }),
      ],
      ['Interrupted by the user'],
    ],
    [
      'a stream that was cut, in a run that says more',
      [
        stamp('turn-end', { outcome: 'unknown' }),
        stamp('run-end', { reason: 'cancelled', detail: 'ended by the user', ...runEnd }),
      ],
      ['Interrupted: ended by the user'],
    ],
    [
      'a stream that was cut, and more after it',
      [stamp('turn-end', { outcome: 'unknown' }), done(1)],
      ['Failed: the stream ended without a result', 'Complete (cost: $1.0000)'],
    ],
    [
      'an interrupt with a message that says more',
      [stamp('turn-end', { outcome: 'interrupted', error: { category: 'unknown', message: 'Stopped by a hook.' } })],
      ['Interrupted: Stopped by a hook.'],
    ],
    [
      'a run that somebody stopped before a turn ended',
      [stamp('run-end', { reason: 'cancelled', detail: 'glassbox was stopped', steps: ['sent SIGINT'], ...runEnd })],
      ['Interrupted: glassbox was stopped'],
    ],
    [
      'a run that somebody stopped and nobody said why',
      [stamp('run-end', { reason: 'cancelled', steps: ['sent SIGINT'], ...runEnd })],
      ['Interrupted'],
    ],
    [
      'a run that glassbox ended',
      [
        stamp('turn-end', { outcome: 'interrupted' }),
        stamp('run-end', { reason: 'timed-out', detail: 'after 600 s', ...runEnd }),
      ],
      ['Interrupted', 'Failed: timed out: after 600 s'],
    ],
    [
      'a program that is not there',
      [
        stamp('run-end', {
          reason: 'spawn-failed',
          error: { category: 'config', message: 'claude is not installed', hint: 'npm i' },
          ...runEnd,
        }),
      ],
      ['Failed: the agent could not be started: claude is not installed', 'Hint: npm i'],
    ],
  ])('%s', (_name, events, lines) => {
    expect(print(events)).toEqual(lines.map((line) => `[claude] ${line}`));
  });
});

describe('tools', () => {
  test('S1-28 a call without arguments is only its name', () => {
    expect(print(bash('t1', ''))).toEqual(['[claude] Bash']);
  });

  test('LL-15 a call is told once its arguments are complete, at the latest when it ends', () => {
    const start = stamp('tool-start', { id: 't1', name: 'Bash', kind: 'execute' });
    expect(print([start, stamp('tool-end', { id: 't1', status: 'ok', output: '' })])).toEqual(['[claude] Bash']);
    expect(print([start])).toEqual(['[claude] Bash']);
    expect(createTextView().push(start)).toEqual([]);
  });

  test('LL-16 a result without a call is printed', () => {
    expect(print([stamp('tool-end', { id: 'x', status: 'denied' })])).toEqual(['[claude] ERROR: tool denied']);
  });

  test('LL-13 sub-agents are indented, nested ones further, in the background too', () => {
    const agent = (id: string, parent?: string) => [
      stamp('tool-start', { id, name: 'Agent', kind: 'think', ...(parent && { parent }) }),
      stamp('tool-input-end', { id, input: {}, summary: `task ${id}`, ...(parent && { parent }) }),
    ];
    const lines = print([
      ...agent('a'),
      ...bash('t1', 'ls', 'a'),
      ...agent('b', 'a'),
      text('deep', 'b'),
      stamp('tool-end', { id: 'b', status: 'ok', output: 'launched', taskId: 'k1', parent: 'a' }),
      text('still deep', 'b'),
      stamp('tool-end', { id: 'a', status: 'ok', output: '' }),
      text('a stranger', 'gone'),
      text('main'),
    ]);
    expect(lines).toEqual([
      '[claude] Agent: task a',
      '[claude]   Bash: ls',
      '[claude]   Agent: task b',
      '[claude]     "deep"',
      '[claude]     "still deep"',
      '[claude]   "a stranger"',
      '[claude] "main"',
    ]);
  });
});

test('S1-05 every type of event, all lines on', () => {
  const lines = (Object.keys(SAMPLES) as EventType[]).flatMap((type) => {
    const printed = print([stamp(type, SAMPLES[type] as never)], everything);
    return printed.length > 0 ? printed : [`${type}: nothing`];
  });
  expect(lines.map((line) => line.replace('[claude] ', ''))).toEqual([
    'session started with opus',
    'session forked',
    'session: another title, sonnet, plan mode',
    'turn started: task-notification',
    'Failed: not logged in (cost: $0.0150)',
    '  tokens: 1.2M in (850K cached) / 45K out, tools: 0, errors: 0, time: 6m7s',
    'Hint: log in first',
    'message-start: nothing',
    'text-delta: nothing',
    '"hello"',
    'thinking-start: nothing',
    'thinking-delta: nothing',
    'Thinking: "hmm"',
    'message-end: nothing',
    'message-retract: nothing',
    'user-message: nothing',
    'Bash',
    'tool-input-delta: nothing',
    'tool-input-end: nothing',
    'tool-output-delta: nothing',
    'tool: 35 s still going',
    'ERROR: exit code 1: no such file',
    'moved a.ts to b.ts',
    'todo: 1 of 2 done, next: two',
    'plan proposed',
    'task started: sleep 5',
    'task: half, Read (1.2K tokens)',
    'task failed: broke (5 s)',
    'Permission required: Bash (rm -rf build)',
    'question: denied by the rule no rm; no',
    'question: no longer asked',
    'Permission denied: Write',
    'asking the model',
    'retry 1 of 10 in 0.5 s: overloaded, HTTP 529',
    'rate limit is near: five hour, 93 % used, resets in 2h5m; seven day, 40 % used',
    'compacting the conversation',
    'conversation compacted: 150K tokens to 9K',
    'hook started: PreToolUse:Bash',
    'hook failed: PreToolUse:Bash',
    'usage-update: nothing',
    'ERROR: not logged in',
    'Hint: log in first',
    'unreadable line 12 (json_parse, 431 bytes)',
    'Warning: permissions are bypassed',
    'Warning: events 3 to 9 were lost (slow reader)',
    'unknown message type: novel',
    'Failed: timed out: after 600 s',
    '  tools: 0, errors: 0, time: 10m0s',
  ]);
});

test.each<[string, AgentEvent[], string[]]>([
  [
    '§4.3 a permission',
    [stamp('approval-request', { id: 'q', kind: 'tool', toolName: 'Bash' })],
    ['Permission required: Bash'],
  ],
  [
    'a question',
    [stamp('approval-request', { id: 'q', kind: 'question', questions: [{ question: 'Which?' }] })],
    ['Question: Which?'],
  ],
  [
    'a plan',
    [stamp('approval-request', { id: 'q', kind: 'plan', toolName: 'ExitPlanMode', plan: 'x' })],
    ['Permission required: plan'],
  ],
  [
    'what an MCP server wants to know',
    [stamp('approval-request', { id: 'q', kind: 'elicitation', toolName: 'demo', title: 'Sign in', url: 'https://x' })],
    ['Question: Sign in https://x'],
  ],
  ['a hook, which asks nobody', [stamp('approval-request', { id: 'q', kind: 'hook', title: 'PreToolUse' })], []],
  [
    'a limit that was hit',
    [stamp('rate-limit', { state: 'rejected', window: 'five_hour' })],
    ['Rate limit reached: five hour'],
  ],
  [
    'a denial of a call that will end with it',
    [
      stamp('tool-start', { id: 't', name: 'Write', kind: 'edit' }),
      stamp('permission-deny', { toolName: 'Write', toolId: 't' }),
    ],
    ['Write'],
  ],
  [
    'what was said and withdrawn',
    [text('wrong'), stamp('message-retract', { messageId: 'm1', why: 'refused' })],
    ['"wrong"', 'Retracted: the message above was withdrawn (refused)'],
  ],
])('always told, even quietly: %s', (_name, events, lines) => {
  expect(print(events)).toEqual(lines.map((line) => `[claude] ${line}`));
  const notices = lines.filter((line) => /^[A-Z]\w+(?: \w+)*: /.test(line));
  expect(print(events, { quiet: true })).toEqual(notices.map((line) => `[claude] ${line}`));
});
