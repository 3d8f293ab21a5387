/** The panels: which sessions stand where, what keys do to which of them and when, and that every screen fits. */
import fc from 'fast-check';
import stringWidth from 'fast-string-width';
import { describe, expect, test } from 'vitest';
import type { AgentEvent } from '../../src/event/index.js';
import type { Listed } from '../../src/view/panels/index.js';
import { asks, atPanels, ended, keyOf, listed, NOON, recorded, session, waiting } from './panel-person.js';
import { stamped } from './stamped.js';

const working = (id: string) => listed(session(id));
const presence = (state: 'parked' | 'unknown' | 'idle', id: string): Listed => ({
  ...listed(session(id, { state: state === 'unknown' ? 'running' : 'ended' })),
  presence: { state, because: [{ source: 'process', says: 'present', at: NOON, text: 'lives' }], against: [] },
});

/** Twelve, of which three wait, the oldest first. */
const twelve = (): Listed[] => [
  ...['w1', 'w2', 'w3', 'w4'].map(working),
  ...['e1', 'e2', 'e3'].map((id) => ended(id)),
  waiting('second', {}, NOON - 20_000),
  waiting('first', {}, NOON - 30_000),
  waiting('third', {}, NOON - 10_000),
  presence('parked', 'p1'),
  presence('unknown', 'u1'),
];

const answersOf = (person: ReturnType<typeof atPanels>) =>
  person.deeds.flatMap((deed) => (deed.type === 'answer' ? [[deed.question.session, deed.answer]] : []));

describe('the list', () => {
  test('has what waits first, the longest first, then what works, is parked, unknown, and ended today', () => {
    const person = atPanels(twelve(), { columns: 100, rows: 40 });
    const names = person.state().listed.map(({ session: { id } }) => id);
    expect(names.slice(0, 3)).toEqual(['first', 'second', 'third']);
    expect(names.slice(3, 7).sort()).toEqual(['w1', 'w2', 'w3', 'w4']);
    expect(names.slice(7)).toEqual(['p1', 'u1', 'e1', 'e2', 'e3']);
    const text = person.text();
    expect(text).toMatch(/Waiting for you[\s\S]*Working[\s\S]*Parked[\s\S]*Unknown[\s\S]*Ended today/);
    expect(text).toContain('3 waiting · 4 working · 1 parked · 1 unknown');
  });

  test('the cursor belongs to a session: whatever moves, it stays with it', () => {
    const person = atPanels([working('a'), working('b')]).press('down');
    const here = person.cursor();
    person.lists([waiting('new'), working('a'), working('b'), ended('z')]);
    expect(person.cursor()).toBe(here);
    person.lists([waiting('a'), waiting('b'), waiting('new')]);
    expect(person.cursor()).toBe(here);
    expect(person.text()).toContain(`▸◆ Task ${here}`);
  });

  test('Tab goes round through what waits; where nothing does, through all of them', () => {
    const person = atPanels(twelve());
    expect(person.cursor()).toBe('first');
    expect(person.press('tab').cursor()).toBe('second');
    expect(person.press('tab', 'tab').cursor()).toBe('first');
    expect(person.press('back-tab').cursor()).toBe('third');
    const quiet = atPanels([working('a'), ended('b')]);
    expect(quiet.press('tab').cursor()).toBe('b');
    expect(quiet.press('tab').cursor()).toBe('a');
  });

  test('scrolls with the cursor, of more sessions than there are rows', () => {
    const many = Array.from({ length: 60 }, (_, index) => ended(`n${index}`, { updatedAt: NOON - index }));
    const person = atPanels(many);
    for (const key of ['end', 'home', 'G', 'g']) {
      person.press(key);
      expect(person.text()).toContain(`▸✔ Task ${person.cursor()}`);
    }
    expect(person.press('G').cursor()).toBe('n59');
    expect(person.press('k', 'k').cursor()).toBe('n57');
  });

  test('says what to do when there is nothing', () => {
    const person = atPanels();
    expect(person.text()).toContain('Reading…');
    expect(person.lists([]).text()).toContain('glassbox run');
  });
});

describe('a question', () => {
  test('three of twelve sessions are decided with six keys, each as it was meant', () => {
    const person = atPanels(twelve()).press('y', 'tab', 'n', 'enter', 'tab', 'y');
    expect(answersOf(person)).toEqual([
      ['first', { type: 'approve' }],
      ['second', { type: 'deny' }],
      ['third', { type: 'approve' }],
    ]);
    // What was answered here is not asked again while its agent has not heard it.
    expect(person.press('y', 'y').deeds).toHaveLength(3);
  });

  test('a key is dead for a moment after what it would answer became another one', () => {
    const person = atPanels([waiting('a'), waiting('b', {}, NOON)]).wait(1000);
    // Between the thought and the key somebody else answers, and the agent asks for something worse.
    person.lists([listed(session('a', { state: 'waiting' }), [asks('a', { id: 'worse', seq: 9 } as never)])]);
    expect(person.hammer('y').deeds).toEqual([]);
    expect(person.wait(200).hammer('y').deeds).toEqual([]);
    person.press('y');
    expect(answersOf(person)).toEqual([['a', { type: 'approve' }]]);
  });

  test('a key that comes with the Tab before it decides nothing', () => {
    const person = atPanels([waiting('a'), waiting('b', {}, NOON)]).press('y');
    person.hammer('tab', 'y');
    expect(answersOf(person)).toEqual([['a', { type: 'approve' }]]);
    expect(person.cursor()).toBe('b');
    // Nor is it refused by keys that come with the picture of it.
    const hasty = atPanels([waiting('a'), waiting('b', {}, NOON)])
      .press('y')
      .hammer('tab');
    hasty.rows();
    expect(answersOf(hasty.hammer('n', 'enter'))).toHaveLength(1);
  });

  test('what is not on the screen cannot be answered, and has to stand there for a moment first', () => {
    const person = atPanels([waiting('a')], { columns: 44, rows: 20 });
    expect(person.press('y', 'n', 'a').deeds).toEqual([]);
    person.wait(5000).hammer('enter', 'y');
    expect(person.deeds).toEqual([]);
    person.rows();
    expect(person.hammer('y').deeds).toEqual([]);
    expect(answersOf(person.press('y'))).toEqual([['a', { type: 'approve' }]]);
    const helped = atPanels([waiting('a')]).press('?');
    expect(helped.hammer('y').deeds).toEqual([]);
  });

  test('a paste is no key', () => {
    const person = atPanels([waiting('a')]).wait(5000);
    person.happens({ type: 'key', key: { name: 'paste', text: 'yyyxxq' } });
    expect(person.deeds).toEqual([]);
  });

  test('a long one is not allowed before its end was read', () => {
    const long = Array.from({ length: 60 }, (_, index) => `line ${index}`).join('\n');
    const person = atPanels([waiting('a', { command: long, input: { command: long } })]).press('y');
    expect(person.deeds).toEqual([]);
    for (let page = 0; page < 12; page += 1) person.press(' ');
    expect(answersOf(person.press('y'))).toEqual([['a', { type: 'approve' }]]);
  });

  test('one that wants a choice is gone into first, so that tabs stay tabs', () => {
    const choice = {
      kind: 'question',
      questions: [{ question: 'Which version?', options: [{ label: 'v6' }, { label: 'v7' }] }],
    } as never;
    const person = atPanels([waiting('a', choice)]).press('2');
    expect(person.deeds).toEqual([]);
    expect(person.state().tab).toBe('tools');
    expect(answersOf(person.press('enter', '2'))).toEqual([
      ['a', { type: 'answer', answers: { 'Which version?': 'v7' } }],
    ]);
  });

  test('a reason is typed, also with letters that are keys; Esc takes it back', () => {
    const person = atPanels([waiting('a')]).press('n', ...'quit x', 'escape', 'n', ...'keep it', 'enter');
    expect(answersOf(person)).toEqual([['a', { type: 'deny', message: 'keep it' }]]);
  });

  test('an answer that did not come to its agent can be given again', () => {
    const person = atPanels([waiting('a')]).press('y');
    expect(person.text()).not.toContain('one key answers');
    const [deed] = person.deeds;
    if (deed?.type !== 'answer') throw new Error('nothing was answered');
    person.happens({ type: 'unanswered', name: `${deed.question.runId}/${deed.question.request.id}/1` });
    person.happens({ type: 'told', text: 'Nobody listens.', isBad: true });
    expect(person.text()).toContain('Nobody listens.');
    expect(answersOf(person.press('y'))).toHaveLength(2);
  });

  test('what waits in a terminal of its own says so', () => {
    const seen = {
      state: 'waiting',
      for: { kind: 'approval', text: 'permission prompt' },
      because: [],
      against: [],
    } as const;
    const person = atPanels([
      { ...listed(session('a', { state: 'ended' })), presence: { ...seen, because: [], against: [] } },
    ]);
    expect(person.text()).toContain('It waits in its own terminal: permission prompt.');
    expect(person.press('y', 's').deeds).toEqual([]);
    expect(person.text()).toContain('glassbox did not start it');
  });
});

describe('keys that steer', () => {
  test('say, interrupt and stop what works, and nothing else; stop asks once', () => {
    const person = atPanels([working('a')]).press('s', ...'leave q', 'enter', 'i', 'x');
    expect(person.deeds).toEqual([
      { type: 'say', id: 'a', text: 'leave q' },
      { type: 'interrupt', id: 'a' },
    ]);
    expect(person.text()).toContain('x again ends this agent');
    person.press('down', 'x', 'r');
    expect(person.deeds).toHaveLength(2);
    expect(person.text()).toContain('It has not ended');
    expect(person.press('x', 'x').deeds.at(-1)).toEqual({ type: 'stop', id: 'a' });
  });

  test('go on with what has ended, where its agent said how', () => {
    const { agentSessionId: _, ...lost } = session('b', { state: 'ended', outcome: 'failed' });
    const person = atPanels([ended('a'), listed(lost)]);
    person.press('s', 'i', 'x');
    expect(person.text()).toContain('It has ended: r goes on with it.');
    expect(person.press('r', ...'And now?', 'enter').deeds).toEqual([{ type: 'resume', id: 'a', text: 'And now?' }]);
    expect(person.press('down', 'r').text()).toContain('before its agent said how');
  });

  test('are dead for a moment after another session came under the cursor, and a line is for the one it was begun for', () => {
    const person = atPanels([working('a'), working('b')]).wait(1000);
    expect(person.hammer('down', 'i').deeds).toEqual([]);
    const here = person.cursor();
    person
      .press('s', 'h')
      .lists([waiting('new'), working('a'), working('b')])
      .press('enter');
    expect(person.deeds).toEqual([{ type: 'say', id: here, text: 'h' }]);
  });

  test('q leaves; with agents of its own it asks once; Ctrl-C does too, also while something is typed', () => {
    expect(atPanels([working('a')]).press('q').deeds).toEqual([{ type: 'quit' }]);
    const person = atPanels([working('a')])
      .happens({ type: 'own-runs', count: 1 })
      .press('q');
    expect(person.deeds).toEqual([]);
    expect(person.text()).toContain('q again quits');
    expect(person.press('down', 'q', 'q').deeds).toEqual([{ type: 'quit' }]);
    expect(atPanels([working('a')]).press('s', 'q', 'ctrl-c').deeds).toEqual([{ type: 'quit' }]);
  });
});

describe('search', () => {
  test('looks while it is typed, shows where it was found, and is left by Esc', () => {
    const person = atPanels([working('a'), ended('b')])
      .press('/')
      .types('zeb');
    expect(person.deeds.at(-1)).toEqual({ type: 'search', text: 'zeb' });
    person.happens({ type: 'found', text: 'ze', found: [ended('early')] });
    expect(person.state().found).toBeUndefined();
    person.happens({ type: 'found', text: 'zeb', found: [{ ...ended('old'), hit: 'the zebra is there' }] });
    expect(person.text()).toMatch(/Found 1[\s\S]*Task old[\s\S]*the zebra is th[\s\S]*\/ zeb▌/);
    expect(person.cursor()).toBe('old');
    expect(person.press('enter', 'enter').state().focus).toBe('session');
    expect(person.press('escape').cursor()).toBe('old');
    expect(person.press('escape').cursor()).toBe('a');
    expect(person.text()).toContain('Sessions');
  });
});

/** So many answers, one after the other. */
const made = (count: number): AgentEvent[] =>
  Array.from({ length: count }, (_, index) =>
    stamped(
      [
        { type: 'message-start', messageId: `m${index}`, role: 'assistant' },
        { type: 'text-end', messageId: `m${index}`, index: 0, text: `said ${index}.` },
        { type: 'message-end', messageId: `m${index}` },
      ],
      3 * index,
    ),
  ).flat();

describe('a session', () => {
  const events = recorded('tool-edit');

  test('S0-34 has its conversation, tools with outputs, thinking, changes and numbers apart', () => {
    const person = atPanels([working('a')], { columns: 120, rows: 50 }).opens(events);
    expect(person.text()).toMatch(/\[1 Conversation\].*2 Tools.*3 Thinking.*4 Changes.*5 Numbers/);
    expect(person.text()).toMatch(/✔ Edit/);
    expect(person.press('2').text()).toMatch(/\[2 Tools\][\s\S]*✔ Edit/);
    expect(person.text()).not.toContain('> ');
    expect(person.press('4').text()).toMatch(/\[4 Changes\][\s\S]*1 file {2}\+\d+ −\d+/);
    expect(person.press('5').text()).toMatch(/Cost +\$0\.1300[\s\S]*Tokens +31K in \(30K cached\) \/ 300 out/);
    const thoughtful = atPanels([working('a')])
      .opens(recorded('partial-thinking'))
      .press('3');
    expect(thoughtful.text()).toMatch(/\[3 Thinking\][\s\S]*Thought/);
  });

  test('has a row for each run, and below it what that was asked for, in one row', () => {
    const one = session('a');
    const runs = ['Fix it', `Now the docs, ${'and so on '.repeat(20)}`].map((prompt, index) => ({
      ...one.runs[0],
      runId: `run-${index}`,
      prompt,
    })) as typeof one.runs;
    const person = atPanels([listed({ ...one, runs })], { columns: 80, rows: 40 }).opens(events);
    expect(person.press('5').text()).toMatch(
      /│ 2 runs +│\n.*│ {3}toy · running · .* +│\n.*│ {5}Fix it +│\n.*│ {3}toy · running · .* +│\n.*│ {5}Now the docs, and so on .*… +│\n/,
    );
  });

  test('tells where its time went, where all of it was read', () => {
    const slow = events.map((event, index) => ({ ...event, at: event.at + index * 100 }));
    const person = atPanels([working('a')], { columns: 120, rows: 50 });
    expect(person.opens(slow).press('5').text()).toMatch(/Where the time went[\s\S]* Model +▇+▁* +\d+ % +\S+/);
    expect(person.opens(slow, 7).text()).not.toContain('Where the time went');
    expect(person.opens(events).text()).not.toContain('Where the time went');
  });

  test('on a wide screen has its changed files and its figures beside it, and in their own tabs all the room', () => {
    const person = atPanels([working('a')], { columns: 200, rows: 60 }).opens(events);
    expect(person.text()).toMatch(/┬ Changes ─+┐/);
    expect(person.text()).toMatch(/│ \S+ +\+\d+ −\d+ +│\n/);
    expect(person.text()).toMatch(/│ Numbers +│[\s\S]*│ Cost +\$0\.1300/);
    expect(person.press('4').text()).not.toMatch(/┬ Changes/);
    expect(person.press('5').text()).not.toMatch(/┬ Changes/);
    expect(person.press('1', '?').text()).not.toMatch(/┬ Changes/);
    expect(
      atPanels([working('a')], { columns: 179, rows: 60 })
        .opens(events)
        .text(),
    ).not.toMatch(/┬ Changes/);
    expect(atPanels([working('a')], { columns: 200, rows: 60 }).text()).toMatch(/Reading…/);
    expect(
      atPanels([working('a')], { columns: 200, rows: 10 })
        .opens(events)
        .text()
        .split('\n'),
    ).toHaveLength(10);
  });

  test('T-073 what is scrolled up to stays in sight while more comes, and at its end it follows again', () => {
    const person = atPanels([working('a')]).opens(made(40));
    expect(person.text()).toContain('said 39.');
    person.press('page-up', 'page-up');
    const seen = person.text();
    expect(seen).not.toContain('said 39.');
    expect(seen).toMatch(/↓ \d+ rows more/);
    expect(person.opens(made(45)).text()).toContain(/said \d+\./.exec(seen)?.[0]);
    expect(person.state().top).toBeDefined();
    person.press('enter', 'end');
    expect(person.state().top).toBeUndefined();
    expect(person.opens(made(50)).text()).toContain('said 49.');
    for (const key of ['home', 'g']) expect(person.press('G', key).text()).toContain('said 0.');
    for (const [up, down] of [
      ['up', 'down'],
      ['k', 'j'],
      ['page-up', 'page-down'],
    ] as const) {
      person.press('end', up);
      expect(person.state().top).toBeDefined();
      expect(person.press(down).state().top).toBeUndefined();
    }
  });

  test('what was before is read when somebody comes there, and nothing jumps', () => {
    const person = atPanels([working('a')])
      .opens(made(40).slice(60), 60)
      .press('enter', 'g');
    expect(person.deeds).toEqual([{ type: 'read-earlier', id: 'a' }]);
    expect(person.rows()[3]).toContain('what was before');
    expect(person.rows()[4]).toContain('said 20.');
    person.opens(made(40));
    expect(person.rows()[4]).toContain('said 20.');
    expect(person.press('up').rows()[5]).toContain('said 20.');
  });

  test('T-073 a tab is four columns, and nothing of an agent moves anything', () => {
    const hostile = '\x1b[2J\x1b]0;title\x07\u202eevil\tend\r\nmore\x9b31m';
    const person = atPanels([
      { ...waiting('a', { command: hostile }), session: session('a', { title: hostile, state: 'waiting' }) },
    ]);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for
    expect(person.rows().filter((row) => /[\x00-\x1f\x7f-\x9f\u202a-\u202e]/.test(row))).toEqual([]);
  });
});

test('a key that is dead for a moment does not look like one that does something, also without colours', () => {
  const person = atPanels(twelve(), { columns: 120, rows: 30 });
  expect(person.rows().at(-1)).toMatch(/^ · say {2}· interrupt {2}· stop {2}Tab next that waits/);
  expect(person.wait(400).rows().at(-1)).toMatch(/^ s say {2}i interrupt {2}x stop {2}Tab next that waits/);
});

// biome-ignore lint/suspicious/noControlCharactersInRegex: sequences begin with one
const TO_COLUMN = / {8}\u001b\[\d+G/g;

describe('T-073 every screen', () => {
  const key = fc.constantFrom(
    ...['up', 'down', 'j', 'k', 'tab', 'enter', 'escape', '1', '2', '3', '4', '5', '/', '?', 'g', 'G', ' '],
    ...['page-up', 'page-down', 's', 'x', 'y', 'n', 'e', 'w', 'a', 'l', 'left', 'right', 'backspace', 'é', '漢'],
  );
  const wide: Listed = listed(session('wide', { title: '名前を変える 👩‍👩‍👧 日本語のタイトルはとても長い' }));

  test('from 30×10 to 250×80 is as large as the terminal, to the column, whatever was pressed', () => {
    fc.assert(
      fc.property(
        fc.array(key, { maxLength: 25 }),
        fc.integer({ min: 1, max: 250 }),
        fc.integer({ min: 1, max: 80 }),
        fc.boolean(),
        (keys, columns, rows, isOpen) => {
          const person = atPanels([...twelve(), wide], { columns, rows });
          if (isOpen) person.opens(recorded('tool-edit'));
          for (const name of keys) person.wait(400).happens({ type: 'key', key: keyOf(name) });
          const screen = person.rows();
          expect(screen).toHaveLength(rows);
          // What only covers what was there before a column was gone to is none of its width.
          const widths = screen.map((row) => stringWidth(row.replaceAll(TO_COLUMN, '')));
          expect(widths.filter((width) => width !== columns)).toEqual([]);
        },
      ),
      { numRuns: 60 },
    );
  });

  test('that is too small says what to do', () => {
    const text = atPanels(twelve(), { columns: 29, rows: 24 }).text();
    expect(text).toContain('glassbox needs 30×10');
    expect(text).toContain('Make the window larger');
    expect(atPanels(twelve(), { columns: 30, rows: 10 }).text()).toContain('Waiting for you');
  });
});
