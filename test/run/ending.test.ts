import { spawn } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { AgentEvent } from '../../src/event/index.js';
import type { RunHandle, RunRequest } from '../../src/run/index.js';
import { start as startGlassbox } from '../cli/glassbox.js';
import { answer, ask, init, interruptedResult, result, type Step, text, toolUse } from '../fake-agent/lines.js';
import { FAKE_AGENT, isRunning, patient, play, processesOf, readAll, temporaryDirectory } from '../fake-agent/play.js';

const quiet = { permission: 'deny' } as const;
const linux = process.platform === 'linux';
if (!linux) console.log('ending: survivors are looked for in /proc, which is only on Linux; those tests are left out');

let runs: RunHandle[] = [];
afterEach(() => {
  for (const handle of runs) {
    for (const pid of linux ? processesOf(handle.runId) : []) process.kill(pid, 'SIGKILL');
  }
  runs = [];
});

function start(script: readonly Step[], request: Partial<RunRequest> = {}): RunHandle {
  const handle = play(script, request);
  runs.push(handle);
  return handle;
}

/** Cancels when this event comes, and reads on to the end. */
async function cancelAt(handle: RunHandle, type: string): Promise<void> {
  await readAll(handle, (event) => {
    if (event.type === type) handle.cancel();
  });
}

describe.runIf(linux)('U-2.3 cancel, at every stage', () => {
  const stages: [stage: string, script: Step[], at: string, request?: Partial<RunRequest>][] = [
    ['thinking', [init(), { hang: true }], 'turn-start'],
    ['thinking, one shot', [init(), { hang: true }], 'turn-start', quiet],
    [
      'a tool running',
      [init(), toolUse('t1', 'Bash', { command: 'x' }), { fork: 'group' }, { hang: true }],
      'tool-input-end',
    ],
    ['an approval pending', [init(), ask('q1', 't1', 'Bash', { command: 'x' }), { hang: true }], 'approval-request'],
    ['after the result', [...answer('x'), { hang: true }], 'turn-end'],
  ];

  it.each(stages)('%s', async (_, script, at, request) => {
    const handle = start(script, request);
    await cancelAt(handle, at);
    expect((await handle.completion).reason).toBe('cancelled');
    expect(processesOf(handle.runId)).toEqual([]);
  });

  it('before the spawn: nothing is started', async () => {
    const handle = start(answer('x'));
    handle.cancel();
    const completion = await handle.completion;
    expect(completion).toMatchObject({ reason: 'cancelled', turns: 0 });
    expect(completion.exitCode).toBeUndefined();
  });

  it('LL-24 beats a failing start', async () => {
    const handle = start([], { program: '/nowhere' });
    handle.cancel();
    expect((await handle.completion).reason).toBe('cancelled');
  });

  it('by a signal that is aborted already, or later', async () => {
    expect((await start(answer('x'), { signal: AbortSignal.abort() }).completion).reason).toBe('cancelled');
    const controller = new AbortController();
    const handle = start([init(), { hang: true }], { signal: controller.signal });
    for await (const event of handle.events) if (event.type === 'turn-start') controller.abort();
    expect((await handle.completion).reason).toBe('cancelled');
  });

  it('is idempotent, and nothing once it is over', async () => {
    const handle = start(answer('x'));
    await handle.completion;
    handle.cancel();
    handle.cancel();
    expect((await handle.completion).reason).toBe('finished');
  });

  it('LL-35 R-08 asks first, and a turn that ends in order keeps its cost', async () => {
    const script = [init(), { hear: '"subtype":"interrupt"' }, interruptedResult(), { hearEnd: true }];
    const handle = start(script, { agent: patient });
    await cancelAt(handle, 'turn-start');
    expect(await handle.completion).toMatchObject({
      reason: 'cancelled',
      exitCode: 0,
      cost: { usd: 0.01 },
      steps: ['interrupted', 'closed its input'],
    });
  });

  it.each([
    ['a person', 'interrupted by the user', 'Interrupted by the user.'],
    ['the end of glassbox', 'glassbox was stopped', 'Glassbox was stopped.'],
    ['nobody who says so', undefined, 'Cancelled.'],
  ])('a turn that %s stopped says so, whatever its agent believes', async (_, why, message) => {
    const script = [init(), { hear: '"subtype":"interrupt"' }, interruptedResult(), { hearEnd: true }];
    const handle = start(script, { agent: patient });
    const ends: unknown[] = [];
    for await (const event of handle.events) {
      if (event.type === 'turn-start') handle.cancel(why);
      if (event.type === 'turn-end') ends.push(event.error);
    }
    const error = { category: 'interrupted', message };
    expect(ends).toEqual([error]);
    expect(await handle.completion).toMatchObject({ reason: 'cancelled', error });
  });
});

describe.runIf(linux)('LL-22 decision 7 nothing survives', () => {
  const stubborn: [title: string, ...steps: Step[]][] = [
    ['an agent that ignores SIGTERM', { ignore: ['SIGTERM', 'SIGINT'] }],
    ['a child in the group', { fork: 'group' }],
    ['a child that ignores SIGTERM', { fork: 'stubborn' }],
    ['a shell in a session of its own', { fork: 'session' }],
    ['a double fork out of the group', { fork: 'double' }],
    ['a grandchild that keeps stdout open', { fork: 'session', keepStdout: true }],
    [
      'several at once',
      { fork: 'group' },
      { fork: 'session' },
      { fork: 'double' },
      { fork: 'stubborn', keepStdout: true },
    ],
  ];

  it.each(stubborn)('%s, when cancelled', async (_, ...steps) => {
    const handle = start([...steps, init(), { hang: true }]);
    await cancelAt(handle, 'turn-start');
    const completion = await handle.completion;
    expect(completion).toMatchObject({ reason: 'cancelled', open: { processes: [] } });
    expect(processesOf(handle.runId)).toEqual([]);
  });

  it.each(stubborn.slice(1))('%s, when the agent ends by itself', async (_, ...steps) => {
    const handle = start([...steps, ...answer('x')], quiet);
    expect(await handle.completion).toMatchObject({ reason: 'finished', text: 'x' });
    expect(processesOf(handle.runId)).toEqual([]);
  });

  it('one with a clean environment in a session of its own, seen before the end', async () => {
    const pidFile = path.join(temporaryDirectory(), 'pid');
    const handle = start([{ fork: 'clean', pidFile }, init(), { hang: true }]);
    let pid = 0;
    await readAll(handle, (event) => {
      if (event.type !== 'turn-start') return;
      pid = Number(readFileSync(pidFile, 'utf8'));
      expect(isRunning(pid)).toBe(true);
      handle.cancel();
    });
    await handle.completion;
    expect(isRunning(pid)).toBe(false);
  });

  describe('one that cleaned its environment, left the group and lost its parent at once', () => {
    const pidFile = path.join(temporaryDirectory(), 'pid');
    const hidden = { fork: 'hidden', pidFile };
    const isAlive = () => isRunning(Number(readFileSync(pidFile, 'utf8')));
    afterEach(() => rmSync(pidFile));

    it('when the agent ends by itself, which the completion and a warning tell', async () => {
      const handle = start([hidden, ...answer('x')], quiet);
      const events = await readAll(handle);
      expect(isAlive()).toBe(false);
      expect(await handle.completion).toMatchObject({
        reason: 'finished',
        leftBehind: [{ pid: Number(readFileSync(pidFile, 'utf8')), name: 'sleep' }],
        open: { processes: [] },
      });
      expect(events).toContainEqual(
        expect.objectContaining({
          type: 'warning',
          code: 'left-behind',
          message: expect.stringMatching(/sleep \(\d+\)/),
        }),
      );
    });

    it('when it is cancelled', async () => {
      const handle = start([hidden, init(), { hang: true }]);
      await cancelAt(handle, 'turn-start');
      expect((await handle.completion).leftBehind).toContainEqual(expect.objectContaining({ name: 'sleep' }));
      expect(isAlive()).toBe(false);
    });

    it('when glassbox is killed, by the next one', async () => {
      const stateDir = temporaryDirectory();
      const first = await spawnOwner(stateDir, [hidden, init(), { hang: true }]);
      process.kill(first.pid, 'SIGKILL');
      await first.exited;
      expect(isAlive()).toBe(true);
      await (await spawnOwner(stateDir, answer('x'))).exited;
      while (isAlive()) await turn();
    });
  });

  it('trap 7 a launcher that is gone while its child holds stdout does not hold the end', async () => {
    const handle = start([{ fork: 'session', keepStdout: true }, ...answer('x'), { exit: 0 }], quiet);
    expect((await handle.completion).reason).toBe('finished');
    expect(processesOf(handle.runId)).toEqual([]);
  });

  it('a launcher that does not forward signals: the agent behind it still hears them', async () => {
    const program = path.resolve(import.meta.dirname, '../fake-agent/launcher.mjs');
    const handle = start([{ ignore: ['SIGTERM'] }, init(), { signal: 'SIGINT' }, interruptedResult()], {
      ...quiet,
      agent: patient,
      program,
    });
    await cancelAt(handle, 'turn-start');
    const completion = await handle.completion;
    expect(completion).toMatchObject({ reason: 'cancelled', cost: { usd: 0.01 }, steps: ['sent SIGINT'] });
    expect(completion.detail).toBeUndefined();
    expect(processesOf(handle.runId)).toEqual([]);
  });

  it('unless it was asked to leave them', async () => {
    const pidFile = path.join(temporaryDirectory(), 'pid');
    const handle = start([{ fork: 'session', pidFile }, ...answer('x')], { ...quiet, survivors: 'keep' });
    await handle.completion;
    const pid = Number(readFileSync(pidFile, 'utf8'));
    expect(isRunning(pid)).toBe(true);
  });
});

describe('limits', () => {
  const HOUR = 3_600_000;

  /** Reads with a clock that goes on by itself, and jumps an hour when this event has come: then is when the limit passes. */
  async function anHourLater(
    handle: RunHandle,
    type: AgentEvent['type'],
    onEvent?: (event: AgentEvent) => void,
  ): Promise<AgentEvent[]> {
    return readAll(handle, (event) => {
      if (event.type === type) vi.advanceTimersByTime(HOUR);
      onEvent?.(event);
    });
  }

  const useClock = () =>
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'], shouldAdvanceTime: true });
  afterEach(() => void vi.useRealTimers());

  it('S2-05 U-2.3 a timeout ends it, and says what it was doing', async () => {
    useClock();
    const script = [init(), toolUse('t1', 'Bash', { command: 'make' }), { hang: true }];
    const handle = start(script, { timeoutMs: HOUR, ...quiet });
    await anHourLater(handle, 'tool-input-end');
    const { reason, detail, durationMs } = await handle.completion;
    expect(reason).toBe('timed-out');
    expect(detail).toContain('took longer than 3600 s, while running Bash: make');
    expect(durationMs).toBeGreaterThanOrEqual(HOUR);
  });

  it('U-2.3 zero is no timeout', async () => {
    expect((await start(answer('x'), { timeoutMs: 0 }).completion).reason).toBe('finished');
  });

  it('decision 6 the first reason wins: a cancel after the timeout changes nothing', async () => {
    useClock();
    const leave = path.join(temporaryDirectory(), 'leave');
    const script = [init(), { signal: 'SIGINT' }, text('I heard'), { file: leave }];
    const handle = start(script, { timeoutMs: HOUR, agent: patient, ...quiet });
    const events = await anHourLater(handle, 'turn-start', (event) => {
      if (event.type !== 'text-end') return;
      // A cancel in the very moment of the timeout would win.
      vi.advanceTimersByTime(1);
      handle.cancel();
      writeFileSync(leave, '');
    });
    expect(events).toContainEqual(expect.objectContaining({ type: 'text-end', text: 'I heard' }));
    expect((await handle.completion).reason).toBe('timed-out');
  });

  it('a budget in USD is held over turns', async () => {
    const script = [
      init(),
      result('one', { total_cost_usd: 0.6 }),
      { hear: 'more' },
      init(),
      result('two', { total_cost_usd: 1.2 }),
      { hang: true },
    ];
    const handle = start(script, { keepOpen: true, budgetUsd: 1 });
    await readAll(handle, (event) => {
      if (event.type === 'turn-end' && event.turn === 1) handle.say('more');
    });
    const { reason, detail } = await handle.completion;
    expect(reason).toBe('over-budget');
    expect(detail).toContain('spent $1.2000 of a budget of $1');
  });

  it('a budget in tokens is held inside a turn', async () => {
    const script = [init(), ...Array.from({ length: 5 }, (_, n) => text('x', `m${n}`)), { hang: true }];
    const { reason } = await start(script, { budgetTokens: 20 }).completion;
    expect(reason).toBe('over-budget');
  });

  it('decision 10 silence ends it when asked to, with what it was doing', async () => {
    useClock();
    const script = [init(), toolUse('t1', 'Bash', { command: 'make' }), { hang: true }];
    const handle = start(script, { ...quiet, watchdog: { silence: { afterMs: HOUR, policy: 'end' } } });
    const events = await anHourLater(handle, 'tool-input-end');
    expect(events).toContainEqual(expect.objectContaining({ type: 'warning', code: 'watchdog-silence' }));
    const { reason, detail } = await handle.completion;
    expect(reason).toBe('stalled');
    expect(detail).toMatch(/no sign of life for 60 min, while running Bash: make/);
  });

  it('decision 10 asks whether to go on when told to ask, and nobody means no', async () => {
    const watchdog = { silence: { afterMs: 500, policy: 'ask' } } as const;
    const handle = start([init(), { hang: true }], { watchdog });
    await readAll(handle, (event) => {
      if (event.type === 'approval-request') handle.deny(event.id);
    });
    expect((await handle.completion).reason).toBe('stalled');
    expect((await start([init(), { hang: true }], { watchdog }).completion).reason).toBe('stalled');
  });

  it('decision 10 a process that outlives its result is let go, and the result stands', async () => {
    const handle = start([...answer('x'), { hang: true }], {
      ...quiet,
      watchdog: { linger: { afterMs: 300, policy: 'end' } },
    });
    const { reason, text: words, detail } = await handle.completion;
    expect([reason, words]).toEqual(['finished', 'x']);
    expect(detail).toContain('the process is still alive');
  });
});

describe.runIf(linux)('the parent is killed', () => {
  it.each([
    ['sessions', ['sessions']],
    ['ps', ['ps']],
    ['doctor', ['doctor']],
    ['serve', ['serve', '--port=0', '--no-open']],
  ])('and glassbox %s ends what it left behind', async (_, args) => {
    const stateDir = temporaryDirectory();
    const killed = await spawnOwner(stateDir, [{ fork: 'double' }, init(), { hang: true }]);
    process.kill(killed.pid, 'SIGKILL');
    await killed.exited;
    const { child, printed, ended } = startGlassbox(args, { GLASSBOX_STATE_DIR: stateDir });
    if (args[0] === 'serve') await printed('http').then(() => child.kill('SIGINT'));
    expect((await ended).stderr).toMatch(/ended \d+ processes of a run whose glassbox was killed\./);
    expect(processesOf(killed.runId)).toEqual([]);
  });

  it('LL-22 and the next glassbox ends what it left behind', async () => {
    const stateDir = temporaryDirectory();
    const first = await spawnOwner(stateDir, [{ fork: 'double' }, init(), { hang: true }]);
    expect(processesOf(first.runId).length).toBeGreaterThanOrEqual(2);
    process.kill(first.pid, 'SIGKILL');
    await first.exited;
    expect(processesOf(first.runId).length).toBeGreaterThanOrEqual(1);
    const second = await spawnOwner(stateDir, answer('x'));
    await second.exited;
    await untilGone(first.runId);
  });

  it('what it runs is killed when it exits by itself', async () => {
    const owner = await spawnOwner(temporaryDirectory(), [init(), { hang: true }], 'exit');
    await owner.exited;
    await untilGone(owner.runId);
  });
});

/** A Node process that runs the script; settles when the agent's turn has begun. */
async function spawnOwner(stateDir: string, script: readonly Step[], then = 'wait') {
  const file = path.resolve(import.meta.dirname, '../fake-agent/owner.mjs');
  const env = { ...process.env, GLASSBOX_STATE_DIR: stateDir, FAKE_AGENT_SCRIPT: JSON.stringify(script) };
  const child = spawn(process.execPath, [file, FAKE_AGENT, then], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = new Promise((resolve) => child.on('exit', resolve));
  const runId = await new Promise<string>((resolve) =>
    child.stdout.once('data', (bytes) => resolve(String(bytes).trim())),
  );
  return { pid: child.pid ?? 0, runId, exited };
}

async function untilGone(runId: string): Promise<void> {
  await expect.poll(() => processesOf(runId)).toEqual([]);
}
