/** What the panels write makes the screen that they mean, in a real terminal's model, with a resize in the middle; nothing is ever erased. */
import { Terminal } from '@xterm/headless';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { paintRows } from '../../src/cli/command/tui/paint-rows.js';
import { frameRows, type Listed, type PanelsState, type Size, update } from '../../src/view/panels/index.js';
import { NOTHING_SHOWN } from '../../src/view/panels/state.js';
import { ended, keyOf, listed, NOON, recorded, session, stateAfter, waiting } from '../view/panel-person.js';

function createScreen({ columns, rows }: Size) {
  const terminal = new Terminal({ cols: columns, rows, allowProposedApi: true });
  // Another screen than the one that scrolls, as theirs is.
  terminal.write('\x1b[?1049h');
  let shown: readonly string[] = [];
  let bytes = '';
  return {
    bytes: () => bytes,
    async paint(after: readonly string[]) {
      const frame = paintRows(shown, after);
      shown = after;
      bytes += frame;
      await new Promise<void>((resolve) => terminal.write(frame, resolve));
    },
    resize({ columns: wide, rows: high }: Size) {
      terminal.resize(wide, high);
      shown = [];
    },
    /** What stands in each column, rows one after the other. */
    cells: () =>
      Array.from({ length: terminal.rows }, (_, row) =>
        Array.from(
          { length: terminal.cols },
          (_, column) => terminal.buffer.active.getLine(row)?.getCell(column)?.getChars() ?? '',
        ),
      ),
    lines: () =>
      Array.from(
        { length: terminal.rows },
        (_, row) => terminal.buffer.active.getLine(row)?.translateToString(false, 0, terminal.cols) ?? '',
      ),
  };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for
const ERASES = /\x1b\[\d*[JK]|\x1bc/;

describe('a frame', () => {
  const row = fc.constantFrom('one       ', 'two 漢字  ', '          ', '✔ Bash    ', 'a│b│c     ');
  const frame = fc.array(row, { minLength: 6, maxLength: 6 });

  test('is what stands there afterwards, and only what changed is written', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(frame, { minLength: 1, maxLength: 8 }), async (frames) => {
        const screen = createScreen({ columns: 10, rows: 6 });
        for (const rows of frames) {
          await screen.paint(rows);
          expect(screen.lines().map((line) => line.padEnd(10))).toEqual(rows.map((line) => line.padEnd(10)));
        }
        expect(screen.bytes()).not.toMatch(ERASES);
      }),
      { numRuns: 30 },
    );
    expect(paintRows(['a', 'b'], ['a', 'b'])).toBe('');
    expect(paintRows(['a', 'b'], ['a', 'c'])).toBe('\x1b[?2026h\x1b[?7l\x1b[2;1Hc\x1b[?7h\x1b[?2026l');
  });
});

const sessions: readonly Listed[] = [
  waiting('login', {
    toolName: 'Edit',
    toolKind: 'edit',
    command: undefined,
    directory: '/home/me/src/shop',
    paths: ['/home/me/src/shop/src/session.js'],
    edits: [{ path: '/home/me/src/shop/src/session.js', before: { at: '/old' }, after: { at: '/new' } }],
    input: { old: 'return now > session.expiresAt;', new: 'return now >= session.expiresAt;' },
    reason: 'The comparison must include the last moment.',
  } as never),
  waiting('router', {
    kind: 'question',
    questions: [{ question: 'Which version?', options: [{ label: 'v6' }, { label: 'v7' }] }],
  } as never),
  listed(session('parser', { title: 'Write a parser test' })),
  listed(session('wide', { title: '名前を変える 日本語のタイトルはとても長い', cwd: '/home/me/src/訳' })),
  ended('cache', { title: 'Explain the cache', updatedAt: NOON - 26 * 60_000 }),
  ended('docs', { title: 'Deploy the docs', outcome: 'failed', updatedAt: NOON - 3 * 3_600_000 }),
];

describe.each<[string, Size, Size]>([
  ['80x24', { columns: 80, rows: 24 }, { columns: 44, rows: 20 }],
  ['200x60', { columns: 200, rows: 60 }, { columns: 80, rows: 24 }],
])('the panels at %s, resized in the middle and back', (name, size, between) => {
  test('look like this: a question, a session of which more comes, its tools, its numbers', async () => {
    const screen = createScreen(size);
    const events = recorded('tool-edit');
    let state: PanelsState = NOTHING_SHOWN;
    let now = NOON;
    let at = size;
    const pictures: string[] = [];
    const moment = () => ({ size: at, color: false, now });
    const draw = async () => {
      await screen.paint(frameRows(state, moment()));
      state = update(state, { type: 'drawn' }, moment()).state;
      expect(screen.lines().map((line) => line.trimEnd())).toEqual(
        frameRows(state, moment()).map((line) => line.trimEnd()),
      );
    };
    const happens = async (event: Parameters<typeof update>[1]) => {
      state = update(state, event, moment()).state;
      await draw();
      now += 500;
      await draw();
    };
    const press = (key: string) => happens({ type: 'key', key: keyOf(key) });
    const take = (title: string) => pictures.push(`=== ${title}`, ...screen.lines().map((line) => line.trimEnd()));

    await happens({ type: 'listed', listed: sessions });
    await happens({ type: 'spent', today: { usd: 4.12, scope: 'session', origin: 'reported' } });
    take('a question');
    for (const key of ['down', 'down', 'enter']) await press(key);
    for (let count = 1; count <= events.length; count += 1) {
      if (count === Math.floor(events.length / 2)) {
        screen.resize(between);
        at = between;
      }
      if (count === Math.floor((events.length * 3) / 4)) {
        take(`while it works, at ${between.columns}x${between.rows}`);
        screen.resize(size);
        at = size;
      }
      const opened = { id: state.cursor ?? '', state: stateAfter(events.slice(0, count)), from: 0 };
      await happens({ type: 'opened', opened });
    }
    take('its conversation');
    await press('2');
    take('its tools');
    await press('5');
    take('its numbers');
    await press('?');
    take('all keys');
    expect(screen.bytes()).not.toMatch(ERASES);
    await expect(`${pictures.join('\n')}\n`).toMatchFileSnapshot(`golden/panels-${name}.txt`);
  });
});

test('borders stand in their columns, whatever the terminal takes joined characters for', async () => {
  const size = { columns: 100, rows: 24 };
  const title = 'Rename 👩‍👩‍👧 ❤️ 🏴󠁧󠁢󠁥󠁮󠁧󠁿 कि 1️⃣ the family';
  const command = `echo ${title} && echo ❤️❤️❤️ done`;
  const screen = createScreen(size);
  let state: PanelsState = NOTHING_SHOWN;
  for (const names of [['first', 'second'], ['second']]) {
    const all = names.map((name) => waiting(name, { command, input: { command } } as never));
    const named = all.map((one) => ({ ...one, session: { ...one.session, title } }));
    for (const event of [{ type: 'listed', listed: named }, { type: 'drawn' }] as const)
      state = update(state, event, { size, color: false, now: NOON }).state;
    await screen.paint(frameRows(state, { size, color: false, now: NOON }));
    const cells = screen.cells();
    const column = cells[1]?.indexOf('┬') ?? -1;
    const inner = cells.slice(2, -2).map((row) => [row[0], row[column], row.at(-1)].join(''));
    expect(inner).toEqual(inner.map(() => '│││'));
    expect(cells[1]?.at(-1)).toBe('┐');
    // The box of the question fills the right panel, to its edges.
    const [top, bottom] = [cells, cells].map((all, index) =>
      all.findIndex((row) => row[column + 1] === (index === 0 ? '╭' : '╰')),
    );
    const box = cells.slice(top, (bottom ?? 0) + 1).map((row) => [row[column + 1], row.at(-2)].join(''));
    expect(box).toEqual(['╭╮', ...box.slice(1, -1).map(() => '││'), '╰╯']);
    expect(box.length).toBeGreaterThan(4);
  }
  expect(screen.bytes()).not.toMatch(ERASES);
});
