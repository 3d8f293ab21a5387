/** The quick way for a line of words gives what the parser gives, or leaves the line to it. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { claude } from '../../../src/agent/claude/index.js';
import { createDecoder } from '../../../src/decode/index.js';
import { allRecordings } from '../../support/recordings.js';

const recordings = allRecordings().filter(({ agent }) => agent === 'claude');
const lines = recordings.flatMap(({ stdout }) => Buffer.from(stdout).toString().split(/\r?\n/));
const quick = lines.filter((line) => claude.readFrequent?.(line) !== undefined);

/** Undefined for what is no JSON. */
function parsed(line: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(line));
  } catch {
    return undefined;
  }
}

const expectAsParsed = (line: string) => {
  const value = claude.readFrequent?.(line);
  if (value !== undefined) expect(JSON.stringify(value)).toBe(parsed(line));
};

test('most recorded lines of words are read so, each with the value and the order of the parser', () => {
  expect(quick.length).toBeGreaterThan(lines.filter((line) => line.includes('"text_delta"')).length / 2);
  for (const line of quick) expectAsParsed(line);
});

test('any words, names and numbers', () => {
  const text = fc.string({ unit: 'binary' });
  fc.assert(
    fc.property(
      text,
      text,
      text,
      fc.oneof(fc.nat(), fc.double(), fc.integer()),
      fc.boolean(),
      (words, id, uuid, index, named) => {
        const event = { type: 'content_block_delta', index, delta: { type: 'text_delta', text: words } };
        const line = { type: 'stream_event', event, session_id: id, parent_tool_use_id: null, uuid };
        expectAsParsed(JSON.stringify(named ? { ...line, api_message_id: id } : line));
      },
    ),
  );
});

test('a line that is damaged anywhere is as the parser finds it', () => {
  const damage = fc.constantFrom(
    '"',
    '\\',
    '\u0000',
    '\n',
    '{',
    '}',
    ',',
    ':',
    '0',
    '-',
    '.5',
    'é',
    '\u2028',
    '',
    '"uuid":"x",',
  );
  fc.assert(
    fc.property(fc.constantFrom(...quick.slice(0, 20)), fc.nat(), fc.nat(3), damage, (line, place, gone, put) => {
      const at = place % line.length;
      expectAsParsed(line.slice(0, at) + put + line.slice(at + gone));
    }),
    { numRuns: 2000 },
  );
});

describe.each([[1], [977], [65_536]])('in pieces of %i bytes', (size) => {
  test('events are those of the parser alone', () => {
    const { readFrequent: _, ...slow } = claude;
    for (const { name, stdout } of recordings.filter(({ stdout }) => Buffer.from(stdout).includes('"text_delta"'))) {
      const events = [claude, slow].map((agent) => {
        const decoder = createDecoder(agent, { now: () => 0 });
        const told = [];
        for (let at = 0; at < stdout.length; at += size) told.push(...decoder.push(stdout.subarray(at, at + size)));
        return JSON.stringify([...told, ...decoder.end()]);
      });
      expect(events[0], name).toBe(events[1]);
    }
  });
});
