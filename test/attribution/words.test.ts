/** The words for makers, the calls of a session, and paths from the top. */
import { expect, test } from 'vitest';
import { blame } from '../../src/attribution/blame.js';
import { callsOf, hunkMakers, type Maker, makerText, NONE_KEPT } from '../../src/attribution/index.js';
import { pathFromTop } from '../../src/attribution/path-from-top.js';
import { decode } from '../../src/decode/index.js';
import { initialState, reduce } from '../../src/session/index.js';
import { ask, init, printed, type Step, toolResult, toolUse } from '../fake-agent/lines.js';

const turn = { session: 'k7qd', runId: 'r', turn: 3 };
const call = {
  ...turn,
  toolId: 't',
  tool: 'Edit',
  kind: 'edit',
  at: 1,
  allowed: { how: 'unasked', permission: 'bypass' },
} as const;

test.each<[maker: Maker, own: string | undefined, text: string]>([
  [{ by: 'older' }, undefined, 'older than what is kept'],
  [NONE_KEPT, undefined, 'unknown: no files of this folder are kept'],
  [{ by: 'call', call }, 'k7qd', 'turn 3 · Edit · nobody was asked (permission: bypass)'],
  [
    { by: 'call', call: { ...call, isSubAgent: true }, isWhole: true },
    undefined,
    'k7qd, turn 3 · Edit of a sub-agent of the whole file · nobody was asked (permission: bypass)',
  ],
  [
    { by: 'call', call: { ...call, tool: '', allowed: { how: 'unknown' } } },
    'k7qd',
    'turn 3 · edit · not known who allowed it',
  ],
  [
    {
      by: 'call',
      call: { ...call, allowed: { how: 'decided', decision: 'allow', by: 'person', who: 'ada', via: 'page' } },
    },
    'k7qd',
    'turn 3 · Edit · allowed by ada on the page',
  ],
  [{ by: 'call', call: { ...call, allowed: { how: 'unasked' } } }, 'k7qd', 'turn 3 · Edit · nobody was asked'],
  [
    { by: 'rewind', rewind: { session: 'k7qd', to: 'before turn 2', at: 1 } },
    'k7qd',
    'glassbox rewind, to before turn 2',
  ],
  [
    { by: 'rewind', rewind: { session: 'k7qd', to: 'before turn 2', at: 1 } },
    undefined,
    'glassbox rewind of k7qd, to before turn 2',
  ],
  [
    { by: 'rewind', rewind: { session: 'k7qd', to: 'what k7qd did', applies: true, at: 1 } },
    undefined,
    'glassbox apply, what k7qd did',
  ],
  [{ by: 'outside' }, 'k7qd', 'a person or another program, before the first turn'],
  [{ by: 'outside', after: turn }, undefined, 'a person or another program, after k7qd, turn 3'],
  [
    { by: 'unknown', why: 'alike', turns: [], commands: [] },
    'k7qd',
    'unknown: lines that read the same were made by several',
  ],
  [
    { by: 'unknown', why: 'untold', turns: [turn], commands: [] },
    'k7qd',
    'unknown: during turn 3, without an edit that was told; no command ran',
  ],
  [
    {
      by: 'unknown',
      why: 'untold',
      turns: [turn, { ...turn, session: 'b', turn: 0 }],
      commands: ['npm\nrun fix', 'x', 'y'],
      isPartlyOutside: true,
    },
    'k7qd',
    'unknown: before or during turn 3 and b, a turn, without an edit that was told; a command (npm run fix and 2 other commands) or somebody else',
  ],
])('%j of %s', (maker, own, text) => {
  expect(makerText(maker, own)).toBe(text);
});

test.each<[path: string, cwd: string | undefined, found: string | undefined]>([
  ['/p/src/a.ts', undefined, 'src/a.ts'],
  ['src/../a.ts', '/p', 'a.ts'],
  ['./a.ts', '/p/src', 'src/a.ts'],
  ['/link/a.ts', '/p', 'a.ts'],
  ['/other/a.ts', '/p', undefined],
  ['../a.ts', '/p', undefined],
  ['a.ts', undefined, undefined],
  ['/pq/a.ts', '/p', undefined],
])('%s in %s is %s', (path, cwd, found) => {
  expect(pathFromTop(path, cwd, ['/p', '/link'])).toBe(found);
});

test('paths of Windows', () => {
  expect(pathFromTop('src\\a.ts', 'C:\\p', ['C:\\p'])).toBe('src/a.ts');
  expect(pathFromTop('C:\\p\\a.ts', 'C:\\p', ['C:\\p'])).toBe('a.ts');
});

async function callsIn(...steps: readonly Step[]) {
  let state = initialState;
  for await (const event of decode(printed(init({ cwd: '/p' }), ...steps), { agent: 'claude', runId: 'r' }))
    state = reduce(state, event);
  return callsOf(state, { session: 's', turnOf: (_, number) => number + 10, permissionOf: () => 'ask', tops: ['/p'] });
}

test('calls of a session: what they wrote, how they ended, who allowed them; what only looks is none', async () => {
  const calls = await callsIn(
    toolUse('r', 'Read', { file_path: '/p/a' }),
    toolResult('r', 'x'),
    toolUse('e', 'Edit', { file_path: '/p/a', old_string: 'x', new_string: 'y' }),
    toolResult('e', 'ok'),
    toolUse('f', 'Edit', { file_path: '/elsewhere', old_string: 'x', new_string: 'y' }),
    toolResult('f', 'no', true),
    toolUse('b', 'Bash', { command: 'echo x > b' }),
    toolResult('b', ''),
    toolUse('d', 'Bash', { command: 'npm run dev &' }),
    toolResult('d', ''),
    toolUse('o', 'Bash', { command: 'sleep 9' }),
    ask('q', 'o', 'Bash', { command: 'sleep 9' }),
  );
  expect(calls).toMatchObject([
    {
      toolId: 'e',
      turn: 11,
      isDone: true,
      allowed: { how: 'unasked', permission: 'ask' },
      edits: [{ path: 'a', kind: 'replace', before: 'x', after: 'y' }],
    },
    { toolId: 'f', isDone: false, edits: [] },
    { toolId: 'b', isDone: true, edits: [{ path: 'b', kind: 'write', after: 'x\n' }] },
    { toolId: 'd', goesOn: true, edits: [] },
    { toolId: 'o', isDone: false, allowed: { how: 'unknown' } },
  ]);
});

test('a part of a difference has its makers, most lines first, also of what went', () => {
  const text = (...lines: string[]) => lines.map((line) => `${line}\n`).join('');
  const made = blame([
    {
      before: text('one', 'two', 'three'),
      after: text('one', 'first by it', 'second by it', 'third by it'),
      turns: [turn],
      isPartlyOutside: false,
      calls: [
        {
          ...call,
          isDone: true,
          edits: [
            { path: 'f', kind: 'replace', before: 'two\nthree', after: 'first by it\nsecond by it\nthird by it' },
          ],
        },
      ],
      commands: [],
    },
    {
      before: text('one', 'first by it', 'second by it', 'third by it'),
      after: text('first by it', 'second by it', 'mine'),
      turns: [],
      isPartlyOutside: false,
      last: turn,
      calls: [],
      commands: [],
    },
  ]);
  const hunks = [
    { oldStart: 1, newStart: 1, lines: ['-one', '-two', '-three', '+first by it', '+second by it', '+mine'] },
  ];
  expect(hunkMakers(hunks, made)[0]?.map(({ maker, lines }) => [makerText(maker, 'k7qd'), lines])).toEqual([
    ['turn 3 · Edit · nobody was asked (permission: bypass)', 4],
    ['a person or another program, after turn 3', 2],
  ]);
});
