import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type BackendConfig,
  createBackend,
  createGateway,
  type Envelope,
  type EnvelopeRequest,
  type EnvelopeRun,
} from '../../src/envelope/index.js';
import {
  answer,
  ask,
  delta,
  init,
  result,
  type Step,
  say,
  streamStart,
  text,
  toolResult,
  toolUse,
} from '../fake-agent/lines.js';
import { FAKE_AGENT, hasty, temporaryDirectory } from '../fake-agent/play.js';

const SESSION = '11111111-2222-4333-8444-555555555555';
const HANDLE = { schema: 'agent_api.session.handle.v1', session: { id: SESSION } };

const backend = (script: readonly Step[], config: BackendConfig = {}) =>
  createBackend(hasty, {
    program: FAKE_AGENT,
    workingDir: temporaryDirectory(),
    ...config,
    env: { FAKE_AGENT_SCRIPT: JSON.stringify(script), ...config.env },
  });
const play = (script: readonly Step[], request: Partial<EnvelopeRequest> = {}, config?: BackendConfig) =>
  backend(script, config).run({ prompt: 'go', ...request });

async function readAll(run: EnvelopeRun): Promise<Envelope[]> {
  const envelopes: Envelope[] = [];
  for await (const envelope of run.events) envelopes.push(envelope);
  return envelopes;
}

describe('U-2.3 the gateway', () => {
  const request = { prompt: 'go' };

  it('resolves a backend by kind', async () => {
    const gateway = createGateway([backend(answer('hello'))]);
    expect(gateway.kinds()).toEqual(['claude_code']);
    const run = gateway.run('claude_code', request);
    expect((await readAll(run)).every((envelope) => envelope.agent_kind === 'claude_code')).toBe(true);
    expect(await run.completion).toMatchObject({ ok: true, final_text: 'hello' });
  });

  it('refuses a kind that nobody registered', () => {
    expect(() => createGateway().run('claude_code', request)).toThrow(
      expect.objectContaining({ code: 'unknown-agent', message: 'unknown backend: claude_code' }),
    );
  });

  it('refuses to register a kind twice', () => {
    expect(() => createGateway([backend([]), backend([])])).toThrow(
      expect.objectContaining({ code: 'invalid-request', message: 'backend already registered: claude_code' }),
    );
  });

  it.each(['', 'Claude', 'a-b', '1a', 'a b'])('U-2.1 refuses the kind %j', (kind) => {
    expect(() => createGateway().resolve(kind)).toThrow(expect.objectContaining({ code: 'invalid-request' }));
    expect(() => createGateway([{ ...backend([]), kind }])).toThrow(/^invalid agent kind/);
  });

  it('an agent that does not exist', () => {
    expect(() => createBackend('nobody')).toThrow(expect.objectContaining({ code: 'unknown-agent' }));
  });

  it('checks the prompt first, then keys, then values', () => {
    const extensions = { 'agent_api.config.model.v1': 5, 'x.y': 1 };
    expect(() => play([], { prompt: ' \n', extensions })).toThrow('prompt must not be empty');
    expect(() => play([], { extensions })).toThrow(/^unsupported capability/);
    expect(() => play([], { extensions: { 'agent_api.config.model.v1': 5 } })).toThrow(
      'invalid agent_api.config.model.v1',
    );
  });
});

describe('S2 a run', () => {
  it('S2-01 S2-08 gives envelopes before the agent may exit', async () => {
    const gate = path.join(temporaryDirectory(), 'gate');
    const run = play([init(), text('first'), { file: gate }, result('done')]);
    const seen: (string | undefined)[] = [];
    for await (const envelope of run.events) {
      seen.push(envelope.text ?? envelope.message);
      if (envelope.text === 'first') writeFileSync(gate, '');
    }
    expect(seen).toEqual([undefined, 'system init', 'first', 'result success']);
    expect(await run.completion).toEqual({
      ok: true,
      status: { code: 0, signal: null },
      final_text: 'done',
      data: HANDLE,
    });
  });

  it('S2-10 R-09 U-2.7 the completion waits for the process and for the reader (DR-0012)', async () => {
    const run = play(answer('x'));
    const reader = run.events[Symbol.asyncIterator]();
    let isSettled = false;
    void run.completion.then(() => {
      isSettled = true;
    });
    while ((await reader.next()).value?.message !== 'result success');
    await new Promise(setImmediate);
    expect(isSettled).toBe(false);
    expect((await reader.next()).done).toBe(true);
    expect(await run.completion).toMatchObject({ ok: true });
  });

  it('S2-10 a reader that has asked for nothing yet holds it too, until it lets go', async () => {
    const run = play(answer('x'));
    const reader = run.events[Symbol.asyncIterator]();
    let isSettled = false;
    void run.completion.then(() => {
      isSettled = true;
    });
    await readAll(run);
    await new Promise(setImmediate);
    expect(isSettled).toBe(false);
    await reader.return?.();
    expect(await run.completion).toMatchObject({ ok: true, final_text: 'x' });
  });

  it('U-2.3 U-2.7 an exit with another status is no error (DR-0007)', async () => {
    const run = play([...answer('x'), { exit: 3 }]);
    await readAll(run);
    expect(await run.completion).toMatchObject({ ok: true, status: { code: 3, signal: null } });
  });

  it('S2-16 a program that is not there is an error, in the stream and in the completion', async () => {
    const run = play([], {}, { program: '/nowhere/agent' });
    const envelopes = await readAll(run);
    const completion = await run.completion;
    expect(completion).toMatchObject({ ok: false, error: { kind: 'Backend' } });
    expect(envelopes.at(-1)).toMatchObject({ kind: 'Error', message: !completion.ok && completion.error.message });
  });

  it('S2-05 U-2.3 a timeout of the request wins over that of the backend', async () => {
    const run = play([init(), { hang: true }], { timeoutMs: 200 }, { timeoutMs: 600_000 });
    await readAll(run);
    expect(await run.completion).toEqual({
      ok: false,
      error: { kind: 'Timeout', message: 'timeout after 200 ms', timeout_ms: 200 },
    });
  });

  it('S2-12 variables of the request win over those of the backend', async () => {
    const run = play(answer('backend'), { env: { FAKE_AGENT_SCRIPT: JSON.stringify(answer('request')) } });
    expect(await run.completion).toMatchObject({ final_text: 'request' });
  });

  it('S2-17 R-02 a broken line is one error, and the rest is read', async () => {
    const envelopes = await readAll(play([init(), say('{"type": nonsense'), text('x'), result('x')]));
    expect(envelopes.filter((envelope) => envelope.kind === 'Error')).toHaveLength(1);
    expect(envelopes.map((envelope) => envelope.text)).toContain('x');
  });

  it('U-2.5 a session that is not there is told in the pinned words', async () => {
    const missing = result('', {
      subtype: 'error_during_execution',
      is_error: true,
      result: undefined,
      errors: ['No conversation found with session ID: s1'],
    });
    const run = play([missing, { exit: 1 }], {
      extensions: { 'agent_api.session.resume.v1': { selector: 'id', id: 's1' } },
    });
    const envelopes = await readAll(run);
    expect(envelopes.at(-1)).toMatchObject({ kind: 'Error', message: 'session not found' });
    expect(await run.completion).toEqual({ ok: false, error: { kind: 'Backend', message: 'session not found' } });
  });

  it('R-11 decision 1 nobody is asked: a tool that needs a permission is denied and reported', async () => {
    const script = [init(), toolUse('t1', 'Bash', { command: 'rm x' }), toolResult('t1', 'denied', true), result('x')];
    const envelopes = await readAll(play(script));
    expect(envelopes.find((envelope) => envelope.kind === 'ToolResult')?.data).toMatchObject({
      tool: { status: 'failed' },
    });
  });

  it('U-2.5 interactive: approvals appear and are answered', async () => {
    const script = [init(), toolUse('t1', 'Bash', {}), ask('r1', 't1', 'Bash', {}), { hear: '"r1"' }, result('x')];
    const run = play(script, { extensions: { 'agent_api.exec.non_interactive': false } });
    const messages: (string | undefined)[] = [];
    for await (const { message, data } of run.events) {
      messages.push(message);
      if (message === 'approval requested' && data && 'tool' in data) run.approve(data.tool.backend_item_id ?? '');
    }
    expect(messages).toEqual(expect.arrayContaining(['approval requested', 'approval resolved', 'result success']));
  });
});

describe('U-2.3 cancel', () => {
  const cancelled = { ok: false, error: { kind: 'Backend', message: 'cancelled' } };

  it('ends the stream at once, drops what is buffered, and says cancelled', async () => {
    const run = play([init(), text('x'.repeat(70_000)), { hang: true }]);
    let count = 0;
    for await (const envelope of run.events) {
      if (envelope.kind !== 'TextOutput') continue;
      count += 1;
      run.cancel();
      run.cancel();
    }
    expect(count).toBe(1);
    expect(await run.completion).toEqual(cancelled);
  });

  it('works when nobody reads any more', async () => {
    const run = play([init(), { hang: true }]);
    for await (const _ of run.events) break;
    run.cancel();
    expect(await run.completion).toEqual(cancelled);
  });

  it('wins over a completion that nobody has heard yet, and changes nothing afterwards', async () => {
    const run = play(answer('x'));
    const waiting = run.events[Symbol.asyncIterator]();
    // The other reader has the end, so the process is gone.
    await readAll(run);
    run.cancel();
    expect(await run.completion).toEqual(cancelled);
    expect((await waiting.next()).done).toBe(true);

    const done = play(answer('x'));
    const before = await done.completion;
    done.cancel();
    expect(await done.completion).toBe(before);
    expect(before.ok).toBe(true);
  });

  it('S2-06 leaving the scope ends it', async () => {
    let completion: EnvelopeRun['completion'] | undefined;
    {
      await using run = play([init(), { hang: true }]);
      ({ completion } = run);
    }
    expect(await completion).toEqual(cancelled);
  });
});

describe('S2-14 S2-15 safety', () => {
  it('R-16 a planted secret appears nowhere, and no payload does', async () => {
    const key = `sk-ant-${'api03'}-${'x1Y2z3'.repeat(10)}`;
    const payload = 'PAYLOAD-OF-A-TOOL';
    const script = [
      init(),
      say(`{"type":"broken ${key}`),
      say({ type: 'not_known', secret: key, payload }),
      ...streamStart(),
      ...[`use ${key.slice(0, 20)}`, `${key.slice(20)} now`].map(delta),
      text(`use ${key} now`),
      toolUse('t1', 'Bash', { command: `echo ${payload} ${key}` }),
      toolResult('t1', `${payload} ${key}`, true),
      { stderr: key },
      result(`done with ${key}`),
    ];
    const run = play(script);
    const envelopes = await readAll(run);
    const everything = JSON.stringify([envelopes, await run.completion]);
    expect(everything).not.toContain(key.slice(0, 20));
    expect(everything).not.toContain(payload);
    expect(envelopes.map((envelope) => envelope.text).join('')).toContain('use [redacted:anthropic-key] now');
    expect(everything).toContain('done with [redacted:anthropic-key]');
  });
});
