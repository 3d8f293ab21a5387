/** One conversation has one agent: real processes that go on with the same session in the same moment. */
import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../src/store/index.js';
import { git, makeRepository } from '../checkpoint/repository.js';
import { init, inSession, result } from '../fake-agent/lines.js';
import { FAKE_AGENT, temporaryDirectory } from '../fake-agent/play.js';
import { playSession } from '../review/played-session.js';
import { serve } from '../server/serve.js';
import { createGate, environment, newStore } from './fake-run.js';
import { start } from './glassbox.js';

/** A program that notes each of its starts. */
function countedAgent(): { program: string; starts(): number; mostAtOnce(): number } {
  const folder = temporaryDirectory();
  const [program, log] = [path.join(folder, 'agent'), path.join(folder, 'log')];
  const lines = [`echo +1 >> '${log}'`, `'${FAKE_AGENT}' "$@"`, 'status=$?', `echo -1 >> '${log}'`, 'exit $status'];
  writeFileSync(program, ['#!/bin/sh', ...lines, ''].join('\n'), { mode: 0o755 });
  const steps = () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n').map(Number) : []);
  return {
    program,
    starts: () => steps().filter((step) => step > 0).length,
    mostAtOnce: () =>
      Math.max(0, ...steps().map((_, index, all) => all.slice(0, index + 1).reduce((a, b) => a + b, 0))),
  };
}

async function endedSession() {
  const location = newStore();
  const store = await openStore(location);
  onTestFinished(() => store.close());
  const root = realpathSync(makeRepository());
  const { session } = await playSession(root, [[]], store);
  const env = { GLASSBOX_STORE: location, GLASSBOX_STATE_DIR: process.env.GLASSBOX_STATE_DIR ?? '' };
  return { store, session, env, root };
}

test('of several who resume a session at once one starts its agent; the others say who does, and leave nothing', async () => {
  const { store, session, env, root } = await endedSession();
  const { program, starts } = countedAgent();
  const gate = createGate();
  const agentSession = session.agentSessionId ?? '';
  const script = inSession(agentSession, [init(), gate.step, result('ok')]);
  const before = git(root, 'for-each-ref', 'refs/glassbox');
  const all = ['one', 'two', 'three'].map((words) =>
    start(['resume', session.id, words, '--program', program, '--permission', 'bypass'], environment(script, env)),
  );
  const refused = await firstEnded(
    all.map(({ ended }) => ended),
    2,
  );
  gate.open();
  const ended = await Promise.all(all.map(({ ended: end }) => end));
  expect(starts()).toBe(1);
  expect(ended.map(({ status }) => status).filter((status) => status === 0)).toHaveLength(1);
  const pids = all.map(({ child }) => child.pid);
  for (const { status, stdout, stderr } of refused) {
    expect(status).not.toBe(0);
    // Who came a little later finds it at work.
    const [, pid] = /\(process (\d+)\) goes on with|still running/.exec(stdout + stderr) ?? [];
    expect(stdout + stderr).toMatch(/goes on with|still running/);
    if (pid !== undefined) expect(pids).toContain(Number(pid));
  }
  const after = await store.session(session.id);
  expect(after?.runs).toHaveLength(session.runs.length + 1);
  const added = git(root, 'for-each-ref', 'refs/glassbox')
    .split('\n')
    .filter((ref) => !before.includes(ref));
  const own = after?.runs.at(-1)?.runId ?? '';
  expect(added.filter((ref) => ref !== '' && !ref.includes(own))).toEqual([]);
});

test('a message on the page and one at a terminal in the same moment are for one agent', async () => {
  const { program, starts, mostAtOnce } = countedAgent();
  const script = path.join(temporaryDirectory(), 'script.json');
  writeFileSync(script, JSON.stringify([init(), result('first')]));
  const location = newStore();
  const store = await openStore(location);
  const { client } = await serve([], { store, runDefaults: { program, env: { FAKE_AGENT_SCRIPT: script } } });
  const { runId, session } = await client.start({ agent: 'claude', prompt: 'go' });
  await expect.poll(async () => (await store.session(runId))?.state).toBe('ended');
  const gate = createGate();
  writeFileSync(script, JSON.stringify([init(), gate.step, result('second')]));
  const env = { ...environment([], { GLASSBOX_STORE: location }), FAKE_AGENT_SCRIPT: script };
  const resumed = start(['resume', session, 'here', '--program', program, '--no-checkpoints'], env);
  // It has seen by then that the session has ended.
  await new Promise<void>((resolve) => {
    resumed.child.stderr.on('data', (text: string) => text.includes('continuing') && resolve());
  });
  const said = client.say(session, { text: 'there' }).catch((error: Error) => error);
  await expect.poll(starts).toBeGreaterThan(1);
  await Promise.race([said, resumed.ended]);
  gate.open();
  await Promise.all([said, resumed.ended]);
  // A run is begun when it is asked for: who had to wait for the other's end began before it.
  await expect
    .poll(async () => {
      const { state, runs = [] } = (await store.session(session)) ?? {};
      return { state, withoutAgent: runs.length - starts() };
    })
    .toEqual({ state: 'ended', withoutAgent: 0 });
  expect(mostAtOnce()).toBe(1);
});

/** So many of them that have ended. */
function firstEnded<Value>(all: readonly Promise<Value>[], count: number): Promise<Value[]> {
  return new Promise((resolve) => {
    const ended: Value[] = [];
    for (const one of all)
      void one.then((value) => {
        ended.push(value);
        if (ended.length === count) resolve([...ended]);
      });
  });
}
