/** A fleet under random kills: small with every test, large with `npm run test:fleet`. */
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../fake-agent/play.js';
import { HANGS_MS } from '../support/patience.js';
import { runChaos } from './chaos.js';

const isLarge = process.env.GLASSBOX_FLEET_LARGE !== undefined;
const size = isLarge
  ? { hubs: 3, workers: 8, runs: 400, rounds: 50, leaseMs: 4000 }
  : { hubs: 2, workers: 3, runs: 40, rounds: 3, leaseMs: 2000 };

test('whatever dies: events are kept once and in order, jobs end once or are told as lost, answers are heard once, nothing stays', {
  timeout: isLarge ? 3_600_000 : HANGS_MS,
}, async () => {
  const seed = Number(process.env.GLASSBOX_TEST_SEED ?? Math.floor(Math.random() * 2 ** 31));
  const log: string[] = [];
  const say = (text: string): void => void (isLarge ? console.log(text) : log.push(text));
  say(`seed ${seed}`);
  const folder = process.env.GLASSBOX_FLEET_FOLDER ?? path.join(temporaryDirectory(), 'fleet');
  const report = await runChaos({ ...size, folder, seed, say });
  say(JSON.stringify({ ...report, broken: report.broken.length }));
  expect(report.broken, [`GLASSBOX_TEST_SEED=${seed}`, ...log].join('\n')).toEqual([]);
  expect(Object.values(report.states).reduce((sum, count) => sum + count)).toBe(size.runs);
});
