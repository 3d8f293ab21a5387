/**
 * The table of known fields is made from the recordings of this repository, by `npm run recordings:update`, and from what the makers of the
 * pinned versions publish about lines that are in them: a field that they announced is no drift.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { knownFieldsOf, shapeKey } from '../src/agent/known-fields.js';
import { visitObjects } from '../src/agent/wire-shape.js';
import { agentNamed, createDecoder, requireAgent, watchFields } from '../src/decode/index.js';
import type { AgentEvent } from '../src/event/index.js';
import { createLineDecoder } from '../src/jsonl/index.js';
import documented from './documented-fields.json' with { type: 'json' };
import { ownRecordings, type Recording, sharedRecordings } from './support/recordings.js';

const file = 'src/agent/known-fields.json';

/** By agent and shape, as the table itself. */
type Announced = Record<string, Record<string, string>>;

test('S0-39 the table of known fields is that of the recordings and of what was announced', () => {
  const table = tableOf(ownRecordings());
  if (process.env.GLASSBOX_UPDATE_RECORDINGS) writeFileSync(file, table);
  expect(readFileSync(file, 'utf8'), 'run: npm run recordings:update -- <agent>').toBe(table);
});

test('the recordings hold no field that is not known', () => {
  expect(ownRecordings().flatMap(strangeFields)).toEqual([]);
});

test('what was announced is worth a line only where no recording has it', () => {
  const recorded = tableOf(ownRecordings(), {});
  for (const [agent, shapes] of Object.entries(documented)) {
    for (const [shape, fields] of Object.entries(shapes)) {
      const seen = String(JSON.parse(recorded)[agent]?.[shape]).split(' ');
      expect([shape, fields.split(' ').filter((field) => seen.includes(field))]).toEqual([shape, []]);
    }
  }
});

test('other recordings of the same versions hold none, so that what is told is worth to be told', () => {
  const streams = sharedRecordings().filter(({ name }) => !/^[\w-]+-(serve|transcripts|hooks)\//.test(name));
  if (streams.length === 0) return console.log('../shared/recordings is not there: fields were not compared.');
  const strange = new Set(streams.filter(({ agent }) => agentNamed(agent)).flatMap(strangeFields));
  expect([...strange]).toEqual([]);
});

describe('watched', () => {
  const line = { type: 'system', subtype: 'init', session_id: 's', model: 'm', tools: [] };
  const said = (content: object, more: object = {}) => ({
    type: 'assistant',
    session_id: 's',
    parent_tool_use_id: null,
    message: { id: 'm1', type: 'message', role: 'assistant', model: 'm', content: [content], ...more },
  });
  const text = { type: 'text', text: 'hello' };
  const tool = { type: 'tool_use', id: 't', name: 'Bash', input: { command: 'ls' } };

  test.each<[string, object[], object[]]>([
    ['nothing new', [line, said(text), said(tool)], []],
    ['a field of a line', [{ ...line, novel: 1 }], [{ wireType: 'system', wireSubtype: 'init', field: 'novel' }]],
    ['a field of what it carries', [said(text, { novel: 1 })], [{ wireType: 'assistant', field: 'message.novel' }]],
    [
      'a field of a block',
      [said({ ...tool, novel: 1 })],
      [{ wireType: 'assistant', field: 'message.content.tool_use.novel' }],
    ],
    [
      'the same once',
      [
        { ...line, novel: 1 },
        { ...line, novel: 2 },
      ],
      [{ wireType: 'system', field: 'novel' }],
    ],
    ["a tool's own input", [said({ ...tool, input: { novel: 1 } })], []],
    ['a key that is no name', [{ ...line, '/home/me/secret.txt': 1, 'a b': 2, ['x'.repeat(50)]: 3 }], []],
    ['a kind that is not known is told as such', [{ type: 'future', novel: 1 }], [{ wireType: 'future' }]],
    ['a line that is no object', ['text' as never, null as never], [{ wireType: 'string' }, { wireType: 'object' }]],
  ])('%s', (_, values, expected) => {
    const events = decode('claude', values.map((value) => `${JSON.stringify(value)}\n`).join(''));
    expect(unknown(events)).toMatchObject(expected);
    expect(unknown(events)).toHaveLength(expected.length);
  });

  test('it stops telling at some point, and reads on', () => {
    const novel = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`novel_${n}`, n]));
    const events = decode('claude', `${JSON.stringify({ ...line, ...novel })}\n${JSON.stringify(said(text))}\n`);
    expect(unknown(events).length).toBe(100);
    expect(events.some(({ type }) => type === 'text-end')).toBe(true);
  });

  test('all other events are the same as without', () => {
    for (const { agent, stdout } of ownRecordings()) {
      const plain = createDecoder(agent, { now: () => 0 });
      const watched = createDecoder(watchFields(requireAgent(agent)), { now: () => 0 });
      expect([...watched.push(stdout), ...watched.end()]).toEqual([...plain.push(stdout), ...plain.end()]);
    }
  });

  test('an agent without recordings is left as it is', () => {
    const agent = { ...requireAgent('claude'), name: 'constructor' };
    expect(watchFields(agent)).toBe(agent);
  });
});

function decode(agent: string, text: string): AgentEvent[] {
  const decoder = createDecoder(watchFields(requireAgent(agent)), { now: () => 0 });
  return [...decoder.push(text), ...decoder.end()];
}

const unknown = (events: readonly AgentEvent[]) => events.filter((event) => event.type === 'unknown');

function valuesOf({ stdout }: Recording): unknown[] {
  const decoder = createLineDecoder({ maxLineBytes: Number.POSITIVE_INFINITY });
  const items = [...decoder.push(stdout), ...decoder.end()];
  return items.flatMap((item) => (item.kind === 'value' ? [item.value] : []));
}

function strangeFields(recording: Recording): string[] {
  const known = knownFieldsOf(recording.agent);
  const strange: string[] = [];
  for (const value of valuesOf(recording)) {
    visitObjects(value, (kind, place, object) => {
      const fields = known?.get(shapeKey(kind, place));
      for (const field of Object.keys(object)) {
        if (fields && !fields.has(field)) strange.push(`${recording.agent} ${shapeKey(kind, place)}: ${field}`);
      }
    });
  }
  return strange;
}

function tableOf(recordings: readonly Recording[], announced: Announced = documented): string {
  const table = new Map<string, Map<string, Set<string>>>();
  for (const recording of recordings) {
    const shapes = table.get(recording.agent) ?? new Map<string, Set<string>>();
    table.set(recording.agent, shapes);
    for (const value of valuesOf(recording)) {
      visitObjects(value, (kind, place, object) => {
        const shape = shapeKey(kind, place);
        shapes.set(shape, new Set([...(shapes.get(shape) ?? []), ...Object.keys(object)]));
      });
    }
  }
  for (const [agent, shapes] of Object.entries(announced)) {
    for (const [shape, fields] of Object.entries(shapes)) {
      // A line that no recording has is told as such, not by its fields.
      for (const field of fields.split(' ')) table.get(agent)?.get(shape)?.add(field);
    }
  }
  const sorted = (entries: [string, unknown][]) => Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
  const shapesOf = (shapes: Map<string, Set<string>>) =>
    sorted([...shapes].map(([shape, fields]) => [shape, [...fields].sort().join(' ')]));
  const whole = sorted([...table].map(([agent, shapes]) => [agent, shapesOf(shapes)]));
  return `${JSON.stringify(whole, undefined, 2)}\n`;
}
