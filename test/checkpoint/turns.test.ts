/** Checkpoints of runs: before and after each turn, beside the run, gone with its session. */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { forgetSessions } from '../../src/checkpoint/index.js';
import { readRecord } from '../../src/checkpoint/record.js';
import { createTurnCheckpoints } from '../../src/checkpoint/turn-checkpoints.js';
import { stamp } from '../../src/store/conformance/events.js';
import { environment } from '../cli/fake-run.js';
import { glassbox } from '../cli/glassbox.js';
import { init, result } from '../fake-agent/lines.js';
import { FAKE_AGENT, temporaryDirectory } from '../fake-agent/play.js';
import { filesIn, git, makeRepository, ownOf, write } from './repository.js';

const [turnStart, turnEnd] = [
  { type: 'turn-start', turn: 2 },
  { type: 'turn-end', outcome: 'success' },
] as const;
const open = { tools: [], tasks: [], approvals: [], processes: [] };
const runEnd = { type: 'run-end', reason: 'finished', turns: 2, durationMs: 1, open } as const;

function follow(cwd: string, runId = 'run-1') {
  const dir = temporaryDirectory();
  const failures: string[] = [];
  const turns = createTurnCheckpoints({ runId, cwd, dir, onFailure: (message) => failures.push(message) });
  return {
    dir,
    failures,
    see: (...events: Parameters<typeof stamp>[1]) => stamp({ runId }, events).forEach(turns.see),
    made: (count: number) =>
      expect.poll(async () => (await readRecord(dir, runId))?.checkpoints.length, { interval: 5 }).toBe(count),
    done: turns.done,
  };
}

const ofRuns = (...ids: string[]) => ({ id: 's', runs: ids.map((runId) => ({ runId })) });
const refs = (root: string) =>
  git(root, 'for-each-ref', '--format=%(refname)', 'refs/glassbox').split('\n').filter(Boolean);

test('every turn has one before and one after it, and they go with the session', async () => {
  const root = makeRepository({ f: '0' });
  const run = follow(root);
  await run.made(1);
  const own = ownOf(root);
  write(root, { f: '1', g: 'new' });
  run.see(turnEnd);
  await run.made(2);
  write(root, { 'by-somebody': 'else' });
  run.see(turnStart);
  await run.made(3);
  write(root, { f: '2' });
  run.see({ ...turnEnd, turn: 2 }, runEnd);
  const record = await run.done;
  expect(record).toMatchObject({ runId: 'run-1', kind: 'git', checkpoints: [{}, {}, {}, {}] });
  expect(record?.checkpoints.map(({ turn, moment, commit = '' }) => [turn, moment, filesIn(root, commit)])).toEqual([
    [1, 'before', { f: '- 0' }],
    [1, 'after', { f: '- 1', g: '- new' }],
    [2, 'before', { f: '- 1', g: '- new', 'by-somebody': '- else' }],
    [2, 'after', { f: '- 2', g: '- new', 'by-somebody': '- else' }],
  ]);
  expect(await readRecord(run.dir, 'run-1')).toEqual(record);
  expect(refs(root)).toHaveLength(4);
  await forgetSessions([ofRuns('run-1', 'never-there')], run.dir);
  expect(refs(root)).toEqual([]);
  expect(await readRecord(run.dir, 'run-1')).toBeUndefined();
  expect({ ...ownOf(root), status: '' }).toEqual({ ...own, status: '' });
});

test('one that the agent overtook says so, also when it only looked before', async () => {
  const run = follow(makeRepository());
  const [look, act] = (['read', 'execute'] as const).map((kind) => [
    { type: 'tool-start', id: kind, name: kind, kind } as const,
    { type: 'tool-input-end', id: kind, input: {}, summary: '' } as const,
  ]);
  run.see(...(look ?? []));
  await run.made(1);
  run.see(turnEnd, turnStart, ...(act ?? []), { ...turnEnd, turn: 2 }, runEnd);
  const late = (await run.done)?.checkpoints.map(({ turn, moment, late }) => [turn, moment, late]);
  expect(late).toEqual([
    [1, 'before', undefined],
    [1, 'after', true],
    [2, 'before', true],
    [2, 'after', undefined],
  ]);
});

test('a turn without one says why, once, and the run goes on', async () => {
  const run = follow(path.join(temporaryDirectory(), 'gone'));
  run.see(turnEnd, runEnd);
  const record = await run.done;
  expect(run.failures).toEqual([expect.stringMatching(/^The folder .* is not there any more\.$/)]);
  expect(record?.checkpoints).toMatchObject([{ failed: run.failures[0] }, { failed: run.failures[0] }]);
});

test('our repository of a folder without git goes with the last of its runs', async () => {
  const root = temporaryDirectory();
  write(root, { f: '1' });
  const one = follow(root);
  one.see(runEnd);
  await one.done;
  const other = createTurnCheckpoints({ runId: 'Other Run', cwd: root, dir: one.dir });
  stamp({ runId: 'Other Run' }, [runEnd]).forEach(other.see);
  await other.done;
  const [side = ''] = readdirSync(path.join(one.dir, 'trees'));
  await forgetSessions([ofRuns('run-1')], one.dir);
  expect(refs(path.join(one.dir, 'trees', side))).toHaveLength(1);
  await forgetSessions([ofRuns('Other Run')], one.dir);
  expect(readdirSync(path.join(one.dir, 'trees'))).toEqual([]);
});

test('glassbox run keeps the files unless that is switched off; delete and prune forget them', async () => {
  const root = makeRepository({ f: '0' });
  const start = (script: string, ...flags: string[]) => [
    ...['run', 'claude', script, '--program', FAKE_AGENT, '--cwd', root, '--permission', 'deny'],
    ...flags,
  ];
  const env = environment([init(), { files: { f: '1' } }, result('ok')]);
  const off = { ...env, GLASSBOX_CHECKPOINTS: 'false' };
  expect(await glassbox(start('a', '--no-checkpoints'), '', env)).toMatchObject({ status: 0 });
  expect(await glassbox(start('b'), '', off)).toMatchObject({ status: 0 });
  expect(existsSync(path.join(env.GLASSBOX_STATE_DIR ?? '', 'checkpoints'))).toBe(false);
  const removals = [
    ['delete', 'latest', '--yes'],
    ['prune', '--max-size=1KB', '--yes'],
  ];
  for (const removal of removals) {
    expect(await glassbox(start('c'), '', env)).toMatchObject({ status: 0 });
    expect(refs(root)).toHaveLength(2);
    expect(await glassbox(removal, '', env)).toMatchObject({ status: 0 });
    expect(refs(root)).toEqual([]);
  }
});
