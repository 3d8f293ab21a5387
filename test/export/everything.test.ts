/**
 * Everything that a document can hold, to the letter: what is said of it elsewhere can be trusted. The two documents beside this file are read
 * when they change; `npx vitest run test/export -u` writes them.
 */
import { expect, test } from 'vitest';
import { exportSession } from '../../src/export/index.js';
import { type Body, stamped } from '../session/play.js';

const PIXEL = 'iVBORw0KGgo=';
const usage = { inputTokens: 1000, cacheReadTokens: 200, cacheWriteTokens: 34, outputTokens: 5678 };

const bodies: Body[] = [
  { type: 'session-start', model: 'big-1', cwd: '/work/project' },
  { type: 'user-message', text: 'Fix *it*\nnow' },
  { type: 'user-message', text: 'said again', replay: true, messageId: 'u' },
  { type: 'user-message', text: 'a reminder', synthetic: true, messageId: 'v' },
  { type: 'user-message', text: '', messageId: 'w' },
  { type: 'turn-start' },
  { type: 'thinking-end', messageId: 'm', index: 0, text: 'hm & hm' },
  { type: 'text-end', messageId: 'm', index: 1, text: 'I <look>.' },
  { type: 'text-end', messageId: 'm', index: 2, text: 'half a', partial: true },
  { type: 'text-end', messageId: 'm', index: 3, text: '' },
  { type: 'text-end', messageId: 'gone', index: 0, text: 'taken back' },
  { type: 'message-retract', messageId: 'gone', why: 'superseded' },
  { type: 'tool-start', id: 'a', name: 'Bash', kind: 'execute' },
  { type: 'tool-input-end', id: 'a', input: { command: 'ls' }, summary: 'ls' },
  { type: 'tool-end', id: 'a', status: 'failed', output: 'it\'s "broken"\n' },
  { type: 'tool-start', id: 'b', name: 'Edit', kind: 'edit' },
  { type: 'tool-input-end', id: 'b', input: { file_path: 'a.ts' }, summary: 'a.ts' },
  { type: 'file-change', toolId: 'b', path: 'a.ts', kind: 'edit', diff: '@@ -1 +1 @@\n-a\n+b\n c' },
  { type: 'file-change', toolId: 'b', path: 'b.ts', kind: 'edit' },
  { type: 'tool-end', id: 'b', status: 'ok', output: '' },
  { type: 'tool-start', id: 'c', name: 'Shot', kind: 'other' },
  {
    type: 'tool-end',
    id: 'c',
    status: 'ok',
    attachments: [
      { kind: 'image', mimeType: 'image/png', data: PIXEL },
      { kind: 'image', mimeType: 'image/svg+xml', data: PIXEL },
      { kind: 'image', mimeType: 'image/png', data: '"><script>' },
      { kind: 'image', mimeType: 'image/png', uri: 'https://example.com/a.png' },
      { kind: 'image', data: PIXEL },
    ],
  },
  { type: 'tool-start', id: 'd', name: 'Agent', kind: 'think' },
  { type: 'user-message', text: 'look below', messageId: 'x', parent: 'd' },
  { type: 'text-end', messageId: 'n', index: 0, text: 'below\nit', parent: 'd' },
  { type: 'tool-start', id: 'e', name: 'Agent', kind: 'think', parent: 'd' },
  { type: 'text-end', messageId: 'o', index: 0, text: 'deeper', parent: 'e' },
  { type: 'agent-error', category: 'server', message: 'the model failed', fatal: false },
  { type: 'warning', code: 'x', message: 'take care' },
  { type: 'gap', from: 4, to: 9, why: 'slow reader' },
  { type: 'retry', attempt: 1, why: 'overloaded' },
  { type: 'turn-end', outcome: 'success', usage, cost: { usd: 0.25, scope: 'session', origin: 'reported' } },
  { type: 'approval-request', id: 'p', kind: 'plan', title: 'Begin?', toolName: 'Plan' },
  { type: 'approval-resolve', id: 'p', decision: 'allow', by: 'rule', rule: 'allow all' },
  { type: 'approval-request', id: 'q', kind: 'tool', toolName: 'Bash' },
  { type: 'approval-resolve', id: 'q', decision: 'deny', by: 'person', who: 'ada', message: 'not now' },
  { type: 'approval-request', id: 'r', kind: 'elicitation' },
  { type: 'approval-resolve', id: 'r', decision: 'deny', by: 'nobody' },
  { type: 'approval-request', id: 's', kind: 'tool', toolName: 'still open' },
  { type: 'approval-request', id: 't', kind: 'hook', toolName: 'of a hook' },
  { type: 'approval-resolve', id: 't', decision: 'allow', by: 'rule' },
  { type: 'user-message', text: 'see this', messageId: 'y', attachments: [{ kind: 'image', name: 'a.png' }] },
  { type: 'turn-start', turn: 2 },
  { type: 'turn-end', turn: 2, outcome: 'failed', error: { category: 'auth', message: 'not logged in' } },
  { type: 'turn-start', turn: 4 },
  { type: 'turn-end', turn: 4, outcome: 'interrupted', error: { category: 'unknown', message: 'cut off' } },
  { type: 'turn-start', turn: 3 },
  { type: 'turn-end', turn: 3, outcome: 'unknown' },
];
const events = stamped(bodies);

test('as Markdown', async () => {
  await expect(exportSession(events, { format: 'markdown', title: 'Fix  it' })).toMatchFileSnapshot('everything.md');
});

test('as HTML', async () => {
  const html = exportSession(events, { format: 'html', title: 'Fix  it' });
  await expect(html.replace(/<style>.*<\/style>/s, '')).toMatchFileSnapshot('everything.html');
});

test('of several runs the last one tells the model and the place, and the first event when it was', () => {
  const later = { runId: 'later', at: 90_000 };
  const runs = [
    ...stamped([{ type: 'session-start', model: 'old-1', cwd: '/old' }]),
    ...stamped([{ type: 'session-start', model: 'new-1', cwd: '/new' }]).map((event) => ({ ...event, ...later })),
  ];
  const text = exportSession(runs, { format: 'markdown', title: 'T' });
  expect(text.split('\n\n')[1]?.trim()).toBe('agent · new-1 · /new · 1970-01-01 00:00');
});

test.each([
  [{ detail: 'by a signal' }, 'by a signal'],
  [{ detail: 'by a signal', error: { category: 'unknown', message: 'status 7' } }, 'status 7'],
] as const)('of a run that crashed it tells %j', (told, words) => {
  const end: Body = {
    type: 'run-end',
    reason: 'crashed',
    turns: 0,
    open: { tools: [], tasks: [], approvals: [], processes: [] },
    durationMs: 1,
    ...told,
  };
  const text = exportSession(stamped([{ type: 'session-start' }, end]), { format: 'markdown', title: 'T' });
  expect(text.trim().split('\n\n').at(-1)).toBe(`*The agent crashed: ${words}*`);
});

test('of nothing there is a title', () => {
  expect(exportSession([], { format: 'markdown', title: 'Nothing' })).toBe('# Nothing\n');
  expect(exportSession([], { format: 'html', title: 'Nothing' })).toContain('<h1>Nothing</h1><p></p></header>');
});

test('of tokens that nobody counted it is not said that there were none', () => {
  const facts = (told: Partial<typeof usage>) =>
    exportSession(stamped([{ type: 'turn-start' }, { type: 'turn-end', outcome: 'success', usage: told }]), {
      format: 'markdown',
      title: 'Counted',
    });
  expect(facts({ inputTokens: 12 })).toMatch(/· cost unknown · 12 tokens in$/m);
  expect(facts({ ...usage, outputTokens: 0 })).toMatch(/1,234 tokens in, 0 out$/m);
});

test('a call of a call of a call … is not pushed out of the page', () => {
  const nested = Array.from({ length: 12 }, (_, depth): Body[] => [
    { type: 'tool-start', id: `t${depth}`, name: `Agent ${depth}`, kind: 'think', ...below(depth) },
    { type: 'text-end', messageId: `m${depth}`, index: 0, text: `depth ${depth}`, ...below(depth) },
  ]);
  const html = exportSession(stamped(nested.flat()), { format: 'html', title: 'Deep' });
  const indent = (depth: number) =>
    new RegExp(`(?:style="margin-left: ([\\d.]+)rem")?><div class="text">depth ${depth}<`);
  expect([0, 1, 7, 8, 9, 11].map((depth) => indent(depth).exec(html)?.[1])).toEqual([
    undefined,
    '1.5',
    '10.5',
    '12',
    '12',
    '12',
  ]);
});

function below(depth: number): { parent?: string } {
  return depth === 0 ? {} : { parent: `t${depth - 1}` };
}
