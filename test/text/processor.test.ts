import { describe, expect, test } from 'vitest';
import { createProcessor, type ProcessorOptions } from '../../src/view/text/index.js';

const lines = [
  { type: 'system', subtype: 'init', session_id: 's1' },
  { type: 'assistant', message: { id: 'm1', content: [{ type: 'text', text: 'Reading ünïcödé' }] } },
  {
    type: 'assistant',
    message: { id: 'm1', content: [{ type: 'tool_use', id: 't1', name: 'Read', input: { file_path: 'a.ts' } }] },
  },
  { type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: 't1', content: 'text' }] } },
  { type: 'result', subtype: 'success', result: 'Done', total_cost_usd: 0.015 },
].map((line) => JSON.stringify(line));
const printed = '[claude] "Reading ünïcödé"\n[claude] Read: a.ts\n[claude] Complete (cost: $0.0150)\n';

function process(output: (string | Uint8Array)[], options: Partial<ProcessorOptions> = {}) {
  const written: string[] = [];
  const debug: string[] = [];
  let now = 0;
  const processor = createProcessor('claude', {
    write: (text) => written.push(text),
    debug: (line) => debug.push(line),
    now: () => now,
    ...options,
  });
  if (!processor) throw new Error('claude has a processor');
  for (const piece of output) {
    now += 1;
    processor.write(piece);
  }
  const active = processor.lastActivity();
  processor.close();
  processor.close();
  processor.write('{"type":"novel"}\n');
  return { written: written.join(''), debug, active, stats: processor.stats() };
}

describe('S1-37, S1-51 createProcessor', () => {
  test('S1-39 prints a run and counts what it saw', () => {
    const { written, stats } = process([`${lines.join('\n')}\n`]);
    expect(written).toBe(printed);
    expect(stats.events).toBeGreaterThanOrEqual(3);
    expect(stats.errors).toBe(0);
  });

  test('S1-37 any cut gives the same, also inside a character; blank lines do not matter', () => {
    const bytes = Buffer.from(`\n${lines.join('\n \n')}`);
    for (let cut = 0; cut <= bytes.length; cut++) {
      expect(process([bytes.subarray(0, cut), bytes.subarray(cut)]).written).toBe(printed);
    }
  });

  test('S1-39 the last line needs no newline', () => {
    expect(process([lines.join('\n')]).written).toBe(printed);
  });

  test('S1-42, S1-52 a malformed line is counted and told without its text, the rest is printed', () => {
    const { written, stats, debug } = process([[lines[0], '{"token":"s3cret', ...lines.slice(1)].join('\n')]);
    expect(written).toBe(printed);
    expect(stats.errors).toBe(1);
    expect(debug).toEqual(['[stream-debug] invalid JSON (line 2, 16 bytes)']);
  });

  test('S1-38, R-01 a line of any length, if wanted', () => {
    const long = JSON.stringify({
      type: 'assistant',
      message: { id: 'm', content: [{ type: 'text', text: 'x'.repeat(11 * 2 ** 20) }] },
    });
    expect(process([long, '\n']).stats.errors).toBe(1);
    expect(process([long, '\n'], { maxLineBytes: Number.POSITIVE_INFINITY }).stats.errors).toBe(0);
  });

  test('S1-43 the last activity moves with every line that says something, valid or not', () => {
    expect(process([]).active).toBeUndefined();
    expect(process(['\n', '  \n']).active).toBeUndefined();
    expect(process([`${lines[0]}\n`, '\n', 'oops\n', Buffer.from(' \n')]).active).toBe(3);
  });

  test('S1-35 ten writers to one output, byte by byte in turn: a thousand whole lines, one call each', () => {
    const calls: string[] = [];
    const writers = Array.from({ length: 10 }, (_, writer) => {
      const line = (index: number) => ({
        type: 'assistant',
        message: {
          id: `m${index}`,
          content: [{ type: 'tool_use', id: `t${index}`, name: 'Read', input: { file_path: `${writer}-${index}` } }],
        },
      });
      const bytes = Buffer.from(Array.from({ length: 100 }, (_, index) => `${JSON.stringify(line(index))}\n`).join(''));
      return { bytes, processor: createProcessor('claude', { write: (text) => calls.push(text), now: () => 0 }) };
    });
    const longest = Math.max(...writers.map(({ bytes }) => bytes.length));
    for (let at = 0; at < longest; at += 1) {
      for (const { bytes, processor } of writers) processor?.write(bytes.subarray(at, at + 1));
    }
    expect(calls).toHaveLength(1000);
    expect(calls.filter((text) => !/^\[claude\] Read: \d-\d+\n$/.test(text))).toEqual([]);
  });

  test.each(['unknown-agent', '', 'bash'])('S1-41 none for %j: its output is passed on as it is', (command) => {
    expect(createProcessor(command, { write: () => {}, now: () => 0 })).toBeUndefined();
  });
});
