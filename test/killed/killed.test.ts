/**
 * Every command that writes is killed at its steps (`kill-at.mjs`: each file that it changes, each program that it starts). Then nothing of the user's is
 * lost or half done, and the next start leaves no work tree, branch or lock behind.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { draw } from '../../scripts/random.mjs';
import { temporaryDirectory } from '../fake-agent/play.js';
import { makeStage, type Stage } from './stage.js';

const PRELOAD = `--import=${path.resolve('test/killed/kill-at.mjs')}`;

interface Command {
  args(stage: Stage): string[];
  /** Done before, and not killed. */
  before?(stage: Stage): string[];
  /** The user's files may have changed when it was killed: all of them as it wants them, or none. */
  changes?: true;
}

const commands: Record<string, Command> = {
  rewind: { args: ({ session }) => ['rewind', `${session}@0`, '--yes'], changes: true },
  'rewind of one file': { args: ({ session }) => ['rewind', `${session}@0`, 'a.txt', '--yes'], changes: true },
  undo: {
    before: ({ session }) => ['rewind', `${session}@0`, '--yes'],
    args: ({ session }) => ['rewind', session, '--undo', '--yes'],
    changes: true,
  },
  apply: { args: ({ attempt }) => ['apply', attempt, '--yes'], changes: true },
  checkpoint: { args: () => ['run', 'claude', 'More', '--permission', 'deny'], changes: true },
  worktree: { args: () => ['run', 'claude', 'More', '--worktree', '--permission', 'deny'] },
  'worktree of a moment': {
    args: ({ session }) => ['run', 'claude', 'More', '--worktree', '--at', `${session}@0`, '--permission', 'deny'],
  },
  'worktree away': { args: ({ worktree }) => ['worktrees', worktree, '--remove', '--yes'] },
  fork: { args: ({ session }) => ['fork', `${session}@1`, '--agent', 'claude', '--permission', 'deny'] },
  compare: { args: () => ['compare', 'Do it', '--agents', 'claude', '--permission', 'bypass', '--check', 'true'] },
  'review send': {
    args: ({ session, commented }) => ['review', session, '--from', commented, '--yes', '--permission', 'deny'],
    changes: true,
  },
  delete: { args: ({ session }) => ['delete', session, '--yes'] },
  prune: { args: () => ['prune', '--max-size', '0KB', '--yes'] },
};

/** `GLASSBOX_KILLS=all` kills every command at every step, a number at so many; by default half of the commands at one, which the commit draws. */
const KILLS = process.env.GLASSBOX_KILLS === 'all' ? Number.POSITIVE_INFINITY : Number(process.env.GLASSBOX_KILLS ?? 1);
const SEED = Number(process.env.GLASSBOX_TEST_SEED ?? 1);

let made: Promise<Stage> | undefined;

const names = Object.keys(commands);
const tried = process.env.GLASSBOX_KILLS ? names : draw(names, Math.ceil(names.length / 2), String(SEED));

test.each(tried)('%s', async (name) => {
  const command = commands[name];
  if (!command) throw new Error(name);
  made ??= makeStage();
  const stage = await made;
  const reset = async () => {
    stage.restore();
    if (command.before) await stage.ask(...command.before(stage));
  };
  await reset();
  const before = stage.look();
  const counted = path.join(temporaryDirectory(), 'count');
  const args = command.args(stage);
  const whole = await stage.act(args, { NODE_OPTIONS: PRELOAD, KILL_COUNT: counted });
  expect(whole, whole.stderr).toMatchObject({ status: 0 });
  const after = stage.look();
  const count = Number(readFileSync(counted, 'utf8'));
  expect(count).toBeGreaterThan(0);

  for (const at of chosen(count)) {
    await reset();
    const { signal } = await stage.act(args, { NODE_OPTIONS: PRELOAD, KILL_AT: String(at) });
    const next = await stage.act(['ps']);
    const now = stage.look();
    const where = `killed at step ${at} of ${count} (${signal ?? 'it had ended'}); then: ${next.stderr}`;
    expect(next.status, where).toBe(0);
    expect({ own: now.own, locks: now.locks }, where).toEqual({ own: before.own, locks: [] });
    const { files, status } = command.changes ? after : before;
    expect(
      [
        { files: before.files, status: before.status },
        { files, status },
      ],
      where,
    ).toContainEqual({ files: now.files, status: now.status });
    // What git has of work trees and branches is what glassbox knows of.
    expect([now.branches, now.worktrees], where).toEqual([now.kept, now.kept.length]);
    if (name === 'delete' || name === 'prune') await nothingKeptOfTheGone(stage, where);
  }
});

/** No ref of ours outlives what it was for. */
async function nothingKeptOfTheGone(stage: Stage, where: string): Promise<void> {
  const { stdout } = await stage.ask('sessions', '--json');
  const sessions = stdout.split('\n').filter(Boolean);
  const known = new Set(
    sessions.flatMap((line) => (JSON.parse(line) as { runs: { runId: string }[] }).runs.map(({ runId }) => runId)),
  );
  const runs = stage.look().refs.flatMap((ref) => /^refs\/glassbox\/([0-9a-f]{8}-[^/]+)\/\d+$/.exec(ref)?.[1] ?? []);
  expect(
    runs.filter((runId) => !known.has(runId)),
    where,
  ).toEqual([]);
}

function chosen(count: number): number[] {
  const all = [...Array(count).keys()].map((step) => step + 1);
  if (KILLS >= count) return all;
  // One of each part of its way.
  const within = ((SEED * 7919) % 1000) / 1000;
  return [...Array(KILLS).keys()].map((nth) => 1 + Math.floor(((nth + within) * count) / KILLS));
}
