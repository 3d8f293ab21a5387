/** What another agent is told of a session: typed facts, bounded, nothing that a terminal would obey. */
import { expect, test } from 'vitest';
import type { AgentEvent } from '../../src/event/index.js';
import { briefOf } from '../../src/export/index.js';

const told = (events: readonly object[]): AgentEvent[] =>
  events.map(
    (event, index) =>
      ({ seq: index + 1, at: 1, runId: 'r', agent: 'claude', turn: 1, source: 'stream', ...event }) as never,
  );

const tool = (id: string, kind: string, facts: object, status = 'ok'): object[] => [
  { type: 'tool-start', id, name: kind === 'execute' ? 'Bash' : 'Tool', kind },
  { type: 'tool-input-end', id, input: {}, summary: '', ...facts },
  { type: 'tool-end', id, status, output: 'a long output that nobody needs' },
];

test('tells what was asked, done, decided, and what is open', () => {
  const brief = briefOf(
    told([
      {
        type: 'user-message',
        text: 'Fix the login\nand its test',
        attachments: [{ kind: 'image', name: 'a.png', mimeType: 'image/png' }],
      },
      { type: 'user-message', text: 'put in by the program', synthetic: true },
      ...tool('t1', 'edit', { paths: ['src/login.ts'] }),
      ...tool('t2', 'execute', { command: 'npm   test' }, 'failed'),
      ...tool('t3', 'read', { paths: ['README.md'] }),
      ...tool('t5', 'move', { paths: ['a', 'b'] }),
      ...tool('t6', 'delete', { paths: ['c'] }),
      ...tool('t4', 'execute', { command: 'inside a sub-agent' }).map((event) => ({ ...event, parent: 't9' })),
      { type: 'approval-request', id: 'a', kind: 'tool', toolName: 'Bash', summary: 'rm -rf build' },
      { type: 'approval-resolve', id: 'a', decision: 'deny', by: 'person', message: 'keep it' },
      { type: 'approval-request', id: 'b', kind: 'question', questions: [{ question: 'Which one?' }] },
      {
        type: 'approval-resolve',
        id: 'b',
        decision: 'answer',
        by: 'person',
        answers: { 'Which one?': 'The first', 'And else?': 'Both' },
      },
      { type: 'approval-request', id: 'c', kind: 'tool', summary: 'allowed' },
      { type: 'approval-resolve', id: 'c', decision: 'allow', by: 'rule' },
      { type: 'approval-resolve', id: 'asked before', decision: 'deny', by: 'rule' },
      {
        type: 'todo-update',
        todos: [
          { text: 'Fix', status: 'done' },
          { text: 'Test', status: 'pending' },
        ],
      },
      {
        type: 'turn-end',
        outcome: 'failed',
        text: 'Half done.',
        error: { category: 'rate-limit', message: 'Out of quota' },
      },
    ]),
    { agent: 'Claude Code', title: 'Fix the login', changed: ['src/login.ts'] },
  );
  expect(brief).toBe(
    [
      'Take over: Fix the login',
      '',
      'Another agent (Claude Code) began this. You see its files as it left them, and below what is known of its work; of its conversation you know nothing else.',
      ...['', '## Asked', '', '- Fix the login\nand its test\n(with a.png · image/png)'],
      ...['', '## Done', '', '- edit: src/login.ts', '- ran: npm test (failed)', '- move: a, b', '- delete: c'],
      ...['', '## Files that it changed', '', '- src/login.ts'],
      ...[
        '',
        '## Decided',
        '',
        '- rm -rf build: refused by the person: keep it',
        '- Which one?: the person answered The first, Both',
        '- a question: refused by rule',
      ],
      ...['', '## Open on its list', '', '- Test (pending)'],
      ...['', '## What stopped it', '', 'Out of quota'],
      ...['', '## Its last words', '', 'Half done.'],
      ...['', '## Now', '', 'Go on where it stopped. Look at the files first, and finish what was asked.'],
    ].join('\n'),
  );
});

test('names what it can, and what nobody named by its kind', () => {
  const ends = (id: string, more: object) => ({ type: 'approval-resolve', id, decision: 'deny', by: 'rule', ...more });
  const asks = (id: string, facts: object) => ({ type: 'approval-request', id, kind: 'tool', ...facts });
  const brief = briefOf(
    told([
      { type: 'user-message', text: 'heard again', replay: true },
      { type: 'user-message', text: 'Go' },
      ...tool('t1', 'other', { summary: 'a query' }),
      ...tool('t2', 'other', {}),
      ...tool('t3', 'edit', { summary: 'a.ts, as it seems' }),
      ...tool('t4', 'execute', { summary: 'a script' }, 'denied'),
      ...tool('t5', 'search', { summary: 'x' }, 'failed'),
      { type: 'tool-input-end', id: 't6', input: {}, summary: 'of a call that nobody began' },
      asks('a', { title: 'Go on?', toolName: 'Bash' }),
      ends('a', {}),
      asks('b', { toolName: 'Bash' }),
      ends('b', { by: 'nobody', message: 'nobody is there' }),
      asks('c', { kind: 'plan' }),
      ends('c', { decision: 'answer', by: 'person', message: 'only the first step' }),
      asks('d', { kind: 'elicitation' }),
      ends('d', { decision: 'answer', by: 'person' }),
      asks('e', { questions: [{ question: 'Which?' }], summary: 'asks', title: 'A question' }),
      ends('e', { decision: 'allow', by: 'person' }),
      { type: 'text-end', text: 'So far.' },
      { type: 'turn-end', outcome: 'success' },
    ]),
    { agent: 'A', title: 'T', changed: [] },
  );
  expect(brief.split('\n\n## ').slice(1, -1)).toEqual([
    'Asked\n\n- Go',
    [
      'Done\n',
      '- Tool: a query',
      '- edit: a.ts, as it seems',
      '- ran: a script (denied)',
      '- : of a call that nobody began',
    ].join('\n'),
    [
      'Decided\n',
      '- Go on?: refused by rule',
      '- Bash: refused by nobody: nobody is there',
      '- plan: the person answered only the first step',
      '- elicitation: the person answered',
    ].join('\n'),
    'Its last words\n\nSo far.',
  ]);
});

test('of a session that has neither title nor words it tells what is left', () => {
  expect(briefOf(told([]), { agent: 'A', title: ' \n', prompt: 'Go on.' })).toBe(
    [
      'Take over: the work of another agent',
      'Another agent (A) began this. You see its files as it left them, and below what is known of its work; of its conversation you know nothing else.',
      '## Now',
      'Go on.',
    ].join('\n\n'),
  );
});

test('says of one that it left out too', () => {
  const events = Array.from({ length: 7 }, (_, index) => ({ type: 'user-message', text: `Do ${index}` }));
  expect(briefOf(told(events), { agent: 'A', title: 'T' })).toContain('- Do 0\n- … 1 more …\n- Do 2\n');
});

test('is bounded whatever happened, keeps the first and the last, and says what it left out', () => {
  const long = 'x'.repeat(10_000);
  const events = Array.from({ length: 300 }, (_, index) => [
    { type: 'user-message', text: `${index} ${long}` },
    ...tool(`t${index}`, 'execute', { command: `command ${index} ${long}` }),
    { type: 'approval-request', id: `a${index}`, kind: 'tool', summary: long },
    { type: 'approval-resolve', id: `a${index}`, decision: 'deny', by: 'person', message: long },
  ]).flat();
  const changed = Array.from({ length: 300 }, (_, index) => `${index}/${long}`);
  const todos = Array.from({ length: 300 }, (_, index) => ({ text: `${index} ${long}`, status: 'pending' }));
  const last = [
    { type: 'todo-update', todos },
    { type: 'text-end', text: long, messageId: 'm', index: 0 },
  ];
  const brief = briefOf(told([...events, ...last]), {
    ...{ agent: 'A', title: long, changed, prompt: 'Only the docs.\u001b[2J' },
  });
  expect(brief.length).toBeLessThan(70_000);
  const parts = brief.split('\n\n## ').map((part) => part.split('\n'));
  // How many there are beside what was left out, and how long the longest is.
  const sizes = parts.map(([title, ...lines]) => {
    const rows = lines.filter((line) => line.startsWith('- ') && !line.startsWith('- …'));
    return [title, rows.length, Math.max(0, ...rows.map((row) => row.length - '- '.length))];
  });
  expect(sizes.slice(1, 6)).toEqual([
    ['Asked', 6, 1500],
    ['Done', 40, 300],
    ['Files that it changed', 80, 300],
    ['Decided', 15, 300],
    ['Open on its list', 40, 300],
  ]);
  expect(parts.at(-2)?.at(-1)).toHaveLength(2500);
  expect(brief).toContain('- 0 xxx');
  expect(brief).toContain('ran: command 299');
  expect(brief).toContain('- … 294 more …');
  expect(brief.endsWith('Only the docs.\ufffd[2J')).toBe(true);
});
