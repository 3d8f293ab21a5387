/** A process as events and a completion: order, readers, endings. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import type { AgentEvent } from '../../src/event/index.js';
import { isComplete } from '../../src/view/text/index.js';
import { answer, delta, failure, init, result, say, streamStart, text, toolUse } from '../fake-agent/lines.js';
import { FAKE_AGENT, isRunning, play, processesOf, readAll, temporaryDirectory, typesOf } from '../fake-agent/play.js';

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

  it('S4-01 each piece of text is with the reader before the agent says the next one', async () => {
    const folder = temporaryDirectory();
    const heard = Array.from({ length: 10 }, (_, index) => path.join(folder, `${index}`));
    const script = [...heard.flatMap((file, index) => [delta(`piece ${index} `), { file }]), result('done')];
    const handle = play([init(), ...streamStart(), ...script], quiet);
    const pieces: string[] = [];
    for await (const event of handle.events) {
      if (event.type !== 'text-delta') continue;
      pieces.push(event.text);
      // The agent waits for this: who gathers pieces before he hands them on never gets another.
      await writeGate(heard[pieces.length - 1] ?? '');
    }
    expect(pieces).toEqual(heard.map((_, index) => `piece ${index} `));
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
    const script = [...Array.from({ length: 500 }, (_, n) => say({ type: 'filler', n })), ...answer('DONE')];
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

  it('whoever comes in the turn of the event loop in which it was started has its first event', async () => {
    const handle = play(answer('x'), { permission: 'bypass' });
    const first = readAll(handle);
    const tap = handle.tap();
    const late = Promise.resolve().then(() => readAll(handle));
    const warning = { type: 'warning', code: 'permission-bypass', seq: 1 };
    expect((await first)[0]).toMatchObject(warning);
    expect((await late)[0]).toMatchObject(warning);
    expect((await tap[Symbol.asyncIterator]().next()).value).toMatchObject(warning);
  });

  it.each([
    ['Node has heard of', (pid: number) => !existsSync(`/proc/${pid}`), 'async'],
    ['Node, being busy, has not heard of yet', (pid: number) => !isRunning(pid), 'sync'],
  ] as const)('LL-23 a deadline that passes after an exit that %s is no timeout', async (_, hasLeft, how) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const pidFile = path.join(temporaryDirectory(), 'pid');
      const handle = play([{ touch: pidFile }, ...answer('x')], { ...quiet, timeoutMs: 60_000 });
      const reader = handle.events[Symbol.asyncIterator]();
      await reader.next();
      const written = () => (existsSync(pidFile) ? Number(readFileSync(pidFile, 'utf8')) : 0);
      while (!written()) await turn();
      const pid = written();
      while (!hasLeft(pid)) if (how === 'async') await turn();
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

async function writeGate(file: string): Promise<void> {
  const { writeFile } = await import('node:fs/promises');
  await writeFile(file, '');
}
