/** The picture of the panels in the README is drawn from the panels as they are; `npx vitest run test/cli/panel-picture.test.ts -u` draws it anew. */
import { readFileSync } from 'node:fs';
import { Terminal } from '@xterm/headless';
import { expect, test } from 'vitest';
import { pictureOf } from '../../scripts/terminal-picture.mjs';
import { paintRows } from '../../src/cli/command/tui/paint-rows.js';
import type { Presence } from '../../src/presence/index.js';
import { frameRows, type Listed, NOTHING_SHOWN, type PanelsEvent, update } from '../../src/view/panels/index.js';
import { ended, listed, NOON, session, stateAfter, waiting } from '../view/panel-person.js';
import { stamped } from '../view/stamped.js';

const SIZE = { columns: 112, rows: 32 };
const MINUTE = 60_000;
const file = '/home/me/src/shop/src/auth/session.js';
const edit = {
  toolName: 'Edit',
  toolKind: 'edit',
  directory: '/home/me/src/shop',
  paths: [file],
  edits: [{ path: file, kind: 'edit' }],
  input: {},
} as const;
const hunk = {
  oldStart: 41,
  newStart: 41,
  lines: [
    '   const session = load(id);',
    '-  return now > session.expiresAt;',
    '+  return now >= session.expiresAt;',
    ' }',
  ],
};
const facts = { agent: 'claude', startedAt: NOON - 42_000 };
const seen = (since: number): Presence => ({ state: 'working', since, because: [], against: [] });

const sessions: readonly Listed[] = [
  {
    ...waiting('login', {
      ...edit,
      command: undefined,
      reason: 'The comparison must include the last moment.',
      differences: [{ path: file, hunks: [hunk] }],
      suggestions: [{ allows: 'mode', what: ['accept-edits'], lasts: 'session' }],
    } as never),
    session: session('login', { ...facts, title: 'Fix the flaky login test', state: 'waiting', waiting: 1 }),
  },
  {
    ...waiting('router', {
      kind: 'question',
      command: undefined,
      questions: [{ question: 'Which version?' }],
    } as never),
    session: session('router', { ...facts, title: 'Upgrade the router', state: 'waiting', waiting: 1 }),
  },
  { ...listed(session('parser', { ...facts, title: 'Write a parser test' })), presence: seen(NOON - 12_000) },
  {
    ...listed(session('docs', { ...facts, agent: 'codex', cwd: '/home/me/src/docs', title: 'Translate the guide' })),
    presence: seen(NOON - 95_000),
  },
  ended('cache', { title: 'Explain the cache', updatedAt: NOON - 26 * MINUTE }),
  ended('deploy', { title: 'Deploy the docs', outcome: 'failed', updatedAt: NOON - 180 * MINUTE }),
  ended('rename', { title: 'Rename the settings', updatedAt: NOON - 200 * MINUTE }),
];

const tool = (id: string, name: string, kind: string, summary: string) => [
  { type: 'tool-start', id, name, kind },
  { type: 'tool-input-end', id, input: {}, summary },
];

const events = stamped([
  { type: 'session-start', cwd: '/home/me/src/shop', model: 'opus' },
  { type: 'turn-start' },
  { type: 'user-message', text: 'Fix the flaky login test' },
  { type: 'message-start', messageId: 'm1', role: 'assistant' },
  { type: 'text-end', messageId: 'm1', index: 0, text: 'I look at the **session** code and its callers first.' },
  { type: 'message-end', messageId: 'm1' },
  ...tool('t1', 'Read', 'read', 'src/auth/session.js'),
  { type: 'tool-end', id: 't1', status: 'ok', output: '' },
  ...tool('t2', 'Grep', 'search', 'expiresAt'),
  { type: 'tool-end', id: 't2', status: 'ok', output: 'one\ntwo\nthree', durationMs: 200 },
  ...tool('t3', 'Bash', 'execute', 'npm test'),
  {
    type: 'tool-end',
    id: 't3',
    status: 'failed',
    output: 'not ok 3 - logs in at the last moment',
    exitCode: 1,
    durationMs: 2100,
  },
  ...tool('t4', 'Edit', 'edit', 'src/auth/session.js'),
  { type: 'approval-request', id: 'q', kind: 'tool', toolId: 't4', ...edit },
] as never).map((event) => ({ ...event, at: NOON - 30_000 }));

test('the picture of the panels is current, and the README shows it', async () => {
  let state = NOTHING_SHOWN;
  let now = NOON;
  const moment = () => ({ size: SIZE, color: true, now });
  const happens = (event: PanelsEvent) => {
    state = update(state, event, moment()).state;
  };
  happens({ type: 'listed', listed: sessions });
  happens({ type: 'spent', today: { usd: 4.12, scope: 'session', origin: 'reported' } });
  happens({ type: 'opened', opened: { id: 'login', state: stateAfter(events as never), from: 0 } });
  happens({ type: 'drawn' });
  now += 500;
  const terminal = new Terminal({ cols: SIZE.columns, rows: SIZE.rows, allowProposedApi: true });
  await new Promise<void>((resolve) => terminal.write(paintRows([], frameRows(state, moment())), resolve));
  const picture = pictureOf(terminal, { title: 'glassbox alone: all sessions beside one that asks', name: 'glassbox' });
  await expect(picture).toMatchFileSnapshot('../../docs/panels.svg');
  expect(readFileSync('README.md', 'utf8')).toContain('](docs/panels.svg)');
});
