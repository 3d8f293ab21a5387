/** A stream that is joined in the middle: nobody is taken for somebody else, whoever prints the same kinds of lines. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { adviceFor, detectAgent } from '../../src/decode/index.js';

const recordings = path.resolve('test/recordings');

/** As a reader of streams asks: after each line, until somebody knows it. */
function joinedAt(lines: readonly unknown[], start: number): string | undefined {
  for (let end = start + 1; end <= Math.min(start + 20, lines.length); end += 1) {
    const name = detectAgent(lines.slice(start, end));
    if (name !== undefined) return name;
  }
  return undefined;
}

function* streamsOf(agent: string): Generator<{ name: string; lines: unknown[] }> {
  for (const name of readdirSync(path.join(recordings, agent))) {
    const file = path.join(recordings, agent, name, 'stdout.jsonl');
    if (!existsSync(file)) continue;
    const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
    yield { name, lines: lines.flatMap((line) => parsed(line)) };
  }
}

function parsed(line: string): unknown[] {
  try {
    return [JSON.parse(line)];
  } catch {
    return [];
  }
}

test.each(['claude', 'qwen', 'amp'])('%s, joined at any line, is never taken for another agent', (agent) => {
  const others: string[] = [];
  let [known, all] = [0, 0];
  for (const { name, lines } of streamsOf(agent)) {
    for (const start of lines.keys()) {
      const found = joinedAt(lines, start);
      all += 1;
      if (found === agent) known += 1;
      else if (found !== undefined) others.push(`${name} from line ${start + 1}: ${found}`);
    }
  }
  expect(others).toEqual([]);
  expect(known / all, 'most places tell who it is').toBeGreaterThan(0.8);
});

test('lines that tell nothing ask for the name of the agent', () => {
  const line = JSON.stringify({
    type: 'stream_event',
    uuid: 'u',
    session_id: 's',
    parent_tool_use_id: null,
    event: { type: 'content_block_stop', index: 0 },
  });
  expect(detectAgent([line])).toBeUndefined();
  expect(adviceFor(`${line}\n`)).toContain('--agent');
});
