import { describe, expect, it } from 'vitest';
import { answer, ask, init, result, taskEnd, taskStart, text, toolResult, toolUse } from '../fake-agent/lines.js';
import { play, readAll, typesOf } from '../fake-agent/play.js';

const quiet = { permission: 'deny' } as const;

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

  it('takes a message while it works also where nobody is asked, and ends by itself', async () => {
    const script = [init(), text('working'), { hear: 'and also this' }, text('heard', 'msg_2'), result('heard')];
    const handle = play(script, { permission: 'bypass', followUp: true });
    expect(handle.terms).toMatchObject({ permission: 'bypass', followUp: true });
    await readAll(handle, (event) => {
      if (event.type === 'text-end' && event.text === 'working') handle.say('and also this');
    });
    expect(await handle.completion).toMatchObject({ reason: 'finished', text: 'heard' });
  });

  it('says that it takes no messages where it was not started for them, and what to do', async () => {
    const handle = play([init(), text('working'), result('done')], { permission: 'bypass' });
    expect(handle.terms.followUp).toBe(false);
    expect(() => handle.say('more')).toThrow(/takes no messages while it works.*resume it/);
    await readAll(handle);
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

  it('S1-06 a run that resumes tells its readers where the counters stood, and its own share', async () => {
    const cost = { usd: 0.004, scope: 'session', origin: 'reported' } as const;
    const [known, unknown] = await Promise.all(
      [{ balance: { cost } }, {}].map(async (more) => {
        const handle = play(answer('x'), { resume: 'a', ...more });
        const [first] = await readAll(handle);
        return { first, completion: await handle.completion };
      }),
    );
    expect(known?.first).toMatchObject({ type: 'usage-update', turn: 0, balance: { cost } });
    expect(known?.completion).toMatchObject({
      cost: { usd: 0.006, scope: 'process', origin: 'reported' },
      balance: { cost: { usd: 0.01, scope: 'session' } },
    });
    expect(unknown?.first).toMatchObject({ type: 'usage-update', balance: {} });
    expect(unknown?.completion.cost).toBeUndefined();
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
