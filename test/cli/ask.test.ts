/** The person at the terminal is asked on the spot, in words, and the agent hears exactly what was decided. */
import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { ask, init, interruptedResult, result, type Step, say } from '../fake-agent/lines.js';
import { temporaryDirectory } from '../fake-agent/play.js';
import { converse } from './converse.js';
import type { Screen } from './fake-run.js';

/** Whatever is asked. */
const PROMPT = /Allow\? \[y\]es|: Enter shows more|Your answer|\[n\]o, \[w\]hy/;

const input = { command: 'touch ok.txt' };
const rule = {
  type: 'addRules',
  rules: [{ toolName: 'Bash', ruleContent: 'touch ok.txt' }],
  behavior: 'allow',
  destination: 'localSettings',
};
const mode = { type: 'setMode', mode: 'acceptEdits', destination: 'session' };
const suggestions = [mode, rule];

/** Asks the same so many times. */
const asking = (name: string, given: unknown, proposed?: unknown[], times = 1): Step[] => [
  init(),
  ...Array.from({ length: times }, (_, index) => index + 1).flatMap((count) => [
    ask(`q${count}`, `t${count}`, name, given, proposed),
    { hear: `"request_id":"q${count}"` },
  ]),
  result('ok'),
];
const askedOnce = asking('Bash', input, suggestions);

const answering = (keys: string) => async (screen: Screen) => {
  await screen.shows('Allow? [y]es');
  screen.type(`${keys}\r`);
};

/** An editor that changes the input as sed would. */
function makeEditor(from: string, to: string): string {
  const editor = path.join(temporaryDirectory(), 'editor.mjs');
  writeFileSync(
    editor,
    `#!/usr/bin/env node
import { readFileSync, writeFileSync } from 'node:fs';
const file = process.argv[2];
writeFileSync(file, readFileSync(file, 'utf8').replace('${from}', '${to}'));`,
  );
  chmodSync(editor, 0o755);
  return editor;
}

describe('asking on the spot', () => {
  test('on a narrow terminal no word is broken, also not in what may be answered', async () => {
    const { text } = await converse(
      askedOnce,
      async (screen) => {
        await screen.shows('[w]hy: ');
        screen.type('what\r');
        await screen.goesOn('tells more');
        await screen.goesOn('[w]hy: ');
        screen.type('y\r');
      },
      { columns: 44 },
    );
    const rows = stripVTControlCharacters(text).split(/\r*\n/);
    const question = rows.slice(
      rows.indexOf('Run a command'),
      rows.findLastIndex((row) => row.includes('[w]hy: ')),
    );
    expect(question).toContain('Allow? [y]es, [n]o, [a1] to [a2] always, ');
    expect(question.filter((row) => row.length > 44)).toEqual([]);
  });

  test('every answer is heard as it was meant, one question after another', async () => {
    const answers: [keys: string, reply: object][] = [
      ['y', { behavior: 'allow', updatedInput: input }],
      ['n', { behavior: 'deny', message: 'Denied by the user.' }],
      ['n not in this directory', { behavior: 'deny', message: 'not in this directory' }],
      // What was named, the narrowest first; or another; or both.
      ['a1', { behavior: 'allow', updatedPermissions: [rule] }],
      ['always 2', { behavior: 'allow', updatedPermissions: [mode] }],
      ['a1,2', { behavior: 'allow', updatedPermissions: [rule, mode] }],
    ];
    const script = asking('Bash', input, suggestions, answers.length);
    const { replies, text, status } = await converse(script, async (screen) => {
      for (const [keys] of answers) {
        await screen.goesOn('Allow? [y]es');
        screen.type(`${keys}\r`);
      }
    });
    expect(replies).toMatchObject(answers.map(([, reply]) => reply));
    expect(text).toContain('touch ok.txt');
    // The answers are the person's own: nothing was withdrawn.
    expect(text).not.toContain('no longer asked');
    expect(status).toBe(0);
  });

  test('what is asked stands there once, rings the bell, and says what always means, for how long and where it is written', async () => {
    const { text } = await converse(askedOnce, answering('n'));
    expect(text).toContain('\u0007');
    expect(text).not.toContain('Permission required');
    // And once where the tool was announced.
    expect(text.match(/touch ok\.txt/g)).toHaveLength(2);
    expect(text).toContain(
      'a1  always: the command `touch ok.txt` in this project from now on, written to .claude/settings.local.json',
    );
    expect(text).toMatch(/a2 {2}always: .*until this session ends/);
  });

  test('with one suggestion a is enough; without any there is no always', async () => {
    const one = await converse(asking('Bash', input, [rule]), answering('a'));
    expect(one.replies).toMatchObject([{ updatedPermissions: [rule] }]);
    const none = await converse(asking('Bash', input), async (screen) => {
      await answering('a')(screen);
      await screen.goesOn('There is no always here');
      await screen.goesOn(PROMPT);
      screen.type('n\r');
    });
    expect(none.replies).toMatchObject([{ behavior: 'deny' }]);
  });

  test('what is no answer is told why, and asked again', async () => {
    const { replies } = await converse(askedOnce, async (screen) => {
      await screen.goesOn(PROMPT);
      for (const [keys, why] of [
        ['a', 'Say which: a1 to a2.'],
        ['a3', 'There is no a3: choose a1 to a2.'],
        ['y but quickly', 'y alone allows it'],
        ['what?', 'w tells more'],
        ['', 'w tells more'],
      ] as const) {
        screen.type(`${keys}\r`);
        await screen.goesOn(why);
        await screen.goesOn(PROMPT);
      }
      screen.type('n\r');
    });
    expect(replies).toMatchObject([{ behavior: 'deny' }]);
  });

  test('w tells the whole input as people read it', async () => {
    const given = { command: 'printf "a\\n"', env: { A: 'one\ntwo' }, note: 'first\n\tsecond' };
    const { text, replies } = await converse(asking('Bash', given), async (screen) => {
      await answering('w')(screen);
      await screen.goesOn('The whole input');
      await screen.goesOn(PROMPT);
      screen.type('y\r');
    });
    const shown = text.slice(text.indexOf('The whole input'));
    expect(shown).toContain('command: printf "a\\n"');
    expect(shown).toMatch(/note:\r\n +first\r\n +\tsecond\r\n/);
    expect(replies).toMatchObject([{ behavior: 'allow' }]);
  });

  test('e changes the input in an editor, and only that', async () => {
    const { replies } = await converse(askedOnce, answering('e'), { env: { VISUAL: makeEditor('ok.txt', 'b.txt') } });
    expect(replies).toEqual([{ behavior: 'allow', updatedInput: { command: 'touch b.txt' } }]);
  });

  test.each([
    ['does not work', '/nowhere/editor', 'set EDITOR'],
    ['changes nothing', makeEditor('x', 'x'), 'Nothing was changed'],
    ['makes no JSON', makeEditor('{', ''), 'That is no JSON'],
  ])('an editor that %s decides nothing', async (_, VISUAL, words) => {
    const talk = async (screen: Screen) => {
      await answering('e')(screen);
      await screen.goesOn(words);
      await screen.goesOn(PROMPT);
      screen.type('n\r');
    };
    expect((await converse(askedOnce, talk, { env: { VISUAL } })).replies).toMatchObject([{ behavior: 'deny' }]);
  });

  test('a question that is withdrawn goes away', async () => {
    const gate = path.join(temporaryDirectory(), 'gate');
    const script = [
      init(),
      ask('q1', 't1', 'Bash', input),
      { file: gate },
      say({ type: 'control_cancel_request', request_id: 'q1' }),
      result('ok'),
      { hearEnd: true },
    ];
    const { text, replies } = await converse(script, async (screen) => {
      await screen.shows('Allow? [y]es');
      writeFileSync(gate, '');
      await screen.shows('no longer asked');
    });
    expect(replies).toEqual([]);
    expect(text).toContain('Complete');
  });

  test('Ctrl-C at the question interrupts the turn, and leaves the line', async () => {
    const cancelled = say({ type: 'control_cancel_request', request_id: 'q1' });
    const script = [
      init(),
      ask('q1', 't1', 'Bash', input),
      { hear: '"subtype":"interrupt"' },
      cancelled,
      interruptedResult(),
      { hearEnd: true },
    ];
    const { status, text } = await converse(script, async (screen) => {
      await screen.shows('Allow? [y]es');
      screen.type('\u0003');
    });
    expect(status).toBe(130);
    expect(stripVTControlCharacters(text)).toMatch(/\[w\]hy: \r?\nglassbox: interrupting/);
  });

  test('Ctrl-D is nobody, which means no, and leaves the line', async () => {
    const { replies, text } = await converse(askedOnce, async (screen) => {
      await screen.shows('Allow? [y]es');
      screen.type('\u0004');
    });
    expect(replies).toMatchObject([{ behavior: 'deny' }]);
    expect(stripVTControlCharacters(text)).toMatch(/\[w\]hy: \r?\n/);
  });

  test('somebody who pipes the prompt in is asked all the same', async () => {
    const { replies } = await converse(askedOnce, answering('n by keyboard'), { input: 'do it\n' });
    expect(replies).toMatchObject([{ behavior: 'deny', message: 'by keyboard' }]);
  });

  test('but not who gives nothing to read at all', async () => {
    const { replies, text } = await converse(askedOnce, async () => {}, { from: '/dev/null' });
    expect(replies).toMatchObject([{ behavior: 'deny' }]);
    expect(text).toContain('for want of a terminal');
  });
});

describe('a question of the agent', () => {
  const colours = { question: 'Which colour?', options: [{ label: 'Red' }, { label: 'Blue' }] };
  const script = asking('AskUserQuestion', { questions: [colours] }, undefined, 2);

  test('is answered by number or in own words, and by nothing that is neither', async () => {
    const { replies } = await converse(script, async (screen) => {
      await screen.goesOn('Your answer (1 to 2, or your own words):');
      for (const [keys, words] of [
        ['9', 'There is no 9: choose 1 to 2'],
        ['', 'is not answered yet'],
      ] as const) {
        screen.type(`${keys}\r`);
        await screen.goesOn(words);
        await screen.goesOn(PROMPT);
      }
      screen.type('2\r');
      await screen.goesOn('Your answer (1 to 2, or your own words):');
      screen.type('green\r');
    });
    expect(replies).toMatchObject(
      ['Blue', 'green'].map((answer) => ({ updatedInput: { answers: { 'Which colour?': answer } } })),
    );
  });

  test('a secret that a form asks for is not shown', async () => {
    const requested_schema = { properties: { key: { type: 'string', format: 'password' } }, required: ['key'] };
    const asked = { subtype: 'elicitation', mcp_server_name: 'crm', message: 'Log in', requested_schema };
    const form = [
      init(),
      say({ type: 'control_request', request_id: 'q1', request: asked }),
      { hear: '"request_id":"q1"' },
      result('ok'),
    ];
    const { replies, text } = await converse(form, async (screen) => {
      await screen.shows('Your answer:');
      screen.type('correct horse\r');
    });
    expect(replies).toMatchObject([{ content: { key: 'correct horse' } }]);
    expect(text).not.toContain('horse');
  });
});

describe('a long question', () => {
  const lines = Array.from({ length: 90 }, (_, index) => `echo ${index + 1}`);
  const script = asking('Bash', { command: [...lines, 'rm -rf important'].join('\n') });

  test('cannot be allowed before its end was shown, a screen at a time', async () => {
    const { replies, text } = await converse(script, async (screen) => {
      await screen.shows(/more lines: Enter shows more/);
      expect(screen.text()).not.toContain('rm -rf important');
      screen.type('y\r');
      await screen.goesOn('Not before its end was shown');
      await screen.goesOn(PROMPT);
      screen.type('a\r');
      await screen.goesOn('There is no always');
      await screen.goesOn(PROMPT);
      for (const seen of ['echo 60', 'rm -rf important']) {
        screen.type('\r');
        await screen.goesOn(seen);
        await screen.goesOn(PROMPT);
      }
      screen.type('y\r');
    });
    expect(replies).toMatchObject([{ behavior: 'allow' }]);
    expect(text).toContain('echo 90');
  });

  test('Enters and a y in one go allow nothing: the y was typed before the end was there', async () => {
    const { replies } = await converse(script, async (screen) => {
      await screen.shows(/more lines: Enter shows more/);
      screen.type('\r\r\r\r\ry\r');
      await screen.goesOn('echo 60');
      await screen.goesOn(PROMPT);
      screen.type('n\r');
    });
    expect(replies).toMatchObject([{ behavior: 'deny' }]);
  });

  test('can be denied at once, and w shows all of it', async () => {
    const denied = await converse(script, async (screen) => {
      await screen.shows(/more lines: Enter shows more/);
      screen.type('n too long\r');
    });
    expect(denied.replies).toMatchObject([{ behavior: 'deny', message: 'too long' }]);
    const whole = await converse(script, async (screen) => {
      await screen.shows(/more lines: Enter shows more/);
      screen.type('w\r');
      await screen.shows('Allow? [y]es');
      screen.type('y\r');
    });
    expect(whole.text).toContain('rm -rf important');
    expect(whole.replies).toMatchObject([{ behavior: 'allow' }]);
  });

  test('a line that is longer than the screen is wide counts as many', async () => {
    const wide = asking('Bash', { command: `echo ${'x'.repeat(9000)}; rm -rf important` });
    const { replies } = await converse(wide, async (screen) => {
      await screen.shows(/more lines: Enter shows more/);
      expect(screen.text()).not.toContain('rm -rf important');
      screen.type('y\r');
      await screen.goesOn('Not before its end was shown');
      await screen.goesOn(PROMPT);
      screen.type('n\r');
    });
    expect(replies).toMatchObject([{ behavior: 'deny' }]);
  });

  test('what is too long to be shown at all cannot be allowed', async () => {
    const huge = asking('Bash', { command: `echo ${'x\n'.repeat(700_000)}` });
    const { replies } = await converse(huge, async (screen) => {
      await screen.shows(/more lines: Enter shows more/);
      screen.type('y\r');
      await screen.goesOn('too long to be shown to its end (1.4 MB)');
      await screen.goesOn(PROMPT);
      screen.type('n\r');
    });
    expect(replies).toMatchObject([{ behavior: 'deny' }]);
  });
});
