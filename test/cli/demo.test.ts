import { describe, expect, test } from 'vitest';
import recording from '../../src/cli/command/demo/demo-recording.json' with { type: 'json' };
import { openTerminal } from './fake-run.js';
import { glassbox, start, temporaryFile } from './glassbox.js';
import { expectSane, screenOf } from './screen-of.js';

describe('glassbox demo', () => {
  test('shows its recording through a real process, and ends with 0 without a terminal', async () => {
    const file = temporaryFile('demo.jsonl', recording.lines.join('\n'));
    const [demo, shown] = await Promise.all([glassbox(['demo', '--speed=500']), glassbox(['show', file])]);
    expect(demo.status).toBe(0);
    // Nobody is there to be asked: its question is answered at once.
    const [question = ''] = /^.*Permission required: Edit.*\n/m.exec(demo.stdout) ?? [];
    expect(question).not.toBe('');
    const place = /\S*glassbox-demo-\w+/g;
    expect(demo.stdout.replace(question, '').replaceAll(place, '/home/ada/clock')).toBe(shown.stdout);
    expect(demo.stdout).toMatch(/^\[claude\] Complete \(cost: \$0\.\d{4}\)$/m);
    expect(demo.stderr).toContain('No account, no network');
    expect(demo.stderr).toMatch(
      /glassbox doctor[\s\S]*glassbox run[\s\S]*glassbox serve.*http:\/\/127\.0\.0\.1:4177\n$/,
    );
  });

  test('its recording has a time for every line, and no path of the machine it was made on', () => {
    expect(recording.lineMs).toHaveLength(recording.lines.length);
    expect(recording.lines.join('\n')).not.toMatch(/\/(work|root|Users)\//);
  });

  test('on a terminal a newcomer answers it, yes or no', async () => {
    const [yes, no] = ['y', 'n'].map((key) => ({
      key,
      screen: openTerminal(['demo', '--speed=4'], [], { isAlone: true }),
    }));
    for (const { key, screen } of [yes, no].flatMap((one) => one ?? [])) {
      await screen.shows('Change src/duration.js');
      await screen.shows('one key answers');
      screen.type(key);
    }
    await no?.screen.goesOn('Why not');
    no?.screen.type('\r');
    expect(await yes?.screen.ended).toBe(0);
    expect(await no?.screen.ended).toBe(0);
    const shown = await screenOf(yes?.screen.text() ?? '');
    expect(shown).toMatch(/✔ Edit src\/duration\.js {2}\+3 −2 .* allowed by \S+ at the terminal\n/);
    expect(shown).toContain('all five tests pass');
    expect(shown).toContain('the page: http://127.0.0.1:4177');
    expectSane(yes?.screen.text() ?? '');
    expect(await screenOf(no?.screen.text() ?? '')).toContain('the two tests for whole hours still fail');
  });

  test('and if nobody does, it goes on by itself', async () => {
    const screen = openTerminal(['demo', '--speed=40'], [], { isAlone: true });
    expect(await screen.ended).toBe(0);
    expect(await screenOf(screen.text())).toContain('allowed because nobody answered in time');
  });

  test('whoever has begun to answer is not answered for, however long it takes', async () => {
    const screen = openTerminal(['demo', '--speed=10'], [], { isAlone: true });
    await screen.shows('one key answers');
    screen.type('n');
    await screen.goesOn('Why not');
    // Longer than a newcomer may think: each letter takes a picture.
    for (const letter of 'I would rather keep the old shape of it, and have the tests be changed') {
      screen.type(letter);
      await screen.goesOn(`${letter}▌`);
    }
    screen.type('\r');
    expect(await screen.ended).toBe(0);
    expect(await screenOf(screen.text())).toContain('have the tests be changed');
  });

  test('Ctrl-C ends the agent too: status 130', async () => {
    const { child, printed, ended } = start(['demo']);
    await printed('Bash: npm test');
    child.kill('SIGINT');
    const { status, stdout } = await ended;
    expect(status).toBe(130);
    expect(stdout.match(/^\[claude\] (Complete|Failed|Interrupted).*/gm)).toEqual([
      expect.stringMatching(/^\[claude\] Interrupted: ended by the user\b/i),
    ]);
  });

  test('when nobody reads any more the agent is ended, quietly', async () => {
    const { child, printed, ended } = start(['demo']);
    await printed('Bash: npm test');
    child.stdout.destroy();
    const { status, stderr } = await ended;
    expect(status).toBe(0);
    expect(stderr).toMatch(/^glassbox: [^\n]*No account, no network\.\n$/);
  });
});
