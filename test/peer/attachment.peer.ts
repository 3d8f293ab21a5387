/** A picture that is attached to a prompt comes to the model of every real agent that says it takes one, and events tell of it without its content. */
import { writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { agentNamed } from '../../src/decode/index.js';
import { PICTURE } from '../fake-agent/picture.js';
import { PEERS } from './agents.js';
import { sequence } from './model/turn.js';
import { only } from './play.js';
import { createStage } from './stage.js';
import { nameOf } from './table.js';

const takers = PEERS.filter(({ agent }) => agentNamed(agent)?.attachments);

describe.each(takers.map((peer) => [nameOf(peer), peer] as const))('%s', (_, peer) => {
  test('is given a picture', async () => {
    await using stage = await createStage(peer, () => sequence({ text: 'I see it.' }));
    const file = stage.sandbox.file('shot.png');
    writeFileSync(file, PICTURE);
    const { end, events } = stage.start({ permission: 'deny', prompt: 'What is this?', attachments: [file] });
    expect(await end, stage.story()).toMatchObject({ reason: 'finished', text: 'I see it.' });
    expect(JSON.stringify(stage.model.calls), 'the model has the picture').toContain('iVBORw0KGgo');
    const [said] = only(events, 'user-message').filter(({ synthetic }) => !synthetic);
    expect(said?.attachments).toEqual([
      { kind: 'image', name: 'shot.png', mimeType: 'image/png', bytes: PICTURE.length },
    ]);
    expect(JSON.stringify(events)).not.toContain('iVBORw0KGgo');
  });
});
