import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { createStreamParser, decode } from '../../src/decode/index.js';
import type { AgentEvent } from '../../src/event/index.js';
import { toyAgent } from '../support/toy-agent.js';

const output = '{"say":"a"}\nnoise\n{"tool":"t"}\n{"say":"b"}\n';
const types = ['text-end', 'decode-error', 'tool-start', 'text-end', 'tool-end', 'turn-end'];

describe('decode', () => {
  test('S0-12, S2-21 gives every event of a source and closes what is open', async () => {
    expect(await typesOf(decode(output, { agent: toyAgent }))).toEqual(types);
  });

  test('S2-08 gives events while the source is still open', async () => {
    const source = new PassThrough();
    const events = decode(source, { agent: toyAgent });
    source.write('{"say":"a"}\n');
    expect((await events.next()).value).toMatchObject({ type: 'text-end', text: 'a' });
    source.end('{"done":1}');
    expect(await typesOf(events)).toEqual(['turn-end']);
  });

  test('S0-13, S0-14 aborting ends it quietly and closes the source', async () => {
    const source = new PassThrough();
    source.write(output);
    const controller = new AbortController();
    const seen: string[] = [];
    for await (const { type } of decode(source, { agent: toyAgent, signal: controller.signal })) {
      seen.push(type);
      if (seen.length === 3) controller.abort();
    }
    expect(seen).toEqual(types.slice(0, 3));
    expect(source.destroyed).toBe(true);
  });

  test('S0-16 aborting ends a read that waits', async () => {
    const source = new PassThrough();
    const controller = new AbortController();
    const reading = typesOf(decode(source, { agent: toyAgent, signal: controller.signal }));
    setImmediate(() => controller.abort());
    expect(await reading).toEqual([]);
    expect(source.destroyed).toBe(true);
  });

  test('S0-17 a read error comes after the events that close what is open', async () => {
    async function* failing() {
      yield '{"tool":"t"}\n';
      throw new Error('disk on fire');
    }
    const seen: string[] = [];
    const reading = (async () => {
      for await (const { type } of decode(failing(), { agent: toyAgent })) seen.push(type);
    })();
    await expect(reading).rejects.toMatchObject({ code: 'read-failed' });
    expect(seen).toEqual(['tool-start', 'tool-end', 'turn-end']);
  });

  test('leaving the loop closes the source', async () => {
    const source = new PassThrough();
    source.write(output);
    for await (const _ of decode(source, { agent: toyAgent })) break;
    expect(source.destroyed).toBe(true);
  });

  test('wrong options are heard at once', () => {
    expect(() => decode('', { agent: 'nobody' })).toThrow(expect.objectContaining({ code: 'unknown-agent' }));
  });
});

describe('S3-03 a stream parser', () => {
  test('takes bytes in pieces and gives events in another place', async () => {
    const parser = createStreamParser(toyAgent, { runId: 'session-1' });
    const reading = collect(parser.events());
    for (const piece of output) {
      parser.ingest(piece);
      await Promise.resolve();
    }
    parser.close();
    const events = await reading;
    expect(events.map(({ type }) => type)).toEqual(types);
    expect(events.every(({ runId }) => runId === 'session-1')).toBe(true);
  });

  test('keeps what comes before somebody reads', async () => {
    const parser = createStreamParser(toyAgent);
    parser.ingest(output);
    parser.close();
    expect(await typesOf(parser.events())).toEqual(types);
  });

  test('S3-04 close reads the rest and says how it ended if the agent did not, once', async () => {
    const parser = createStreamParser(toyAgent);
    parser.ingest('{"say":"a"}');
    parser.close();
    parser.close();
    parser.ingest('{"say":"too late"}\n');
    const events = await collect(parser.events());
    expect(events).toMatchObject([
      { type: 'text-end', text: 'a' },
      { type: 'turn-end', outcome: 'unknown', source: 'synthetic' },
    ]);
  });

  test('S3-04 close adds nothing after a result', async () => {
    const parser = createStreamParser(toyAgent);
    parser.ingest('{"done":1}\n');
    parser.close();
    expect(await collect(parser.events())).toMatchObject([{ type: 'turn-end', outcome: 'success' }]);
  });

  test('S3-07 a line it does not know is an event', async () => {
    const parser = createStreamParser(toyAgent);
    parser.ingest('{"type":"from the future"}\n{"done":1}\n');
    parser.close();
    expect(await typesOf(parser.events())).toEqual(['unknown', 'turn-end']);
  });

  test('drops what comes after its reader let go', async () => {
    const parser = createStreamParser(toyAgent);
    parser.ingest(output);
    for await (const _ of parser.events()) break;
    parser.ingest(output);
    parser.close();
    expect(await typesOf(parser.events())).toEqual([]);
  });
});

async function collect(events: AsyncIterable<AgentEvent>): Promise<AgentEvent[]> {
  const all: AgentEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

async function typesOf(events: AsyncIterable<AgentEvent>): Promise<string[]> {
  return (await collect(events)).map(({ type }) => type);
}
