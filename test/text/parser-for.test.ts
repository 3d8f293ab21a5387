import { describe, expect, test } from 'vitest';
import { AGENTS } from '../../src/agent/index.js';
import { outputFlags, type Parsed, parserFor } from '../../src/compat.js';

const parse = (...lines: unknown[]): Parsed => {
  const parser = parserFor('claude', { now: () => 1000 });
  const parsed = lines.map((line) => parser?.parse(typeof line === 'string' ? line : JSON.stringify(line)));
  return parsed.at(-1) ?? { events: [] };
};
const assistant = (...content: unknown[]) => ({ type: 'assistant', message: { id: 'm1', content } });
const user = (...content: unknown[]) => ({ type: 'user', message: { role: 'user', content } });
const use = (name: string, input: unknown = {}) => ({ type: 'tool_use', id: 't1', name, input });

describe('S1-13, S1-51 parserFor', () => {
  test.each([
    ['claude', 'claude'],
    ['/usr/local/bin/claude', 'claude'],
    ['Claude', 'claude'],
    ['claude.exe', 'claude'],
    ['C:\\bin\\Claude.EXE', 'claude'],
    ['unknown-agent', undefined],
    ['', undefined],
  ])('%s', (command, name) => {
    expect(parserFor(command)?.name).toBe(name);
  });
});

test('S1-12, S1-15, S1-24 every agent has a parser and flags, without a line of its own here', () => {
  for (const { name, program } of AGENTS) {
    for (const command of program.names) expect(parserFor(command)?.name).toBe(name);
  }
});

describe('S1-02, S1-14, U-1.1 outputFlags', () => {
  test('LL-02 claude has three, with the mandatory --verbose', () => {
    expect(outputFlags('claude')).toEqual(['--output-format', 'stream-json', '--verbose']);
  });

  test('an unknown command and none at all have none', () => {
    expect([outputFlags('unknown-agent'), outputFlags('')]).toEqual([[], []]);
  });

  test('S1-44 the list is the caller’s own', () => {
    outputFlags('claude').push('--more');
    expect(outputFlags('claude')).toHaveLength(3);
  });
});

describe('S1-08, S1-51 the sample payloads', () => {
  const at = { at: 1000, depth: 0 };

  test('S1-16 a tool call', () => {
    expect(parse(assistant(use('Read', { file_path: '/path/to/file.go' }))).events).toEqual([
      { ...at, kind: 'ToolStart', toolId: 't1', toolName: 'Read', toolInput: '/path/to/file.go' },
    ]);
  });

  test('S1-17 its result, cut to 100', () => {
    const result = user({ type: 'tool_result', tool_use_id: 't1', content: 'x'.repeat(101) });
    expect(parse(assistant(use('Read')), result).events).toEqual([
      { ...at, kind: 'ToolEnd', toolId: 't1', toolName: 'Read', toolOutput: `${'x'.repeat(97)}...` },
    ]);
  });

  test.each([
    [
      'in `error`, with empty content',
      { content: '', is_error: true, error: 'Permission denied' },
      'Permission denied',
    ],
    ['in `content`', { content: 'File not found', is_error: true }, 'File not found'],
    ['in blocks', { content: [{ type: 'text', text: 'No such tool' }], is_error: true }, 'No such tool'],
  ])('S1-17 its error %s', (_name, fields, toolError) => {
    const { events } = parse(assistant(use('Bash')), user({ type: 'tool_result', tool_use_id: 't1', ...fields }));
    expect(events).toMatchObject([{ kind: 'ToolEnd', toolId: 't1', toolError }]);
  });

  test('S1-04, S1-16 text; empty text gives nothing; blocks in order', () => {
    expect(parse(assistant({ type: 'text', text: 'Hello' })).events).toEqual([{ ...at, kind: 'Text', text: 'Hello' }]);
    expect(parse(assistant({ type: 'text', text: '' })).events).toEqual([]);
    expect(
      parse(assistant({ type: 'text', text: 'a' }, use('Bash'), { type: 'novel' })).events.map(({ kind }) => kind),
    ).toEqual(['Text', 'ToolStart', 'Unknown']);
  });

  test('S1-18, R-04 a result, with the cost so far and what was added', () => {
    const result = (usd: number) => ({ type: 'result', subtype: 'success', result: 'All done', total_cost_usd: usd });
    expect(parse(result(0.01), result(0.015)).events).toMatchObject([
      {
        kind: 'Result',
        isComplete: true,
        outcome: 'success',
        result: 'All done',
        cost: 0.015,
        costDelta: expect.closeTo(0.005),
      },
    ]);
  });

  test('S1-06 the cost of a session is tracked through its results', () => {
    const parser = parserFor('claude');
    const costs = [0.01, 0.025, 0.025].flatMap((usd) =>
      (parser?.parse(JSON.stringify({ type: 'result', subtype: 'success', total_cost_usd: usd })).events ?? []).map(
        (event) => (event.kind === 'Result' ? [event.cost, Number(event.costDelta?.toFixed(4))] : []),
      ),
    );
    expect(costs).toEqual([
      [0.01, 0.01],
      [0.025, 0.015],
      [0.025, 0],
    ]);
  });

  test('S1-19 the session', () => {
    expect(parse({ type: 'system', subtype: 'init', session_id: 'abc123' }).events).toEqual([
      { ...at, kind: 'Progress', text: 'session: abc123' },
    ]);
  });

  test('S1-20, S1-52 an unknown type is no error', () => {
    expect(parse({ type: 'novel' })).toEqual({
      events: [{ ...at, kind: 'Unknown', text: 'unknown message type: novel' }],
    });
  });

  test('S1-12 a line may say nothing', () => {
    expect(parse({ type: 'assistant' })).toEqual({ events: [] });
    expect(parse('')).toEqual({ events: [] });
  });

  test('S1-21 malformed JSON is an error, told without the line, and the next line is read', () => {
    expect(parse('{"type":"assistant", secret')).toEqual({ events: [], error: { code: 'json_parse', bytes: 27 } });
    expect(parse('{oops', assistant({ type: 'text', text: 'Hello' })).events).toHaveLength(1);
  });
});

describe('S1-22 what a call is about', () => {
  test.each([
    ['Read', { file_path: '/a/b.go' }, '/a/b.go'],
    ['Write', { file_path: '/a/b.go', content: 'x' }, '/a/b.go'],
    ['Edit', { file_path: '/a/b.go' }, '/a/b.go'],
    ['Bash', { command: 'go test ./...', description: 'Run tests' }, 'go test ./...'],
    ['Bash', { description: 'Run tests' }, 'Run tests'],
    ['Bash', { command: 'x'.repeat(61) }, `${'x'.repeat(57)}...`],
    ['Glob', { pattern: '**/*.go' }, '**/*.go'],
    ['Grep', { pattern: 'x'.repeat(41) }, `${'x'.repeat(37)}...`],
    ['Task', { description: 'Explore' }, 'Explore'],
    ['Agent', { description: 'Explore' }, 'Explore'],
    ['WebFetch', { url: 'https://example.com' }, 'https://example.com'],
    ['WebSearch', { query: 'x'.repeat(51) }, `${'x'.repeat(47)}...`],
    ['Read', {}, ''],
    ['Novel', { anything: 1 }, ''],
  ])('%s %j', (name, input, toolInput) => {
    expect(parse(assistant(use(name, input))).events).toMatchObject([{ kind: 'ToolStart', toolName: name, toolInput }]);
  });
});

test('S1-09, S1-10, R-17 kinds and fields have the names of the seed', () => {
  const parser = parserFor('claude', { now: () => 1000 });
  const lines = [
    { type: 'system', subtype: 'init', session_id: 's1' },
    assistant({ type: 'text', text: 'Hello' }, use('Bash', { command: 'ls' })),
    user({ type: 'tool_result', tool_use_id: 't1', content: 'no', is_error: true }),
    { type: 'novel' },
    { type: 'result', subtype: 'success', result: 'Done', total_cost_usd: 0.015 },
  ];
  const events = lines.flatMap((line) => parser?.parse(JSON.stringify(line)).events ?? []);
  expect(events).toEqual([
    { kind: 'Progress', at: 1000, depth: 0, text: 'session: s1' },
    { kind: 'Text', at: 1000, depth: 0, text: 'Hello' },
    { kind: 'ToolStart', at: 1000, depth: 0, toolId: 't1', toolName: 'Bash', toolInput: 'ls' },
    { kind: 'ToolEnd', at: 1000, depth: 0, toolId: 't1', toolName: 'Bash', toolError: 'no' },
    { kind: 'Unknown', at: 1000, depth: 0, text: 'unknown message type: novel' },
    expect.objectContaining({ kind: 'Result', isComplete: true, result: 'Done', cost: 0.015, costDelta: 0.015 }),
  ]);
});

test('S1-53 another formatter needs only the events', () => {
  const { events } = parse(assistant({ type: 'text', text: 'Hello' }, use('Bash', { command: 'ls' })));
  const mine = events.map((event) => (event.kind === 'ToolStart' ? `run ${event.toolInput}` : event.kind));
  expect(mine).toEqual(['Text', 'run ls']);
});

test('U-1.3 todos and tokens', () => {
  const todos = [{ content: 'Fix it', status: 'in_progress' }];
  expect(parse(assistant(use('TodoWrite', { todos }))).events).toContainEqual({
    at: 1000,
    depth: 0,
    kind: 'Todo',
    todos: [{ text: 'Fix it', status: 'active' }],
  });
  const usage = { input_tokens: 1, output_tokens: 2, cache_read_input_tokens: 3, cache_creation_input_tokens: 4 };
  expect(parse({ type: 'result', subtype: 'success', usage }).events).toMatchObject([
    { usage: { inputTokens: 1, outputTokens: 2, cacheReadTokens: 3, cacheWriteTokens: 4 } },
  ]);
});
