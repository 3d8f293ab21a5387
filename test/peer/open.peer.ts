/** Every real agent's own program, started in a terminal as `glassbox open` starts it, shows what was said in the session. */
import { describe, expect, test } from 'vitest';
import { agentNamed } from '../../src/decode/index.js';
import { handOver } from '../../src/run/index.js';
import { PEERS } from './agents.js';
import { sequence } from './model/turn.js';
import { createStage } from './stage.js';
import { nameOf } from './table.js';
import { openTerminal } from './terminal.js';

const openable = PEERS.filter(({ agent }) => agentNamed(agent)?.openArgs);

describe.each(openable.map((peer) => [nameOf(peer), peer] as const))('%s', (_, peer) => {
  test.concurrent('goes on in its own program', async () => {
    await using stage = await createStage(peer, () => sequence({ text: 'The word is teapot.' }));
    peer.introduce?.(stage.sandbox);
    const { sessionId } = await stage.start({ permission: 'bypass' }).end;
    await using terminal = openTerminal(stage, handOver(peer.agent, sessionId).args);
    await expect.poll(terminal.look, { timeout: 200_000, interval: 200 }).toContain('The word is teapot.');
  });
});
