import stringWidth from 'fast-string-width';
import { expect, test } from 'vitest';
import { SESSION_COLUMNS, sessionCells } from '../../src/cli/print/session-cell.js';
import { fittedTable } from '../../src/cli/print/table.js';
import type { SessionRecord } from '../../src/store/index.js';
import { createPaint } from '../../src/view/text/palette.js';

const NOW = Date.UTC(2026, 0, 31, 12);
const run = { state: 'ended', startedAt: NOW - 90_000, endedAt: NOW - 30_000, updatedAt: NOW - 30_000 };

const session = {
  id: 'k7qd3m',
  title: 'Fix the flaky login test before the release goes out',
  agent: 'claude',
  model: 'claude-opus-5-5',
  cwd: '/home/me/src/shop/api',
  state: 'ended',
  outcome: 'finished',
  startedAt: NOW - 90_000,
  updatedAt: NOW - 30_000,
  usage: {},
  runs: [run, { ...run, onlyFigures: true }, run],
} as unknown as SessionRecord;

const rows = (width?: number, here = '/home/me/src') =>
  fittedTable(
    SESSION_COLUMNS,
    [sessionCells(session, { home: '/home/me', here, now: NOW })],
    createPaint(false),
    width,
  );

test('a session has a head, how long it took, its model and a folder as it is seen from here', () => {
  expect(rows()).toEqual([
    'ID      ACTIVE  AGENT   STATE       TOOK  MODEL            FOLDER      ABOUT',
    'k7qd3m  now     claude  ✔ finished  2m0s  claude-opus-5-5  ./shop/api  Fix the flaky login test before the release goes out',
  ]);
  expect(rows(undefined, '/home/me/src/shop/api')[1]).toMatch(/ {2}\. +Fix/);
  expect(rows(undefined, '/home/me/sr')[1]).toContain('  ~/src/shop/api  ');
});

test('no column leaves for room that nobody needs', () => {
  const brief = sessionCells({ ...session, title: 'Fix it' }, { home: '/home/me', here: '/home/me/src', now: NOW });
  const [head] = fittedTable(SESSION_COLUMNS, [brief], createPaint(false), 80);
  expect(head).toMatch(/TOOK.*MODEL.*FOLDER/);
});

test('what is the same for all leaves before what tells them apart', () => {
  const place = { home: '/home/me', here: '/home/me/src/shop/api', now: NOW };
  const head = (...sessions: SessionRecord[]) =>
    fittedTable(
      SESSION_COLUMNS,
      sessions.map((one) => sessionCells(one, place)),
      createPaint(false),
      74,
    )[0];
  expect(head(session, session)).toMatch(/^ID +ACTIVE +AGENT +STATE +TOOK +ABOUT$/);
  expect(head(session, { ...session, cwd: '/home/me' })).toMatch(/FOLDER/);
});

test('it is never wider than the terminal, and the id and what it is about stay to the last', () => {
  for (let width = 20; width <= 250; width++) {
    for (const row of rows(width)) expect(stringWidth(row)).toBeLessThanOrEqual(width);
    expect(rows(width)[1]).toMatch(/^k7qd3m .*Fix the/);
  }
  expect(rows(44)).toEqual(['ID      STATE       ABOUT', 'k7qd3m  ✔ finished  Fix the flaky login tes…']);
});
