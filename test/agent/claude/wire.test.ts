/** S0: typed wire events, the decoder's two modes, and the block helpers. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import * as claude from '../../../src/claude.js';
import { assistant, init, result, text, toolResult, toolUse } from './translate.js';

type Event = claude.WireEvent;

const jsonl = (...lines: unknown[]): string => lines.map((line) => `${JSON.stringify(line)}\n`).join('');
const decodeAll = (source: string): Promise<Event[]> => collect(claude.createWireDecoder(source).decode());

async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of source) items.push(item);
  return items;
}

describe('decoder', () => {
  test('S0-01 S0-08 S0-38 each kind of line gives one typed event', async () => {
    const lines = [init, assistant('m', text('hi')), toolResult('t', 'out'), result(), { type: 'new_kind' }];
    const events = await decodeAll(jsonl(...lines));
    expect(events.map((event) => event.type)).toEqual(['system', 'assistant', 'user', 'result', 'new_kind']);
  });

  test('S0-02 S0-03 S0-05 S0-06 every field keeps the wire spelling and its value', async () => {
    const usage = {
      input_tokens: 1,
      output_tokens: 2,
      cache_read_input_tokens: 3,
      cache_creation_input_tokens: 4,
    };
    const lines = [
      {
        type: 'system',
        subtype: 'init',
        session_id: 's1',
        tools: ['Bash'],
        mcp_servers: [{ name: 'demo', status: 'connected' }],
        model: 'model-1',
      },
      {
        type: 'assistant',
        session_id: 's1',
        message: {
          id: 'm1',
          type: 'message',
          role: 'assistant',
          model: 'model-1',
          content: [{ type: 'text', text: 'a' }],
          stop_reason: 'end_turn',
          usage,
        },
      },
      {
        type: 'result',
        subtype: 'success',
        total_cost_usd: 0.01,
        cost_usd: 0.01,
        duration_ms: 5,
        duration_api_ms: 4,
        is_error: false,
        num_turns: 2,
        usage,
      },
    ] satisfies Event[];
    expect(await decodeAll(jsonl(...lines))).toEqual(lines);
  });

  test('S0-07 S0-09 S0-10 S0-11 `next` gives a bad line as a value, goes on, and ends distinctly', async () => {
    const decoder = claude.createWireDecoder(
      `${JSON.stringify(init)}\n\n   \nnot json\n[1]\n${JSON.stringify(result())}  \n`,
    );
    expect(await decoder.next()).toMatchObject({ done: false, event: { type: 'system' } });
    expect(await decoder.next()).toEqual({ done: false, error: { code: 'json_parse', line: 4, bytes: 8 } });
    expect(await decoder.next()).toEqual({ done: false, error: { code: 'not_an_event', line: 5, bytes: 3 } });
    expect(await decoder.next()).toMatchObject({ done: false, event: { type: 'result' } });
    expect(await decoder.next()).toEqual({ done: true });
    expect(await decoder.next()).toEqual({ done: true });
  });

  test('S0-12 S0-15 R-02 `decode` gives every event and tells what it skips', async () => {
    const skipped: claude.WireError[] = [];
    const source = `${jsonl(init)}{broken\n${jsonl(result())}`;
    const events = claude.createWireDecoder(source, { onSkip: (error) => skipped.push(error) }).decode();
    expect((await collect(events)).map((event) => event.type)).toEqual(['system', 'result']);
    expect(skipped).toEqual([{ code: 'json_parse', line: 2, bytes: 7 }]);
  });

  test('S0-13 S0-14 S0-16 cancelling ends `decode` and closes the source', async () => {
    const abort = new AbortController();
    let closed = false;
    async function* endless(): AsyncGenerator<Uint8Array> {
      try {
        for (;;) yield new TextEncoder().encode(jsonl(init));
      } finally {
        closed = true;
      }
    }
    let seen = 0;
    for await (const _ of claude.createWireDecoder(endless(), { signal: abort.signal }).decode()) {
      seen += 1;
      if (seen === 3) abort.abort();
    }
    expect(seen).toBe(3);
    expect(closed).toBe(true);
  });

  test('S0-17 a source that fails ends `decode` with its error', async () => {
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield new TextEncoder().encode(jsonl(init));
      throw new Error('disk on fire');
    }
    const events: Event[] = [];
    const read = async () => {
      for await (const event of claude.createWireDecoder(failing()).decode()) events.push(event);
    };
    await expect(read()).rejects.toThrow();
    expect(events).toHaveLength(1);
  });

  test('S0-18 a line far above 64 KB is read', async () => {
    const [event] = await decodeAll(jsonl(assistant('m', text('x'.repeat(300_000)))));
    expect(event && claude.textContent(event)).toHaveLength(300_000);
  });

  test('S0-39 a whole recorded session', async () => {
    const path = new URL('../../recordings/claude/multi-block/stdout.jsonl', import.meta.url);
    const events = await decodeAll(readFileSync(path, 'utf8'));
    expect(events[0]).toMatchObject({ type: 'system', subtype: 'init' });
    expect(events.flatMap(claude.toolUseBlocks).map((block) => block.name)).toEqual(['Bash']);
    expect(events.flatMap(claude.toolResultBlocks)).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({ type: 'result', is_error: false });
  });
});

describe('helpers', () => {
  const blocks = [text('a'), toolUse('t', 'Bash', { command: 'ls', nested: { deep: [1, 'é'] } }), text('b')];
  const several = { type: 'assistant', message: { content: blocks } } as Event;

  test('S0-04 S0-19 tool calls of an assistant event only', () => {
    expect(claude.toolUseBlocks(several).map((block) => block.id)).toEqual(['t']);
    expect(claude.toolUseBlocks({ ...several, type: 'user' })).toEqual([]);
    expect(claude.toolResultBlocks(toolResult('t', 'x', { is_error: true }) as Event)).toMatchObject([
      { is_error: true },
    ]);
  });

  test('S0-20 R-05 text is joined without separator', () => {
    expect(claude.textContent(several)).toBe('ab');
    expect(claude.textContent({ type: 'user', message: { content: 'plain' } })).toBe('plain');
  });

  test.each([
    ['text', true, false, false],
    ['tool_use', false, true, false],
    ['tool_result', false, false, true],
    ['hologram', false, false, false],
  ])('S0-21 predicates on %s', (type, isText, isToolUse, isToolResult) => {
    const block = { type };
    expect([claude.isText(block), claude.isToolUse(block), claude.isToolResult(block)]).toEqual([
      isText,
      isToolUse,
      isToolResult,
    ]);
  });

  test('S0-22 S0-25 the input as JSON with two spaces, unaltered', () => {
    const [block] = claude.toolUseBlocks(several);
    expect(block && JSON.parse(claude.inputString(block))).toEqual({ command: 'ls', nested: { deep: [1, 'é'] } });
    expect(block && claude.inputString(block)).toContain('\n  "command": "ls"');
    expect(claude.inputString({ type: 'tool_use', input: 'raw {' })).toBe('raw {');
    expect(claude.inputString({ type: 'tool_use' })).toBe('');
  });

  test('S0-23 content: string as it is, structure as JSON, absent empty', () => {
    expect(claude.contentString({ type: 'tool_result', content: 'out' })).toBe('out');
    expect(claude.contentString({ type: 'tool_result', content: [text('a')] })).toBe('[{"type":"text","text":"a"}]');
    expect(claude.contentString({ type: 'tool_result' })).toBe('');
  });

  test.each([
    ['missing message', { type: 'assistant' }],
    ['null message', { type: 'assistant', message: null }],
    ['null content', { type: 'assistant', message: { content: null } }],
    ['empty content', { type: 'assistant', message: { content: [] } }],
    ['odd blocks', { type: 'assistant', message: { content: [null, 3, 'x'] } }],
  ])('S0-24 zero values on %s', (_, event) => {
    expect(claude.toolUseBlocks(event as Event)).toEqual([]);
    expect(claude.toolResultBlocks({ ...event, type: 'user' } as Event)).toEqual([]);
    expect(claude.textContent(event as Event)).toBe('');
  });

  test.each([undefined, null, {}, { type: 'tool_use', input: null }, { type: 'tool_result', content: null }])(
    'S0-24 zero values on the block %j',
    (odd) => {
      const block = odd as claude.WireBlock;
      expect([claude.inputString(block), claude.contentString(block)]).toEqual(['', '']);
      expect(claude.isText(block)).toBe(false);
      expect(claude.isToolUse(block) || claude.isToolResult(block)).toBe(odd?.type !== undefined);
    },
  );

  test('S0-26 R-22 a decoded event encodes to the same value, unknown fields included', async () => {
    const line = assistant('m', { ...text('é\u2028'), future: { a: [1] } }, { brand_new: true });
    expect(JSON.parse(JSON.stringify((await decodeAll(jsonl(line)))[0]))).toEqual(line);
  });
});
