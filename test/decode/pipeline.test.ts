import { describe, expect, test } from 'vitest';
import { createPipeline, type PipelineOptions } from '../../src/decode/index.js';
import type { AgentEvent, Draft } from '../../src/event/index.js';
import { toBytes } from '../support/chunking.js';
import { toyAgent } from '../support/toy-agent.js';

describe('stamping', () => {
  test('numbers from 1 without holes, and adds exactly the fields of a stamp', () => {
    let clock = 1000;
    const pipeline = makePipeline({ runId: 'r1', now: () => clock++ });
    const [first, second] = pipeline.push(toBytes('{"say":"a"}\n{"say":"b"}\n')).events;
    const common = { type: 'text-end', messageId: 'm', sessionId: 'toy-session', turn: 1 };
    const stamp = { runId: 'r1', agent: 'toy', source: 'stream' };
    expect(first).toEqual({ ...common, ...stamp, index: 0, text: 'a', seq: 1, at: 1000 });
    expect(second).toEqual({ ...common, ...stamp, index: 1, text: 'b', seq: 2, at: 1000 });
    expect(pipeline.push(toBytes('{"say":"c"}\n')).events).toMatchObject([{ seq: 3, at: 1001 }]);
  });

  test('everything shares one count: the stream, actions, what the run emits, and the end', () => {
    const pipeline = makePipeline();
    const acted = pipeline.act({ type: 'say', text: 'hello' });
    const events = [
      ...pipeline.push(toBytes('{"say":"a"}\n')).events,
      ...(acted === 'unsupported' ? [] : acted.events),
      ...pipeline.emit({ type: 'warning', code: 'x', message: 'y', turn: 1, source: 'synthetic' }),
      ...pipeline.end().events,
    ];
    expect(events.map(({ seq }) => seq).sort()).toEqual([1, 2, 3, 4]);
    expect(events.map(({ source }) => source)).toEqual(['stream', 'synthetic', 'synthetic', 'synthetic']);
  });

  test('the clock is the system clock unless told', () => {
    const before = Date.now();
    const [event] = makePipeline().push(toBytes('{"say":"a"}\n')).events;
    expect(event?.at).toBeGreaterThanOrEqual(before);
    expect(event?.at).toBeLessThanOrEqual(Date.now());
  });
});

describe('what goes to the agent', () => {
  test('lines of the start and of actions', () => {
    const pipeline = makePipeline({ request: { prompt: 'go' } });
    expect(pipeline.start()).toEqual({ events: [], send: ['go'] });
    expect(pipeline.act({ type: 'say', text: 'more' })).toMatchObject({ send: ['more'] });
    expect(pipeline.act({ type: 'interrupt' })).toBe('unsupported');
  });

  test('idle is the protocol’s word', () => {
    const pipeline = makePipeline();
    expect(pipeline.idle()).toBe(false);
    pipeline.push(toBytes('{"done":true}\n'));
    expect(pipeline.idle()).toBe(true);
  });
});

describe('lines that cannot be read', () => {
  test('S2-02, S2-17, R-02 become events in their place, without the text', () => {
    const { events } = makePipeline().push(toBytes('{"say":"a"}\n{"key":"sk-secret\n{"say":"b"}\n'));
    expect(events.map(({ type }) => type)).toEqual(['text-end', 'decode-error', 'text-end']);
    expect(events[1]).toMatchObject({ seq: 2, code: 'json_parse', line: 2, bytes: 17, source: 'stream' });
    expect(JSON.stringify(events)).not.toContain('sk-secret');
  });

  test('R-13, U-2.6 belong to the session and turn seen last', () => {
    const pipeline = makePipeline();
    expect(pipeline.push(toBytes('noise\n')).events).toMatchObject([{ turn: 0 }]);
    expect(pipeline.push(toBytes('noise\n')).events[0]?.sessionId).toBeUndefined();
    const [, error] = pipeline.push(toBytes('{"say":"a"}\nnoise\n')).events;
    expect(error).toMatchObject({ type: 'decode-error', turn: 1, sessionId: 'toy-session' });
  });

  test('S3-06 an over-long line is one event, and the stream goes on', () => {
    const pipeline = makePipeline({ maxLineBytes: 2 ** 20 });
    const { events } = pipeline.push(toBytes(`"${'x'.repeat(2 ** 20)}"\n{"say":"a"}\n`));
    expect(events).toMatchObject([{ code: 'line_too_long', bytes: 2 ** 20 + 2 }, { type: 'text-end' }]);
  });

  test('a cut last line says so', () => {
    const pipeline = makePipeline();
    pipeline.push(toBytes('{"say":'));
    expect(pipeline.end().events[0]).toMatchObject({ type: 'decode-error', cut: true });
  });
});

describe('the end', () => {
  test('reads a last line without newline before it closes what is open', () => {
    const pipeline = makePipeline();
    pipeline.push(toBytes('{"tool":"t1"}\n{"say":"last"}'));
    expect(pipeline.end().events.map(({ type }) => type)).toEqual(['text-end', 'tool-end', 'turn-end']);
  });

  test('comes once', () => {
    const pipeline = makePipeline();
    expect(pipeline.end().events).toHaveLength(1);
    expect(pipeline.end()).toEqual({ events: [], send: [] });
  });
});

describe('R-03 raw', () => {
  const line = { say: 'hello', more: 1 };
  const bytes = toBytes(`${JSON.stringify(line)}\n`);

  test('is absent unless asked for', () => {
    expect(makePipeline().push(bytes).events[0]).not.toHaveProperty('raw');
  });

  test('is the parsed value, in the process only: never enumerated, printed or copied', () => {
    const [event] = makePipeline({ raw: true }).push(bytes).events;
    expect(event?.raw).toEqual(line);
    expect(Object.keys(event as AgentEvent)).not.toContain('raw');
    expect(JSON.stringify(event)).not.toContain('more');
    expect({ ...event }).not.toHaveProperty('raw');
  });

  test('belongs to the events of its own line', () => {
    const { events } = makePipeline({ raw: true }).push(toBytes('{"say":"a"}\n{"say":"b"}\n'));
    expect(events.map(({ raw }) => raw)).toEqual([{ say: 'a' }, { say: 'b' }]);
  });
});

describe('the guard', () => {
  const secret = `sk-ant-api03-${'a1B2'.repeat(24)}`;
  const line = toBytes(`{"say":"key ${secret}"}\n`);

  test('S2-14 stands before everybody', () => {
    expect(JSON.stringify(makePipeline().push(line).events)).not.toContain(secret);
    expect(JSON.stringify(makePipeline({ guard: {} }).push(line).events)).not.toContain(secret);
    const emitted = makePipeline().emit({ type: 'warning', code: 'x', message: secret, turn: 1 });
    expect(JSON.stringify(emitted)).not.toContain(secret);
  });

  test('is off only by explicit choice', () => {
    expect(JSON.stringify(makePipeline({ guard: false }).push(line).events)).toContain(secret);
  });

  test('takes its options', () => {
    const { events } = makePipeline({ guard: { maxFieldBytes: 100 } }).push(toBytes(`{"say":"${'x'.repeat(500)}"}\n`));
    expect(events).toMatchObject([{ type: 'text-end', cuts: [{ path: '/text', bytes: 500 }] }]);
  });

  test('what it holds back keeps the count without holes, and comes out at the end', () => {
    const pipeline = makePipeline();
    const delta = { type: 'text-delta', messageId: 'm', index: 0, turn: 1 } as const;
    const events = [
      ...pipeline.emit({ ...delta, text: 'see sk-ant-' }),
      ...pipeline.emit({ ...delta, text: 'nothing' }),
      ...pipeline.end().events,
    ];
    const text = events.map((event) => (event.type === 'text-delta' ? event.text : '')).join('');
    expect(text).toBe('see sk-ant-nothing');
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  });

  test('does not stand before prepare, which the run uses to keep what an approval asks for', () => {
    const seen: Draft[] = [];
    makePipeline({ prepare: noting(seen) }).push(line);
    expect(JSON.stringify(seen)).toContain(secret);
  });

  test('stands behind prepare: what is added there is guarded too', () => {
    const prepare = (draft: Draft) => ({ ...draft, sessionId: 'a', more: secret });
    const { events } = makePipeline({ prepare }).push(line);
    expect(events).toMatchObject([{ sessionId: 'a' }]);
    expect(JSON.stringify(events)).not.toContain(secret);
  });
});

test('prepare sees every draft before it is stamped', () => {
  const seen: Draft[] = [];
  const pipeline = makePipeline({ prepare: noting(seen) });
  pipeline.push(toBytes('{"say":"a"}\nnoise\n'));
  pipeline.emit({ type: 'warning', code: 'x', message: 'y', turn: 1 });
  expect(seen.map(({ type }) => type)).toEqual(['text-end', 'decode-error', 'warning']);
  expect(seen.every((draft) => !('seq' in draft))).toBe(true);
});

test('an unknown agent is refused with the names that exist', () => {
  expect(() => createPipeline({ agent: 'nobody' })).toThrow(
    expect.objectContaining({ code: 'unknown-agent', message: expect.stringContaining('claude') }),
  );
});

function noting(seen: Draft[]) {
  return (draft: Draft) => {
    seen.push({ ...draft });
    return draft;
  };
}

function makePipeline(options: Partial<PipelineOptions> = {}) {
  return createPipeline({ agent: toyAgent, ...options });
}
