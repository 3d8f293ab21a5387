/** A rule about a path holds with every real agent that asks, however the model and the agent spell the path. */
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { agentNamed } from '../../src/decode/index.js';
import type { Rule } from '../../src/run/index.js';
import { PEERS } from './agents.js';
import { sequence } from './model/turn.js';
import { only } from './play.js';
import { createStage } from './stage.js';
import { nameOf } from './table.js';

const asking = PEERS.filter(({ agent }) => agentNamed(agent)?.capabilities.approvals);
const rules: Rule[] = [
  { decision: 'deny', path: 'secret' },
  { decision: 'allow', tool: '*' },
];

describe.each(asking.map((peer) => [nameOf(peer), peer] as const))('%s', (_, peer) => {
  test.concurrent('is denied what a rule forbids, behind a link, and allowed the rest', async () => {
    await using stage = await createStage(peer, ({ file }) =>
      sequence(peer.write(file('open.txt'), 'x\n'), peer.write(`${file('x')}/../way/key.txt`, 'x\n'), {
        text: 'refused',
      }),
    );
    const { file } = stage.sandbox;
    mkdirSync(file('secret'));
    mkdirSync(file('x'));
    symlinkSync(file('secret'), file('way'));
    const { end, events } = stage.start({ permission: 'ask', rules });
    await end;
    const decisions = only(events, 'approval-resolve').map(({ decision, by, rule }) => ({ decision, by, rule }));
    expect(decisions, stage.story()).toContainEqual({ decision: 'deny', by: 'rule', rule: 'deny path=secret' });
    expect(decisions).toContainEqual({ decision: 'allow', by: 'rule', rule: 'allow tool=*' });
    expect([existsSync(file('open.txt')), existsSync(file('secret/key.txt'))]).toEqual([true, false]);
  });
});
