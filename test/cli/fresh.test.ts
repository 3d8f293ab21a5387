/** Consent is fresh: what was typed before a question was on the screen never answers it. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { ask, init, result } from '../fake-agent/lines.js';
import { temporaryDirectory } from '../fake-agent/play.js';
import { converse } from './converse.js';

const PROMPT = 'Allow? [y]es';

const input = { command: 'touch ok.txt' };

/** Asks only when the gate is opened. */
function lateQuestion() {
  const gate = path.join(temporaryDirectory(), 'gate');
  const script = [init(), { file: gate }, ask('q1', 't1', 'Bash', input), { hear: '"request_id":"q1"' }, result('ok')];
  return { script, open: () => writeFileSync(gate, '') };
}

describe('what was typed before the question', () => {
  test.each(['y', 'yes', 'always', 'n'])('%s and Enter is no answer', async (word) => {
    const { script, open } = lateQuestion();
    const { replies, text } = await converse(script, async (screen) => {
      await screen.shows('Agent command');
      screen.type(`${word} early\r`);
      // The terminal echoes it: it was typed.
      await screen.shows(`${word} early`);
      open();
      await screen.shows('Allow? [y]es');
      screen.type('n not now\r');
    });
    expect(replies).toMatchObject([{ behavior: 'deny', message: 'not now' }]);
    expect(text).toContain('does not answer it');
  });

  test('without Enter is no beginning of an answer', async () => {
    const { script, open } = lateQuestion();
    const { replies } = await converse(script, async (screen) => {
      await screen.shows('Agent command');
      screen.type('yes');
      await screen.shows(/yes$/);
      open();
      await screen.shows('Allow? [y]es');
      screen.type('\r');
      await screen.goesOn('y allows it');
      await screen.goesOn(PROMPT);
      screen.type('n\r');
    });
    expect(replies).toMatchObject([{ behavior: 'deny' }]);
  });

  test('the answer to one question is none to the next', async () => {
    const script = [
      init(),
      ask('q1', 't1', 'Bash', input),
      ask('q2', 't2', 'Bash', { command: 'rm -rf keep' }),
      { hear: '"request_id":"q1"' },
      { hear: '"request_id":"q2"' },
      result('ok'),
    ];
    const { replies } = await converse(script, async (screen) => {
      await screen.shows('Allow? [y]es');
      screen.type('y\ry\ry\r');
      await screen.shows(/rm -rf keep[\s\S]*Allow\? \[y\]es/);
      screen.type('n\r');
    });
    expect(replies).toMatchObject([{ behavior: 'allow' }, { behavior: 'deny' }]);
  });
});
