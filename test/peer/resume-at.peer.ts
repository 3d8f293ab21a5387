/** Real agents go on from an earlier turn: the model hears nothing of what came after it, and the conversation that was left stays whole. */
import { expect, test } from 'vitest';
import { claude } from './agent/claude.js';
import { codex } from './agent/codex.js';
import { sequence } from './model/turn.js';
import { only } from './play.js';
import { createStage } from './stage.js';

test.each([claude, codex])('$agent', async (peer) => {
  await using stage = await createStage(peer, () =>
    sequence({ text: 'Answer one.' }, { text: 'Answer two.' }, { text: 'Answer three.' }, { text: 'Answer four.' }),
  );
  const first = stage.start({ prompt: 'Ask one' });
  expect(await first.end).toMatchObject({ reason: 'finished' });
  const resume = only(first.events, 'turn-end')[0]?.sessionId;
  const resumeAt = only(first.events, 'turn-end')[0]?.resumeAt;
  expect(resumeAt, stage.story()).toBeTruthy();
  expect(await stage.start({ prompt: 'Ask two', resume }).end).toMatchObject({ reason: 'finished' });

  const back = stage.start({ prompt: 'Ask three', resume, resumeAt });
  expect(await back.end, stage.story()).toMatchObject({ reason: 'finished', text: 'Answer three.' });
  const heard = JSON.stringify(stage.model.calls.at(-1));
  for (const said of ['Ask one', 'Answer one.', 'Ask three']) expect(heard).toContain(said);
  for (const later of ['Ask two', 'Answer two.']) expect(heard).not.toContain(later);

  // What was left is as it was.
  expect(back.events.at(-1)?.sessionId).not.toBe(resume);
  expect(await stage.start({ prompt: 'Ask four', resume }).end).toMatchObject({ reason: 'finished' });
  const whole = JSON.stringify(stage.model.calls.at(-1));
  for (const said of ['Ask one', 'Ask two', 'Answer two.', 'Ask four']) expect(whole).toContain(said);
  expect(whole).not.toContain('Ask three');
  expect(stage.unknown()).toEqual([]);
});
