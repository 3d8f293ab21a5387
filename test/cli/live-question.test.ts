/** Questions on the live view: one key answers, and nothing that was typed for something else; the line below survives them. */
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { ask, init, interruptedResult, result, type Step, text, toolResult, toolUse } from '../fake-agent/lines.js';
import { temporaryDirectory } from '../fake-agent/play.js';
import { converse } from './converse.js';
import { createGate, openTerminal, type Screen } from './fake-run.js';
import { expectSane, screenOf } from './screen-of.js';

const input = { command: 'touch ok.txt' };
const READY = 'one key answers';
const live = { format: 'live' } as const;
const HEAR_END = { hearEnd: true };

/** The same question so many times at once. */
const asking = (times: number): Step[] => [
  init(),
  ...Array.from({ length: times }, (_, index) => [
    toolUse(`t${index}`, 'Bash', { command: `touch ${index}.txt` }),
    ask(`q${index}`, `t${index}`, 'Bash', { command: `touch ${index}.txt` }),
  ]).flat(),
  ...Array.from({ length: times }, (_, index) => ({ hear: `"request_id":"q${index}"` })),
  result('ok'),
  { hearEnd: true },
];

async function press(screen: Screen, keys: string): Promise<void> {
  await screen.goesOn(READY);
  screen.type(keys);
}

describe('a question on the live view', () => {
  test('keys before it stay in the line and never answer; after it they are still there', async () => {
    const [before, after] = [createGate(), createGate()];
    const script = [init(), before.step, ask('q1', 't1', 'Bash', input), { hear: 'q1' }, after.step, result('ok')];
    const { replies, text: output } = await converse(
      script,
      async (screen) => {
        await screen.shows('Waiting for the model');
        screen.type('yes');
        await screen.shows('> yes▌');
        before.open();
        await screen.goesOn('Tab, then a key answers');
        screen.type('y');
        await screen.goesOn('> yesy▌');
        screen.type('\t');
        await press(screen, 'n');
        await screen.goesOn('Why not');
        screen.type('not now\r');
        await screen.goesOn('> yesy▌');
        after.open();
      },
      live,
    );
    expect(replies).toMatchObject([{ behavior: 'deny', message: 'not now' }]);
    expectSane(output);
  });

  test('several wait with their numbers, one is put aside and comes back, and each gets its own answer', async () => {
    const { replies, text: output } = await converse(
      asking(3),
      async (screen) => {
        await screen.shows('1 of 3');
        await press(screen, '\t');
        await screen.goesOn('2 of 3');
        // The second is put aside: the third comes, then the first.
        await press(screen, 'l');
        await screen.goesOn('3 of 3');
        await press(screen, 'y');
        await screen.goesOn('1 of 2');
        await press(screen, 'n');
        await screen.goesOn('Why not');
        screen.type('\r');
        await screen.goesOn('Tab: a question waits');
        screen.type('\t');
        await press(screen, 'y');
      },
      live,
    );
    expect(replies).toMatchObject([
      { behavior: 'allow', updatedInput: { command: 'touch 2.txt' } },
      { behavior: 'deny' },
      { behavior: 'allow', updatedInput: { command: 'touch 1.txt' } },
    ]);
    // What remains of each is its line.
    expect(await screenOf(output)).not.toMatch(/[╭╰]|one key/);
    expectSane(output);
  });

  test('a long command is allowed when its end was on the screen; another size draws it anew', async () => {
    const lines = Array.from({ length: 50 }, (_, index) => `echo ${index + 1}`);
    const command = [...lines, 'rm -rf important'].join('\n');
    const script = [init(), ask('q1', 't1', 'Bash', { command }), { hear: 'q1' }, result('ok')];
    const { replies } = await converse(
      script,
      async (screen) => {
        await press(screen, 'y');
        await screen.goesOn('Not before its end was shown');
        screen.resize(60, 24);
        await screen.goesOn('↓ to the end first');
        for (let page = 0; page < 6; page += 1) screen.type(' ');
        await screen.goesOn('rm -rf important');
        screen.resize(120, 60);
        await screen.goesOn(/╭ claude: Run a command ─{90}/);
        await press(screen, 'y');
      },
      live,
    );
    expect(replies).toMatchObject([{ behavior: 'allow', updatedInput: { command } }]);
  });

  test('e changes the input in the editor, which has the terminal to itself', async () => {
    const editor = path.join(temporaryDirectory(), 'editor.mjs');
    const change = "readFileSync(file, 'utf8').replace('0.txt', 'b.txt')";
    writeFileSync(
      editor,
      `#!/usr/bin/env node
import { readFileSync, writeFileSync } from 'node:fs';
const file = process.argv[2];
process.stdout.write(\`the editor, raw: \${process.stdin.isRaw}\`);
writeFileSync(file, ${change});`,
    );
    chmodSync(editor, 0o755);
    const { replies, text: output } = await converse(asking(1), (screen) => press(screen, 'e'), {
      ...live,
      env: { VISUAL: editor },
    });
    expect(replies).toEqual([{ behavior: 'allow', updatedInput: { command: 'touch b.txt' } }]);
    const [before = ''] = output.split('the editor, raw: false');
    expectSane(before);
    expectSane(output);
  });

  test('is asked on the terminal also when a pipe brings the prompt', async () => {
    const { replies } = await converse(asking(1), (screen) => press(screen, 'y'), { ...live, input: 'do it\n' });
    expect(replies).toMatchObject([{ behavior: 'allow' }]);
  });

  test('that is withdrawn goes away; what an agent asks is answered by a number', async () => {
    const gate = createGate();
    const options = [{ label: 'Red' }, { label: 'Blue' }];
    const script = [
      init(),
      ask('q1', 't1', 'Bash', input),
      gate.step,
      { say: { type: 'control_cancel_request', request_id: 'q1' } },
      ask('q2', 't2', 'AskUserQuestion', { questions: [{ question: 'Which colour?', options }] }),
      { hear: '"request_id":"q2"' },
      result('ok'),
    ];
    const { replies } = await converse(
      script,
      async (screen) => {
        await screen.shows('touch ok.txt');
        gate.open();
        await screen.goesOn('Which colour?');
        await press(screen, '2');
      },
      live,
    );
    expect(replies).toMatchObject([{ updatedInput: { answers: { 'Which colour?': 'Blue' } } }]);
  });
});

describe('typing while it works', () => {
  const run = ['run', 'claude', 'Fix it', '--format=live'];

  test('waits for the end of a deed, can be taken back, and is pasted in one piece', async () => {
    const gate = createGate();
    const log = path.join(temporaryDirectory(), 'log');
    const script = [
      init(),
      toolUse('t1', 'Bash', input),
      gate.step,
      toolResult('t1', 'ok'),
      { hear: 'and the docs' },
      text('I heard.'),
      result('ok'),
      { hearEnd: true },
    ];
    const screen = openTerminal(run, script, { env: { FAKE_AGENT_LOG: log } });
    await screen.shows('Bash touch ok.txt');
    screen.type('never mind\r');
    await screen.goesOn('↑ takes it back');
    screen.type('\u001b[A');
    await screen.goesOn('> never mind▌');
    screen.type('\u0015\u001b[200~and the docs\ry\u001b[201~');
    await screen.goesOn('  y▌');
    screen.type('\r');
    await screen.goesOn('↑ takes it back');
    gate.open();
    await screen.shows('I heard.');
    expect(await screen.ended).toBe(0);
    const told = readFileSync(log, 'utf8');
    expect(told).toContain(String.raw`and the docs\ny`);
    expect(told).not.toContain('never mind');
    expectSane(screen.text());
  });

  test('after the last turn it is said too, and begins another one', async () => {
    const gate = createGate();
    const script = [
      init(),
      gate.step,
      result('one'),
      { hear: 'go on' },
      text('Went on.'),
      result('two'),
      { hearEnd: true },
    ];
    const screen = openTerminal(run, script);
    await screen.shows('Waiting for the model');
    screen.type('go on\r');
    await screen.goesOn('↑ takes it back');
    gate.open();
    await screen.goesOn('Went on.');
    expect(await screen.ended).toBe(0);
  });

  test('is heard also by an agent that asks for nothing', async () => {
    const gate = createGate();
    const script = [init(), gate.step, result('one'), { hear: 'go on' }, text('Went on.'), result('two')];
    const screen = openTerminal([...run, '--permission=bypass'], [...script, { hearEnd: true }]);
    await screen.shows('Waiting for the model');
    screen.type('go on\r');
    await screen.goesOn('↑ takes it back');
    gate.open();
    await screen.goesOn('Went on.');
    expect(await screen.ended).toBe(0);
  });

  test('what cannot be done is said in full, however narrow it is', async () => {
    const screen = openTerminal(run, [init(), { hearEnd: true }], { columns: 44 });
    await screen.shows('Waiting for the model');
    screen.type('\u0014');
    await screen.goesOn('afterwards.');
    screen.type('\u0003\u0003');
    expect(await screen.ended).toBe(130);
  });

  test('↑ brings what was said before, @ names a file of the project', async () => {
    const cwd = temporaryDirectory();
    writeFileSync(path.join(cwd, 'duration.js'), '');
    const screen = openTerminal(run, [init(), { hearEnd: true }], { cwd });
    await screen.shows('Waiting for the model');
    screen.type('\u001b[A');
    await screen.goesOn('> Fix it▌');
    screen.type('\u001b[B@dur');
    await screen.goesOn('@duration.js  Tab');
    screen.type('\t');
    await screen.goesOn('> @duration.js ▌');
    screen.type('\u0003');
    await screen.goesOn('Ctrl-C again ends it');
    screen.type('\u0003');
    expect(await screen.ended).toBe(130);
    expectSane(screen.text());
  });

  const interrupted = [init(), { hear: '"subtype":"interrupt"' }, interruptedResult()];

  test('Esc interrupts the turn, and the agent waits for what is said next', async () => {
    const screen = openTerminal(run, [...interrupted, { hear: 'the docs' }, text('Went on.'), result('two'), HEAR_END]);
    await screen.shows('Waiting for the model');
    screen.type('\u001b');
    await screen.goesOn('type what next · Ctrl-C leaves');
    screen.type('Only the docs');
    await screen.goesOn('Enter says it · Ctrl-C leaves');
    screen.type('\r');
    await screen.goesOn('Went on.');
    expect(await screen.ended).toBe(0);
    expect(await screenOf(screen.text())).toMatch(/nterrupted[\s\S]*> Only the docs[\s\S]*Went on\./);
    expectSane(screen.text());
  });

  test.each(['\u0003', '\u0004'])('who has nothing more to say leaves by one key: %j', async (key) => {
    const screen = openTerminal(run, [...interrupted, HEAR_END]);
    await screen.shows('Waiting for the model');
    screen.type('\u001b');
    await screen.goesOn('type what next');
    screen.type(key);
    expect(await screen.ended).toBe(130);
    expect(await screenOf(screen.text())).toContain('nterrupted');
    expectSane(screen.text());
  });

  test('nobody is cut off in the middle of a line when the turn ends', async () => {
    const gate = createGate();
    const screen = openTerminal(run, [init(), gate.step, result('one'), { hear: 'wait' }, result('two'), HEAR_END]);
    await screen.shows('Waiting for the model');
    screen.type('wai');
    await screen.goesOn('> wai▌');
    gate.open();
    await screen.goesOn('Enter says it · Ctrl-C leaves');
    screen.type('t\r');
    expect(await screen.ended).toBe(0);
  });

  test('a loop lives too, and ends with its table', async () => {
    const screen = openTerminal(
      ['loop', 'claude', 'Fix it', '--format=live'],
      [init(), text('**DONE**'), result('DONE'), { hearEnd: true }],
    );
    await screen.shows('Starting claude, iteration 1');
    expect(await screen.ended).toBe(0);
    const shown = await screenOf(screen.text());
    expect(shown).toMatch(/> Fix it\n\n {2}DONE\n/);
    expect(shown).toContain('done after 1 iteration.');
    expectSane(screen.text());
  });
});
