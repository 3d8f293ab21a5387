import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createHeadlessService, type HeadlessEvent } from '../../src/compat.js';
import { commandLine, runToEnd } from '../../src/run/index.js';
import { answer, ask, failure, init, result, type Step, say, text, toolResult } from '../fake-agent/lines.js';
import { hasty, scripted, temporaryDirectory } from '../fake-agent/play.js';

const serviceFor = (script: readonly Step[]) => createHeadlessService(scripted(script));

async function all(events: AsyncIterable<HeadlessEvent>, onEvent: (event: HeadlessEvent) => void = () => {}) {
  const seen: HeadlessEvent[] = [];
  for await (const event of events) {
    seen.push(event);
    onEvent(event);
  }
  return seen;
}

describe('the headless service', () => {
  it('S4-05 S4-06 S4-07 streams a turn in its own words', async () => {
    const script = [
      init(),
      text('hello'),
      say({
        type: 'assistant',
        message: {
          id: 'msg_t1',
          role: 'assistant',
          content: [{ type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'ls' } }],
          stop_reason: 'tool_use',
        },
      }),
      toolResult('t1', 'a.txt'),
      say({ type: 'new_kind' }),
      result('done'),
    ];
    const events = await all(serviceFor(script).start('go', undefined, temporaryDirectory()));
    const [first, ...rest] = events;
    expect(first).toMatchObject({ type: 'system', subtype: 'init', model: 'fake' });
    const sessionId = '11111111-2222-4333-8444-555555555555';
    expect(rest).toEqual([
      {
        type: 'assistant',
        message: { id: 'msg_1', role: 'assistant', content: [{ type: 'text', text: 'hello' }] },
        sessionId,
      },
      {
        type: 'assistant',
        message: {
          id: 'msg_t1',
          role: 'assistant',
          content: [{ type: 'toolUse', id: 't1', name: 'Bash', input: { command: 'ls' } }],
        },
        sessionId,
      },
      { type: 'toolResult', toolUseId: 't1', content: 'a.txt', isError: false },
      { type: 'unknown' },
      {
        type: 'assistant',
        message: { id: 'msg_t1', role: 'assistant', content: [], stopReason: 'tool_use' },
        sessionId,
      },
      {
        type: 'result',
        result: 'done',
        isError: false,
        usage: expect.objectContaining({ outputTokens: 5 }),
        sessionId,
      },
    ]);
  });

  it('S4-08 S4-13 answers control requests, with a changed input too', async () => {
    const log = path.join(temporaryDirectory(), 'log');
    const script = [
      init(),
      ask('q1', 't1', 'Bash', { command: 'ls' }),
      { hear: 'q1' },
      ask('q2', 't2', 'Bash', {}),
      { hear: 'q2' },
      result('x'),
    ];
    const service = createHeadlessService(scripted(script, { env: { FAKE_AGENT_LOG: log } }));
    const events = await all(service.start('go', undefined, temporaryDirectory()), (event) => {
      if (event.type !== 'controlRequest') return;
      if (event.requestId === 'q1') service.sendControlResponse('q1', true, { command: 'pwd' });
      else service.sendControlResponse('q2', false);
    });
    expect(events).toContainEqual({
      type: 'controlRequest',
      requestId: 'q1',
      request: { type: 'canUseTool', toolName: 'Bash', input: { command: 'ls' }, toolUseId: 't1' },
    });
    expect(readFileSync(log, 'utf8')).toMatch(
      /"behavior":"allow","updatedInput":\{"command":"pwd"\}.*"behavior":"deny"/s,
    );
  });

  it('S4-03 S4-12 S4-18 resumes the session that is named, with the program that it was given', async () => {
    const told = path.join(temporaryDirectory(), 'told');
    await all(serviceFor([{ tell: told }, ...answer('x')]).start('go', 'aaaa-bbbb', temporaryDirectory()));
    expect(JSON.parse(readFileSync(told, 'utf8')).argv).toContain('--resume=aaaa-bbbb');
  });

  it('S4-08 tells a hook by its own callback', async () => {
    const hook = { subtype: 'hook_callback', callback_id: 'cb', input: { hook_event_name: 'PreToolUse' } };
    const script = [
      init(),
      say({ type: 'control_request', request_id: 'h1', request: hook }),
      { hear: 'h1' },
      result('x'),
    ];
    const service = serviceFor(script);
    const events = await all(service.start('go', undefined, temporaryDirectory()), (event) => {
      if (event.type === 'controlRequest') service.sendControlResponse(event.requestId, true);
    });
    expect(events).toContainEqual({
      type: 'controlRequest',
      requestId: 'h1',
      request: { type: 'hookCallback', callbackId: 'cb', input: { hook_event_name: 'PreToolUse' } },
    });
  });

  it('S4-05 throws for an answer that nobody hears: nothing runs, never asked, too late', async () => {
    const conflict = expect.objectContaining({ code: 'conflict' });
    const service = serviceFor([init(), ask('q1', 't1', 'Bash', {}), { hear: 'q1' }, result('x')]);
    expect(() => service.sendControlResponse('q1', true)).toThrow(conflict);
    await all(service.start('go', undefined, temporaryDirectory()), (event) => {
      if (event.type !== 'controlRequest') return;
      expect(() => service.sendControlResponse('never', true)).toThrow(conflict);
      service.sendControlResponse('q1', true);
      expect(() => service.sendControlResponse('q1', false)).toThrow(conflict);
    });
  });

  it('S4-09 the error of a message is a word that a program can switch on', async () => {
    const error = say({
      type: 'assistant',
      error: 'authentication_failed',
      message: { id: 'm', role: 'assistant', content: [{ type: 'text', text: 'Invalid API key · Please run /login' }] },
    });
    const events = await all(
      serviceFor([init(), error, failure('Invalid API key')]).start('go', undefined, temporaryDirectory()),
    );
    expect(events).toContainEqual(expect.objectContaining({ type: 'assistant', error: 'authentication_failed' }));
  });

  it('S4-15 a failure is an event, whether the agent tells it or dies', async () => {
    const failed = await all(
      serviceFor([init(), failure('Invalid API key')]).start('go', undefined, temporaryDirectory()),
    );
    expect(failed.at(-1)).toMatchObject({ type: 'result', isError: true, result: 'Invalid API key' });
    const died = await all(serviceFor([init(), { exit: 1 }]).start('go', undefined, temporaryDirectory()));
    expect(died.filter(({ type }) => type === 'result')).toHaveLength(1);
    expect(died.at(-1)).toMatchObject({
      type: 'result',
      isError: true,
      result: expect.stringContaining('exited with status 1'),
    });
  });

  it('S4-15 a line that cannot be read is told, and its neighbours come', async () => {
    const events = await all(
      serviceFor([init(), say('{"type":"assistant"'), result('fine')]).start('go', undefined, temporaryDirectory()),
    );
    expect(events).toMatchObject([{ type: 'system' }, { type: 'unknown' }, { type: 'result', result: 'fine' }]);
  });

  it('S4-15 an agent that dies in a later turn is told too', async () => {
    const script = [init(), text('a'), result('first'), init(), text('b'), { exit: 9 }];
    const events = await all(serviceFor(script).start('go', undefined, temporaryDirectory()));
    expect(events.filter(({ type }) => type === 'result')).toMatchObject([
      { isError: false, result: 'first' },
      { isError: true, result: expect.stringContaining('exited with status 9') },
    ]);
  });

  it('R-25 runs one at a time, and stops', async () => {
    const service = serviceFor([init(), { hang: true }]);
    const first = all(service.start('go', undefined, temporaryDirectory()));
    expect(() => service.start('go', undefined, temporaryDirectory())).toThrow(
      expect.objectContaining({ code: 'conflict' }),
    );
    await service.stop();
    await first;
    await service.stop();
  });

  it('S4-05 throws for a request that makes no sense', () => {
    expect(() => serviceFor([]).start(' ', undefined, '.')).toThrow('prompt must not be empty');
  });
});

describe('runToEnd', () => {
  it('LL-19 gives only the answer', async () => {
    expect(await runToEnd(scripted(answer('42')))).toMatchObject({ reason: 'finished', text: '42' });
  });

  it('rejects only a request that makes no sense', async () => {
    await expect(runToEnd(scripted([], { prompt: '' }))).rejects.toThrow('prompt must not be empty');
    expect((await runToEnd(scripted([], { program: '/nowhere' }))).reason).toBe('spawn-failed');
  });
});

describe('commandLine', () => {
  it('S1-48 is quoted for a shell, and redacted', () => {
    const secret = 'sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789';
    const line = commandLine({ agent: hasty, prompt: `it's ${secret}`, permission: 'deny', deltas: false });
    expect(line).toMatch(
      /^claude --print --output-format stream-json --verbose --permission-mode=default -- 'it'\\''s /,
    );
    expect(line).not.toContain(secret);
  });
});
