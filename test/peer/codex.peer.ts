/** What only Codex has: the windows of its account, which its maker's server tells in headers; how its settings reach the model. */
import { expect, test } from 'vitest';
import { codex } from './agent/codex.js';
import { startOpenAiResponses } from './model/openai-responses.js';
import { sequence } from './model/turn.js';
import { only } from './play.js';
import { createStage } from './stage.js';

const RESET = 1_900_000_000;
const LIMITS = {
  'x-codex-primary-used-percent': '43',
  'x-codex-primary-window-minutes': '300',
  'x-codex-primary-reset-at': String(RESET),
  'x-codex-secondary-used-percent': '7',
  'x-codex-secondary-window-minutes': '10080',
  'x-codex-secondary-reset-at': String(RESET + 86_400),
};

test('the windows of the account are told', async () => {
  const peer = { ...codex, model: (script: Parameters<typeof codex.model>[0]) => startOpenAiResponses(script, LIMITS) };
  await using stage = await createStage(peer, () => sequence({ text: 'hello' }));
  const { end, events } = stage.start({ permission: 'ask' });
  expect(await end).toMatchObject({ reason: 'finished' });
  expect(only(events, 'rate-limit').at(-1), stage.story()).toMatchObject({
    windows: [
      { name: 'five_hour', utilization: 0.43, resetsAt: RESET * 1000 },
      { name: 'seven_day', utilization: 0.07, resetsAt: (RESET + 86_400) * 1000 },
    ],
  });
});

test.each(['deny', 'ask'] as const)(
  'how hard it is to think reaches the model, also in a conversation (%s)',
  async (permission) => {
    await using stage = await createStage(codex, () => sequence({ text: 'thought' }));
    expect(await stage.start({ effort: 'high', permission }).end).toMatchObject({
      reason: 'finished',
      text: 'thought',
    });
    expect(stage.model.calls).toContainEqual(
      expect.objectContaining({ reasoning: expect.objectContaining({ effort: 'high' }) }),
    );
  },
);
