/** Random edits and rewinds: contents and `git status` are what they were, and a rewind that is taken back leaves nothing of itself. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { temporaryDirectory } from '../fake-agent/play.js';
import { makers, type Played, playRewinds } from './rewind-rounds.js';

/** `GLASSBOX_REWINDS=1000 npx vitest run test/checkpoint/rewind-random.test.ts` plays as many, in processes of their own. */
const REWINDS = Number(process.env.GLASSBOX_REWINDS ?? 6);
const ROUNDS = Math.min(REWINDS, 50);
const IS_MANY = REWINDS > 6;
const SEEDS = [...Array(Math.ceil(REWINDS / ROUNDS)).keys()].map(
  (nth) => Number(process.env.GLASSBOX_TEST_SEED ?? 1) + 1000 * nth,
);
const cases = Object.keys(makers).flatMap((maker) => SEEDS.map((seed) => ({ maker, seed })));
let program = '';

beforeAll(async () => {
  if (!IS_MANY) return;
  const { build } = await import('rolldown');
  program = path.join(temporaryDirectory(), 'rounds.mjs');
  const input = path.join(import.meta.dirname, 'rewind-rounds.ts');
  await build({ input, platform: 'node', output: { file: program, format: 'esm' } });
});

test.each(cases)('$maker', async ({ maker, seed }) => {
  const { rewinds } = IS_MANY ? await playApart(maker, seed) : await playRewinds(maker, ROUNDS, seed);
  expect(rewinds).toBe(ROUNDS);
});

async function playApart(maker: string, seed: number): Promise<Played> {
  const { stdout } = await promisify(execFile)(process.execPath, [program, maker, String(ROUNDS), String(seed)]);
  return JSON.parse(stdout) as Played;
}
