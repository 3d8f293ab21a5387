import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import type { AgentEvent } from '../../src/event/index.js';
import { run } from '../../src/run/index.js';
import { isComplete } from '../../src/view/text/index.js';
import {
  answer,
  ask,
  delta,
  failure,
  init,
  result,
  say,
  streamStart,
  taskEnd,
  taskStart,
  text,
  toolResult,
  toolUse,
} from '../fake-agent/lines.js';
import { FAKE_AGENT, play, processesOf, readAll, scripted, temporaryDirectory, typesOf } from '../fake-agent/play.js';

const quiet = { permission: 'deny' } as const;

describe('a run', () => {
  it('S2-01 S2-02 S2-04 S4-14 gives events in order and a completion', async () => {
    const handle = play(answer('hello'));
    const events = await readAll(handle);
    expect(typesOf(events)).toEqual([
      'user-message',
      'session-start',
      'turn-start',
      'message-start',
      'text-end',
      'message-end',
      'turn-end',
      'run-end',
    ]);
    expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1));
    const completion = await handle.completion;
    expect(completion).toMatchObject({ reason: 'finished', text: 'hello', exitCode: 0, turns: 1, cost: { usd: 0.01 } });
    expect(events.at(-1)).toMatchObject({ type: 'run-end', ...completion });
    expect(processesOf(handle.runId)).toEqual([]);
  });

  it('S2-08 S2-23 gives the first event before the agent may exit', async () => {
    const gate = path.join(temporaryDirectory(), 'gate');
    const handle = play([init(), text('first'), { file: gate }, result('done')], quiet);
    const seen: string[] = [];
    for await (const event of handle.events) {
      seen.push(event.type);
      if (event.type === 'text-end') await writeGate(gate);
    }
    expect(seen).toContain('turn-end');
    expect((await handle.completion).text).toBe('done');
  });

  it('S2-10 completion waits until the reader has the end, and is not needed for it', async () => {
    const handle = play(answer('x'));
    const reader = handle.events[Symbol.asyncIterator]();
    let settled = false;
    void handle.completion.then(() => {
      settled = true;
    });
    const seen: AgentEvent[] = [];
    while (seen.at(-1)?.type !== 'run-end') seen.push((await reader.next()).value);
    await new Promise(setImmediate);
    expect(settled).toBe(false);
    expect((await reader.next()).done).toBe(true);
    expect((await handle.completion).reason).toBe('finished');
  });

  it('S2-07 completes when nobody reads, and a late reader still gets everything', async () => {
    const handle = play(answer('x'));
    expect((await handle.completion).text).toBe('x');
    expect(typesOf(await readAll(handle)).at(-1)).toBe('run-end');
  });

  it('R-08 LL-25 letting go keeps draining, so answer and reason stay right', async () => {
    const gate = path.join(temporaryDirectory(), 'gate');
    const handle = play([init(), text('a'), { file: gate }, result('the answer')], quiet);
    for await (const event of handle.events) if (event.type === 'text-end') break;
    await writeGate(gate);
    expect(await handle.completion).toMatchObject({ reason: 'finished', text: 'the answer' });
  });

  it('R-08 letting go cancels when asked to', async () => {
    const handle = play([init(), { hang: true }], { onDrop: 'cancel' });
    for await (const event of handle.events) if (event.type === 'turn-start') break;
    expect((await handle.completion).reason).toBe('cancelled');
  });

  it('S2-06 leaving an await using scope ends the run', async () => {
    let runId = '';
    {
      await using handle = play([init(), { hang: true }]);
      ({ runId } = handle);
      const reader = handle.events[Symbol.asyncIterator]();
      while ((await reader.next()).value.type !== 'turn-start');
    }
    expect(processesOf(runId)).toEqual([]);
  });

  it('decision 2 the slowest of several readers sets the pace, and nobody loses anything', async () => {
    const handle = play([init(), ...Array.from({ length: 300 }, (_, n) => text(`t${n}`, `m${n}`)), result('x')], quiet);
    const counts = [0, 0];
    const read = async (index: 0 | 1, slow: boolean) => {
      for await (const _ of handle.events) {
        counts[index] = (counts[index] ?? 0) + 1;
        if (slow && (counts[index] ?? 0) % 50 === 0) await new Promise(setImmediate);
      }
    };
    await Promise.all([read(0, true), read(1, false)]);
    expect(counts[0]).toBe(counts[1]);
    expect(counts[0]).toBeGreaterThan(900);
  });

  it('R-07 a tap gets lifecycle events without slowing or gating the run', async () => {
    const handle = play(
      [init(), ...streamStart(), ...Array.from({ length: 500 }, () => delta('x')), text('x'), result('x')],
      quiet,
    );
    const tap = handle.tap({ capacity: 8 });
    expect((await handle.completion).reason).toBe('finished');
    const seen: string[] = [];
    for await (const { type } of tap) seen.push(type);
    expect(seen).toEqual(expect.arrayContaining(['session-start', 'gap', 'text-end', 'turn-end', 'run-end']));
    expect(seen.length).toBeLessThan(30);
  });

  it.each([
    ['CRLF', answer('x').map((step) => ({ ...step, eol: '\r\n' }))],
    ['partial writes', answer('x').map((step) => ({ ...step, cut: 20 }))],
    ['blank lines', [say(''), ...answer('x'), say('  ')]],
  ])('S2-20 reads the same events over %s', async (_, script) => {
    const events = await readAll(play(script));
    expect(typesOf(events)).toEqual(typesOf(await readAll(play(answer('x')))));
  });

  it('S2-17 R-01 goes on after a broken and an oversize line, each told once', async () => {
    const script = [init(), say('{"type": nonsense sk-secret'), { oversize: 2 ** 20 + 10 }, text('x'), result('x')];
    const handle = play(script, { maxLineBytes: 2 ** 20 });
    const events = await readAll(handle);
    const errors = events.filter((event) => event.type === 'decode-error');
    expect(errors.map(({ code }) => code)).toEqual(['json_parse', 'line_too_long']);
    expect(JSON.stringify(events)).not.toContain('nonsense');
    expect((await handle.completion).reason).toBe('finished');
  });

  it('bears an input that is nested beyond all measure', async () => {
    const depth = 20_000;
    const line = JSON.stringify({
      type: 'assistant',
      message: { id: 'm', content: [{ type: 'tool_use', id: 't', name: 'X', input: 0 }] },
    });
    const deep = line.replace('"input":0', `"input":{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`);
    const handle = play([init(), say(deep), say(deep), result('x')], quiet);
    expect((await handle.completion).reason).toBe('finished');
    await readAll(handle);
  });

  it('R-12 keeps the end of a flood on stderr, out of all events', async () => {
    const script = [
      init(),
      { stderr: 'noise on stderr\n', times: 20_000 },
      { stderr: 'last words' },
      ...answer('x').slice(1),
    ];
    const handle = play(script);
    const events = await readAll(handle);
    expect(handle.stderrTail()).toMatch(/last words$/);
    expect(handle.stderrTail().length).toBeLessThanOrEqual(8192);
    expect(JSON.stringify(events)).not.toContain('stderr');
  });

  it('R-18 S1-46 keeps the end of the raw output only when asked to, bounded', async () => {
    const script = [...Array.from({ length: 50 }, (_, n) => say({ type: 'filler', n })), ...answer('DONE')];
    const handle = play(script, { captureBytes: 2000 });
    await handle.completion;
    expect(handle.captured().length).toBeLessThanOrEqual(2000);
    expect(isComplete(handle.captured(), 'done')).toBe(true);
    const plain = play(answer('x'));
    await plain.completion;
    expect(plain.captured()).toBe('');
  });

  it('S0-35 LL-38 LL-40 writes nothing by itself, to no log and to no stream', async () => {
    const file = path.resolve(import.meta.dirname, '../fake-agent/owner.mjs');
    const script = JSON.stringify([init(), say('{"broken'), toolUse('t', 'Bash', { command: 'secret' }), result('x')]);
    const env = { ...process.env, FAKE_AGENT_SCRIPT: script };
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [file, FAKE_AGENT, 'wait'], { env });
    expect(stdout).toMatch(/^[\w-]+\n$/);
    expect(stderr).toBe('');
  });

  it('LL-23 a deadline that passes after the agent has left is no timeout', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const handle = play([init(), ...Array.from({ length: 200 }, (_, n) => text('x', `m${n}`)), result('x')], {
        ...quiet,
        timeoutMs: 60_000,
      });
      const reader = handle.events[Symbol.asyncIterator]();
      await reader.next();
      await expect.poll(() => processesOf(handle.runId), { timeout: 20_000 }).toEqual([]);
      vi.advanceTimersByTime(60_000);
      while (!(await reader.next()).done);
      expect((await handle.completion).reason).toBe('finished');
    } finally {
      vi.useRealTimers();
    }
  });

  it('S4-15 LL-06 a failed result is a failed run, whatever the exit code', async () => {
    const script = [init(), text('Invalid API key'), failure('Invalid API key'), { exit: 0 }];
    expect(await play(script).completion).toMatchObject({ reason: 'failed', exitCode: 0 });
  });

  it('LL-26 a good result is a good run, whatever the exit code', async () => {
    expect(await play([...answer('x'), { exit: 3 }]).completion).toMatchObject({ reason: 'finished', exitCode: 3 });
  });

  it('S4-15 an agent that dies tells where it was and what was open', async () => {
    const script = [init(), toolUse('t1', 'Bash', { command: 'make' }), { kill: 'SIGKILL' }];
    const handle = play(script, quiet);
    const events = await readAll(handle);
    expect(await handle.completion).toMatchObject({
      reason: 'crashed',
      signal: 'SIGKILL',
      open: { tools: ['t1'] },
      error: { message: expect.stringContaining('while running Bash: make') },
    });
    expect(events).toContainEqual(expect.objectContaining({ type: 'tool-end', id: 't1', status: 'unknown' }));
    expect(events).toContainEqual(expect.objectContaining({ type: 'turn-end', outcome: 'unknown' }));
  });

  it('an agent that exits before reading or saying anything is a crash with a next step', async () => {
    const completion = await play([{ exit: 1 }]).completion;
    expect(completion).toMatchObject({ reason: 'crashed', exitCode: 1, error: { hint: expect.any(String) } });
    expect(completion.error?.message).toContain('before it said anything');
  });

  it('an agent that closes its input early is read to the end', async () => {
    const handle = play([{ closeInput: true }, ...answer('x')]);
    expect((await handle.completion).text).toBe('x');
  });
});

describe('a conversation', () => {
  it('LL-03 S4-03 gets its prompt on stdin, and its input is closed after the turn', async () => {
    const script = [{ hear: '"type":"user"' }, ...answer('one'), { hearEnd: true }];
    expect((await play(script).completion).text).toBe('one');
  });

  it('goes on while it is kept open, and ends when it is closed', async () => {
    const script = [
      { hear: 'first' },
      ...answer('one'),
      { hear: 'second' },
      init(),
      text('two', 'm2'),
      result('two'),
      { hearEnd: true },
    ];
    const handle = play(script, { prompt: 'first', keepOpen: true });
    let turns = 0;
    const events = await readAll(handle, (event) => {
      if (event.type !== 'turn-end') return;
      turns += 1;
      if (turns === 1) handle.say('second');
      else handle.close();
    });
    expect(await handle.completion).toMatchObject({ reason: 'finished', text: 'two', turns: 2 });
    expect(typesOf(events).filter((type) => type === 'user-message')).toHaveLength(2);
  });

  it('LL-32 may start without a prompt when it is kept open, and takes words before the process is there', async () => {
    const handle = play([{ hear: 'hello' }, ...answer('hi'), { hearEnd: true }], { prompt: undefined, keepOpen: true });
    handle.say('hello');
    handle.close();
    expect((await handle.completion).text).toBe('hi');
  });

  it('may be closed before anything was said, and before the process is there', async () => {
    const handle = play([{ hearEnd: true }, ...answer('x')], { prompt: undefined, keepOpen: true });
    handle.close();
    expect((await handle.completion).exitCode).toBe(0);
  });

  it('is not closed before the answer, however early that was asked for', async () => {
    const script = [
      { hear: 'first' },
      init(),
      ask('q1', 't', 'Bash', {}),
      { hear: 'q1' },
      result('x'),
      { hearEnd: true },
    ];
    const handle = play(script, { prompt: 'first', keepOpen: true });
    handle.close();
    await readAll(handle, (event) => {
      if (event.type === 'approval-request') expect(handle.approve(event.id)).toBe(true);
    });
    expect((await handle.completion).text).toBe('x');
  });

  it('LL-05 R-09 is not closed by a result while background work goes on', async () => {
    const script = [
      init(),
      taskStart('bg'),
      result('started it'),
      taskEnd('bg'),
      init(),
      text('it is done', 'm2'),
      result('it is done', { result_index: 1 }),
      { hearEnd: true },
    ];
    const handle = play(script);
    const events = await readAll(handle);
    expect(typesOf(events).filter((type) => type === 'turn-end')).toHaveLength(2);
    expect(await handle.completion).toMatchObject({ reason: 'finished', text: 'it is done', turns: 2 });
  });

  it('speaking to one that no longer listens throws', async () => {
    const handle = play(answer('x'));
    await handle.completion;
    expect(() => handle.say('more')).toThrow(expect.objectContaining({ code: 'conflict' }));
    expect(() => play(answer('x'), quiet).say('more')).toThrow(
      expect.objectContaining({ code: 'unsupported-capability' }),
    );
  });

  it('LL-35 interrupt stops the turn by request; the conversation lives on', async () => {
    const script = [
      init(),
      toolUse('t1', 'Bash', { command: 'sleep 99' }),
      { hear: '"subtype":"interrupt"' },
      toolResult('t1', 'stopped', true),
      result('', { subtype: 'error_during_execution', is_error: true, terminal_reason: 'aborted_tools' }),
      { hear: 'go on' },
      ...answer('went on'),
      { hearEnd: true },
    ];
    const handle = play(script, { keepOpen: true });
    await readAll(handle, (event) => {
      if (event.type === 'tool-input-end') expect(handle.interrupt()).toBe(true);
      if (event.type === 'turn-end' && event.outcome !== 'success') {
        expect(event.outcome).toBe('interrupted');
        handle.say('go on');
      } else if (event.type === 'turn-end') handle.close();
    });
    expect(await handle.completion).toMatchObject({ reason: 'finished', text: 'went on' });
  });
});

describe('starting', () => {
  it('S0-31 S2-03 S2-11 passes arguments, directory and environment on, without a shell', async () => {
    const told = path.join(temporaryDirectory(), 'told');
    const cwd = temporaryDirectory();
    const prompt = "$(touch /tmp/pwned) \"; `x` 'y' --help\n";
    await run(scripted([{ tell: told }, ...answer('x')], { ...quiet, cwd, prompt, model: 'm', env: { MINE: 'yes' } }))
      .completion;
    const { argv, env, cwd: seenCwd } = JSON.parse(readFileSync(told, 'utf8'));
    expect(argv.at(-1)).toBe(prompt);
    expect(argv).toContain('--model=m');
    expect(env).toMatchObject({ MINE: 'yes' });
    expect(env.GLASSBOX_RUN_ID).toBeDefined();
    expect(seenCwd).toBe(cwd);
  });

  it('S2-12 request wins over defaults, variables one by one', async () => {
    const told = path.join(temporaryDirectory(), 'told');
    const { env: script, ...request } = scripted([{ tell: told }, ...answer('x')], { ...quiet, model: undefined });
    const defaults = {
      model: 'default',
      permission: 'bypass',
      env: { ...script, A: 'default', B: 'default' },
    } as const;
    await run({ ...request, env: { A: 'mine' } }, defaults).completion;
    const { argv, env } = JSON.parse(readFileSync(told, 'utf8'));
    expect(argv).toContain('--model=default');
    expect(argv).toContain('--permission-mode=default');
    expect(env).toMatchObject({ A: 'mine', B: 'default' });
  });

  it('a prompt over 100 KiB is not on the command line', async () => {
    const told = path.join(temporaryDirectory(), 'told');
    const prompt = `begin ${'x'.repeat(150_000)}`;
    const script = [{ hear: 'begin' }, { tell: told }, ...answer('x')];
    expect((await play(script, { ...quiet, prompt }).completion).text).toBe('x');
    expect(readFileSync(told, 'utf8').length).toBeLessThan(50_000);
  });

  it.each([
    [
      'LL-20 a program that is not there',
      { program: '/nowhere/agent' },
      /not found at \/nowhere\/agent/,
      /npm install/,
    ],
    ['LL-20 a directory that is not there', { cwd: '/nowhere/at/all' }, /directory does not exist/, /Create it/],
    ['S2-16 a file that may not be run', { program: import.meta.filename }, /not found/, /npm install/],
  ])('%s is told as it is', async (_, request, message, hint) => {
    const handle = play([], request);
    const events = await readAll(handle);
    const { reason, error } = await handle.completion;
    expect([reason, error?.category]).toEqual(['spawn-failed', 'config']);
    expect(error?.message).toMatch(message);
    expect(error?.hint).toMatch(hint);
    expect(typesOf(events)).toEqual(['run-end']);
  });

  it('R-11 bypass is warned of, once, before anything else', async () => {
    const events = await readAll(play(answer('x'), { permission: 'bypass' }));
    expect(events[0]).toMatchObject({ type: 'warning', code: 'permission-bypass' });
    expect(typesOf(events).filter((type) => type === 'warning')).toHaveLength(1);
  });

  it('leaves no record behind', async () => {
    const handle = play(answer('x'));
    await handle.completion;
    expect(existsSync(path.join(process.env.GLASSBOX_STATE_DIR ?? '', 'runs', `${handle.runId}.json`))).toBe(false);
  });
});

async function writeGate(file: string): Promise<void> {
  const { writeFile } = await import('node:fs/promises');
  await writeFile(file, '');
}
