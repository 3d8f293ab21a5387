/** A question on the screen: which keys answer it, when, and how it is drawn. */
import { Terminal } from '@xterm/headless';
import fc from 'fast-check';
import stringWidth from 'fast-string-width';
import { describe, expect, test } from 'vitest';
import type { ApprovalRequest } from '../../src/consent/index.js';
import type { DraftOf } from '../../src/event/index.js';
import type { Key } from '../../src/view/terminal/key.js';
import {
  beginQuestion,
  pressQuestion,
  type QuestionEffect,
  type QuestionState,
  questionChangesAt,
  questionOf,
  questionRows,
  sawQuestion,
  tellQuestion,
} from '../../src/view/terminal/question/index.js';
import { QUIET_MS } from '../../src/view/terminal/question/question.js';
import { stamped } from './stamped.js';

const asked = (facts: Partial<DraftOf<'approval-request'>>): ApprovalRequest =>
  stamped([{ type: 'approval-request', id: 'q1', kind: 'tool', turn: 1, ...facts } as never])[0] as ApprovalRequest;

const command = (text: string, facts: Partial<DraftOf<'approval-request'>> = {}) =>
  asked({ toolName: 'Bash', toolKind: 'execute', command: text, input: { command: text }, ...facts });

const suggestions = [
  { allows: 'command' as const, what: ['touch ok.txt'], lasts: 'project' as const },
  { allows: 'mode' as const, what: ['accept-edits'], lasts: 'session' as const },
];

const keyOf = (name: string): Key => (/^.$/u.test(name) ? { name: 'text', text: name } : ({ name, text: '' } as Key));

/** Somebody before a screen: time passes as they say, and each picture is drawn at once unless they are faster. */
function atScreen(
  request: ApprovalRequest,
  { width = 80, height = 20, color = false, canEdit = true, canLeave = true, line = '' } = {},
) {
  const question = questionOf(request, { agent: 'claude', canEdit, canLeave });
  let state: QuestionState = beginQuestion(question);
  let now = 1000;
  let typed = line;
  const moment = () => ({ width, height, color, now, isLineEmpty: typed === '', number: 1, of: 1 });
  const screen = {
    effects: [] as QuestionEffect[],
    draw(): string[] {
      const rows = questionRows(question, state, moment());
      state = sawQuestion(question, state, moment());
      return rows;
    },
    text: () => screen.draw().join('\n'),
    wait(ms: number) {
      now += ms;
      screen.draw();
      return screen;
    },
    /** In one go, faster than any picture. */
    press(...names: string[]) {
      for (const name of names) {
        const pressed = pressQuestion(question, state, keyOf(name), moment());
        state = pressed.state;
        if (pressed.effect?.type === 'pass') typed += name.length === 1 ? name : '';
        else if (pressed.effect) screen.effects.push(pressed.effect);
      }
      screen.draw();
      return screen;
    },
    tell(problem: string) {
      state = tellQuestion(state, problem);
    },
    typed: () => typed,
    changesAt: () => questionChangesAt(state, moment()),
    answers: () => screen.effects.flatMap((effect) => (effect.type === 'answer' ? [effect.answer] : [])),
  };
  return screen;
}

const short = command('touch ok.txt', { suggestions });

describe('a key answers', () => {
  test('not before the question was drawn, nor in the half second after it: it stays in the line', () => {
    const screen = atScreen(short).press('y');
    screen.wait(QUIET_MS - 1).press('y');
    expect(screen.typed()).toBe('yy');
    screen.wait(10_000).press('y');
    expect(screen.effects).toEqual([]);
    expect(screen.typed()).toBe('yyy');
  });

  test('at once when nothing was pressed for half a second and the line is empty', () => {
    const screen = atScreen(short);
    screen.draw();
    expect(screen.text()).toContain('a moment');
    expect(screen.changesAt()).toBe(1000 + 300);
    screen.wait(QUIET_MS);
    expect(screen.text()).toContain('one key answers');
    expect(screen.changesAt()).toBeUndefined();
    expect(screen.press('y').answers()).toEqual([{ type: 'approve' }]);
  });

  test('by Enter where words are typed, and it says so', () => {
    const screen = atScreen(short);
    screen.draw();
    screen.wait(QUIET_MS).press('n');
    expect(screen.text()).toContain('Enter answers');
  });

  test('by Tab where something stands in the line; what comes with the Tab was typed for something else', () => {
    const screen = atScreen(short, { line: 'and the d' }).wait(5000);
    expect(screen.text()).toContain('Tab, then a key answers');
    screen.press('tab', 'y');
    expect(screen.effects).toEqual([]);
    expect(screen.typed()).toBe('and the dy');
    screen.press('tab').wait(300).press('y');
    expect(screen.answers()).toEqual([{ type: 'approve' }]);
    expect(screen.typed()).toBe('and the dy');
  });

  test('never by anything that was pressed before, in any order and at any speed', () => {
    const early = fc.array(fc.tuple(fc.constantFrom('y', 'a', '1', 'e', 'n', 'enter', 'x'), fc.nat(QUIET_MS - 1)));
    fc.assert(
      fc.property(early, (keys) => {
        const screen = atScreen(short, { line: 'x' });
        screen.draw();
        for (const [key, ms] of keys) screen.wait(ms).press(key);
        expect(screen.effects).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  test('a word that begins with no key of it goes into the line, to its end', () => {
    const screen = atScreen(short).wait(0).wait(QUIET_MS);
    screen.press('h', 'e', 'y');
    expect(screen.effects).toEqual([]);
    expect(screen.typed()).toBe('hey');
  });
});

describe('the keys', () => {
  const ready = (request = short, options = {}) => atScreen(request, options).wait(0).wait(QUIET_MS);

  test.each<[string[], unknown]>([
    [['n', 'enter'], { type: 'deny' }],
    [['n', 'n', 'o', 't', ' ', 'y', 'e', 't', 'enter'], { type: 'deny', message: 'not yet' }],
    // The narrowest comes first in words; an answer names it by its place.
    [['a', '1', 'enter'], { type: 'approve', remember: [0] }],
    [['a', '2', 'enter'], { type: 'approve', remember: [1] }],
    // Several at once, in the order of the list; a second press takes one back.
    [['a', '2', '1', 'enter'], { type: 'approve', remember: [0, 1] }],
    [['a', '1', '2', '1', 'enter'], { type: 'approve', remember: [1] }],
    [['Y'], { type: 'approve' }],
  ])('%j', (keys, answer) => {
    expect(
      ready()
        .press(...keys)
        .answers(),
    ).toEqual([answer]);
  });

  test('one suggestion is taken by a alone, none says so', () => {
    const one = command('x', { suggestions: suggestions.slice(1) });
    expect(ready(one).press('a').answers()).toEqual([{ type: 'approve', remember: [0] }]);
    const none = ready(command('x')).press('a');
    expect(none.answers()).toEqual([]);
    expect(none.text()).toContain('There is no always here');
  });

  test('the only suggestion is said where its key is, in full, or stands with what is to be read', () => {
    const one = command('x', { suggestions: suggestions.slice(1) });
    const words = 'always: all edits of files until this session ends';
    for (const width of [80, 60, 44, 30]) {
      const text = ready(one, { width })
        .text()
        .replaceAll(/\s*│\n│\s*/g, ' ');
      expect(text.split(words), String(width)).toHaveLength(2);
      expect(text).toContain(`a  ${words}`);
    }
  });

  test('Esc goes back, and puts the question aside; it never answers', () => {
    const screen = ready().press('n', 'y', 'escape').press('a', '9', 'escape');
    expect(screen.answers()).toEqual([]);
    expect(screen.press('escape').effects).toEqual([{ type: 'later' }]);
    expect(ready(short, { canLeave: false }).press('escape', 'l').effects).toEqual([]);
  });

  test.each<[string, QuestionEffect]>([
    ['e', { type: 'edit' }],
    ['l', { type: 'later' }],
    ['tab', { type: 'next' }],
    ['T', { type: 'hand-over' }],
  ])('%s', (key, effect) => {
    expect(ready().press(key).effects).toEqual([effect]);
  });

  test('what cannot be changed says so; w shows all of the input', () => {
    expect(ready(short, { canEdit: false }).press('e').text()).toContain('cannot be changed');
    const screen = ready().press('w');
    expect(screen.text()).toContain('The whole input:');
    // What it adds is in sight at once.
    expect(
      ready(command(Array(9).fill('x').join('\n')), { height: 16 })
        .press('w')
        .text(),
    ).toContain('The whole input:');
    screen.tell('The editor did not work.');
    expect(screen.text()).toContain('The editor did not work.');
  });
});

describe('a long question', () => {
  const lines = Array.from({ length: 40 }, (_, index) => `echo ${index + 1}`);
  const long = command([...lines, 'rm -rf important'].join('\n'));

  test('is not allowed before its end was on the screen', () => {
    const screen = atScreen(long).wait(0).wait(QUIET_MS);
    expect(screen.text()).not.toContain('rm -rf important');
    expect(screen.text()).toContain('(↓ to the end first)');
    screen.press('y', 'e');
    expect(screen.effects).toEqual([]);
    expect(screen.text()).toContain('Not before its end was shown');
    for (let page = 0; page < 10; page += 1) screen.press(' ').wait(QUIET_MS);
    expect(screen.text()).toContain('rm -rf important');
    expect(screen.press('y').answers()).toEqual([{ type: 'approve' }]);
  });

  test('a y that came with the keys that scrolled allows nothing', () => {
    const screen = atScreen(long).wait(0).wait(QUIET_MS);
    screen.press(...Array.from({ length: 10 }, () => 'page-down'), 'y');
    expect(screen.effects).toEqual([]);
    expect(screen.text()).toContain('rm -rf important');
    screen.wait(100).press('y');
    expect(screen.effects).toEqual([]);
    expect(screen.wait(300).press('y').answers()).toEqual([{ type: 'approve' }]);
  });

  test('what is too long to be shown at all can only be refused', () => {
    const cut = command('echo x', { cuts: [{ path: '/command', bytes: 2_000_000 }] as never });
    const screen = atScreen(cut).wait(0).wait(QUIET_MS).press('y', 'a');
    expect(screen.effects).toEqual([]);
    expect(screen.text()).not.toContain('allow once');
  });
});

describe('what has to be filled in', () => {
  const options = [{ label: 'Red' }, { label: 'Blue' }];
  const questions = [
    { question: 'Which colour?', options },
    { question: 'How many?', options, multiple: true },
  ];
  const form = asked({ kind: 'question', questions });

  test('a number takes a choice, words are one’s own, and the next one has to be seen first', () => {
    const screen = atScreen(form).wait(0).wait(QUIET_MS);
    screen.press('2', '1', ',', '2', 'enter');
    // All of it in one go: only the first was on the screen.
    expect(screen.answers()).toEqual([]);
    expect(screen.text()).toContain('How many?');
    screen.wait(300).press('enter');
    expect(screen.answers()).toEqual([
      { type: 'answer', answers: { 'Which colour?': 'Blue', 'How many?': 'Red, Blue' } },
    ]);
  });

  test('Esc goes back to the one before, Ctrl-D answers nothing', () => {
    const screen = atScreen(form).wait(0).wait(QUIET_MS).press('2').wait(300).press('escape');
    expect(screen.text()).toContain('Which colour?');
    expect(screen.wait(300).text()).toContain('one key answers');
    expect(screen.press('x').text()).toContain('Enter answers');
    expect(screen.press('escape').press('ctrl-d').answers()).toMatchObject([{ type: 'deny' }]);
  });

  test('a secret is not drawn', () => {
    const secret = asked({
      kind: 'elicitation',
      answerSchema: { properties: { key: { type: 'string', format: 'password' } }, required: ['key'] },
    });
    const screen = atScreen(secret).wait(0).wait(QUIET_MS).press('h', 'o', 'y');
    expect(screen.text()).toContain('•••');
    expect(screen.press('enter').answers()).toEqual([{ type: 'answer', answers: { key: 'hoy' } }]);
  });
});

describe('the box', () => {
  const edit = asked({
    toolName: 'Edit',
    toolKind: 'edit',
    paths: ['/p/src/session.js'],
    directory: '/p',
    edits: [{ path: '/p/src/session.js', kind: 'change' }] as never,
    differences: [
      {
        path: '/p/src/session.js',
        hunks: [
          {
            oldStart: 41,
            newStart: 41,
            lines: [
              ' const session = load(id);',
              '-return now > session.expiresAt;',
              '+return now >= session.expiresAt;',
            ],
          },
        ],
      },
    ] as never,
    reason: 'The comparison must include the last moment.',
    suggestions,
  });

  test.each([
    [80, 24],
    [200, 60],
    [30, 13],
  ])('at %i × %i fits, and is this', async (width, height) => {
    const rows = atScreen(edit, { width, height }).wait(0).wait(QUIET_MS).draw();
    expect(rows.length).toBeLessThanOrEqual(height);
    expect(rows.map((row) => stringWidth(row))).toEqual(rows.map(() => width));
    await expect(`${rows.join('\n')}\n`).toMatchFileSnapshot(`golden/question-${width}x${height}.txt`);
  });

  test('what fits without the empty rows between needs no looking for its end', () => {
    const text = Array.from({ length: 6 }, (_, index) => `echo ${index}`).join('\n');
    const heights = [20, 19, 18, 17, 16, 15, 14, 13, 12];
    const shown = heights.map((height) => atScreen(command(text, { suggestions }), { height }).wait(0).draw());
    const isWhole = (rows: readonly string[]) => !rows.join('\n').includes('more');
    const tight = shown.filter((rows) => isWhole(rows) && !/│ +│\n(.*\n)*.*echo 0/.test(rows.join('\n')));
    expect(tight.length).toBeGreaterThan(0);
    for (const rows of tight) expect(rows.join('\n')).toContain('echo 5');
  });

  test('whatever is asked, it never leaves its frame, nor says anything to the terminal', async () => {
    const hostile = fc.string({ unit: fc.constantFrom('\u001b[2J', '\u202e', '\r', '\n', '\t', 'a', '漢', ' ', '│') });
    await fc.assert(
      fc.asyncProperty(hostile, fc.integer({ min: 30, max: 90 }), async (text, width) => {
        const rows = atScreen(command(text, { reason: text, toolName: text }), { width, height: 30 }).draw();
        const terminal = new Terminal({ cols: width, rows: 40, allowProposedApi: true });
        await new Promise<void>((resolve) => terminal.write(rows.join('\r\n'), resolve));
        const shown = rows.map((_, row) => terminal.buffer.active.getLine(row)?.translateToString(true) ?? '');
        for (const row of shown) expect(row).toMatch(/^[╭│╰].*[╮│╯]$/);
      }),
      { numRuns: 100 },
    );
  });
});
