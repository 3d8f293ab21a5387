/** What the live view writes makes the screen that it means, in a real terminal's model, at any size and with a resize at any moment. */
import { readFileSync } from 'node:fs';
import { Terminal } from '@xterm/headless';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createFrameClock } from '../../src/cli/live/frame-clock.js';
import { paintFrame, type Shown } from '../../src/cli/live/paint-frame.js';
import { createDecoder } from '../../src/decode/index.js';
import { initialState, reduce } from '../../src/session/index.js';
import { liveRows, NOTHING_TOLD, statusRow } from '../../src/view/terminal/index.js';

interface Size {
  columns: number;
  rows: number;
}

function createScreen({ columns, rows }: Size) {
  const terminal = new Terminal({ cols: columns, rows, scrollback: 5000, allowProposedApi: true });
  let shown: Shown = { rows: [] };
  let bytes = '';
  return {
    bytes: () => bytes,
    write: (text: string) => new Promise<void>((resolve) => terminal.write(text, resolve)),
    async paint(settled: readonly string[], open: readonly string[]) {
      const frame = paintFrame(shown, { settled, open });
      shown = { rows: open };
      bytes += frame;
      await this.write(frame);
    },
    resize({ columns: wide, rows: high }: Size) {
      terminal.resize(wide, high);
      shown = { rows: shown.rows, columns: wide };
    },
    /** Everything, what scrolled away too; a row that the terminal wrapped is one. */
    lines(): string[] {
      const { active } = terminal.buffer;
      const lines: string[] = [];
      for (let row = 0; row < active.length; row += 1) {
        const line = active.getLine(row);
        const text = line?.translateToString(true) ?? '';
        if (line?.isWrapped) lines.push((lines.pop() ?? '') + text);
        else lines.push(text);
      }
      return lines.join('\n').trimEnd().split('\n');
    },
    cursor: () => terminal.buffer.active.baseY + terminal.buffer.active.cursorY,
  };
}

const row = fc.constantFrom(
  'one',
  'two 漢字 wide',
  '',
  'a longer row that is there',
  '✔ Bash npm test',
  '👩‍👩‍👧 family',
);

describe('a frame', () => {
  test('gives the rows that are final, in their order, and below them the open ones; nothing is erased', async () => {
    const frames = fc.array(fc.tuple(fc.array(row, { maxLength: 4 }), fc.array(row, { maxLength: 6 })), {
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(frames, fc.integer({ min: 7, max: 12 }), async (all, rows) => {
        const screen = createScreen({ columns: 40, rows });
        await screen.write('before\r\n');
        const final = ['before'];
        for (const [settled, open] of all) {
          await screen.paint(settled, open);
          final.push(...settled);
          expect(screen.lines()).toEqual([...final, ...open].join('\n').trimEnd().split('\n'));
          expect(screen.cursor()).toBe(final.length + open.length);
        }
        // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for
        expect(screen.bytes()).not.toMatch(/\x1b\[\d*J/);
      }),
      { numRuns: 60 },
    );
  });

  test('what was final before a resize stays, and the open end is drawn once', async () => {
    const sizes = fc.record({ columns: fc.integer({ min: 30, max: 100 }), rows: fc.integer({ min: 8, max: 30 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(sizes, { minLength: 1, maxLength: 4 }), async (all) => {
        const screen = createScreen({ columns: 60, rows: 20 });
        const final = ['the first row, which is rather long and has to be wrapped', 'two'];
        await screen.paint(final, ['open one, which is also rather long, as rows may be', 'open two', 'status']);
        for (const size of all) {
          screen.resize(size);
          await screen.paint(['more'], ['open', 'status']);
          final.push('more');
        }
        expect(screen.lines()).toEqual([...final, 'open', 'status']);
      }),
      { numRuns: 40 },
    );
  });

  test('is one piece for the terminal, hides the cursor while something is open, and leaves no mode behind', () => {
    const begin = paintFrame({ rows: [] }, { settled: [], open: ['x'] });
    expect(begin).toBe('\x1b[?2026h\x1b[?25l\x1b[?7l\r\x1b[Kx\x1b[?7h\r\n\r\x1b[?2026l');
    expect(paintFrame({ rows: ['x'] }, { settled: [], open: ['x'] })).toBe('');
    expect(paintFrame({ rows: ['x'] }, { settled: [], open: [] })).toContain('\x1b[?25h\x1b[?2026l');
  });

  test('of rows that stand there only those that changed are written', () => {
    const bytes = paintFrame({ rows: ['a', 'b', 'status 1'] }, { settled: [], open: ['a', 'b', 'status 2'] });
    expect(bytes).toContain('status 2');
    expect(bytes).not.toMatch(/[ab]\r/);
  });
});

describe.each<[string, Size, Size]>([
  ['80x24', { columns: 80, rows: 24 }, { columns: 44, rows: 20 }],
  ['200x60', { columns: 200, rows: 60 }, { columns: 80, rows: 24 }],
])('a run at %s, resized in the middle and back', (name, size, between) => {
  test('is this at the end, and looked like that when it was made small', async () => {
    const decoder = createDecoder('claude', { now: () => 0 });
    const recording = readFileSync('test/recordings/claude/tool-edit/stdout.jsonl');
    const events = [...decoder.push(recording), ...decoder.end()];
    const screen = createScreen(size);
    let [state, told, now] = [initialState, NOTHING_TOLD, size];
    let middle: string[] = [];
    for (const [index, event] of events.entries()) {
      state = reduce(state, event);
      if (index === Math.floor(events.length / 2)) now = resized(between);
      if (index === Math.floor((events.length * 3) / 4)) {
        middle = screen.lines();
        now = resized(size);
      }
      const isOver = index === events.length - 1;
      const look = { width: now.columns, height: now.rows - 4, color: false, isFull: false, now: index * 100, isOver };
      const rows = liveRows(state, told, look);
      told = rows.told;
      await screen.paint(rows.settled, isOver ? [] : [...rows.open, '', statusRow(state, { ...look, startedAt: 0 })]);
    }
    await expect(`${middle.join('\n')}\n${'='.repeat(20)}\n${screen.lines().join('\n')}\n`).toMatchFileSnapshot(
      `golden/live-${name}.txt`,
    );

    function resized(to: Size): Size {
      screen.resize(to);
      return to;
    }
  });
});

describe('pictures', () => {
  test('are drawn when something happens, and only as often as they must', () => {
    let [drawn, now] = [0, 0];
    using clock = createFrameClock(
      () => {
        drawn += 1;
        return false;
      },
      () => now,
    );
    clock.flush();
    for (let event = 0; event < 100; event += 1) clock.request();
    expect(drawn).toBe(1);
    now = 1000;
    clock.flush();
    expect(drawn).toBe(2);
  });
});
