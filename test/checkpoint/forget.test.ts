/** What is kept of a session goes with it, also of one whose work tree went before. */
import path from 'node:path';
import { expect, test } from 'vitest';
import { forgetSessions } from '../../src/checkpoint/index.js';
import { readRecords } from '../../src/checkpoint/record.js';
import { createTurnCheckpoints } from '../../src/checkpoint/turn-checkpoints.js';
import type { AgentEvent } from '../../src/event/index.js';
import { temporaryDirectory } from '../fake-agent/play.js';
import { git, makeRepository } from './repository.js';

test('the refs of a run in a work tree that was removed meanwhile go with its session', async () => {
  const root = makeRepository();
  const folder = path.join(temporaryDirectory(), 'tree');
  git(root, 'worktree', 'add', '-q', folder);
  const dir = temporaryDirectory();
  const { see, done } = createTurnCheckpoints({ runId: 'a-run', cwd: folder, dir });
  see({ type: 'run-end' } as AgentEvent);
  await done;
  expect(git(root, 'for-each-ref', 'refs/glassbox')).toContain('refs/glassbox/a-run/0');
  git(root, 'worktree', 'remove', '--force', folder);
  await forgetSessions([{ id: 'k7qd', runs: [{ runId: 'a-run' }] }], dir);
  expect(git(root, 'for-each-ref', 'refs/glassbox')).toBe('');
  expect(await readRecords(dir)).toEqual([]);
});
