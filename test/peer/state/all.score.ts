/** `npm run state-score`: real sessions that are labelled while they are played, and how truly and how soon their states were shown. */
import { appendFileSync, writeFileSync } from 'node:fs';
import { afterAll, describe, test } from 'vitest';
import { requireAgent } from '../../../src/decode/index.js';
import { PEERS } from '../agents.js';
import type { Peer } from '../peer.js';
import { nameOf } from '../table.js';
import { observe, type Play } from './observed.js';
import { headless, inBackground, inTerminal, killed, questioned } from './plays.js';
import { drawScore } from './score-table.js';
import type { Timeline } from './timeline.js';

const timelines: Timeline[] = [];
const failures: string[] = [];
const rounds = Number(process.env.STATE_ROUNDS ?? 1);

afterAll(() => {
  const score = drawScore(timelines, failures);
  console.log(score);
  if (process.env.STATE_SCORE_FILE) writeFileSync(process.env.STATE_SCORE_FILE, score);
});

const wanted = PEERS.filter(({ agent }) => agent !== 'amp');

describe.each(wanted.map((peer) => [nameOf(peer), peer] as const))('%s', (name, peer) => {
  for (let round = 1; round <= rounds; round += 1) {
    for (const play of playsOf(peer))
      test(`${play.name} ${round}`, async () => {
        try {
          const timeline = await observe(peer, play);
          timelines.push(timeline);
          if (process.env.STATE_TIMELINES) appendFileSync(process.env.STATE_TIMELINES, `${JSON.stringify(timeline)}\n`);
        } catch (error) {
          failures.push(`${name}, ${play.name}: ${(error as Error).message.split('\n')[0]}`);
          throw error;
        }
      });
  }
});

function playsOf(peer: Peer): Play[] {
  const manual = peer.asks?.args ?? [];
  const own = [questioned(...manual), inBackground(peer, ['--bg', ...manual], (id) => ['stop', id.slice(0, 8)])];
  const terminal = inTerminal(peer, ...manual);
  const told = requireAgent(peer.agent).hooks
    ? [{ ...terminal, name: 'terminal with hooks', hooks: true } as const]
    : [];
  return [terminal, ...told, headless(peer), killed(peer), ...(peer.agent === 'claude' ? own : [])];
}
