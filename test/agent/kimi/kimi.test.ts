import { describe, expect, test } from 'vitest';
import { kimi } from '../../../src/agent/kimi/index.js';
import { draftsOf, ofType, requestFor } from '../drive.js';
import { testAgent } from '../suite.js';

const free = '--print --output-format=stream-json';
const bound = `${free} --agent-file={agent}`;

testAgent({
  agent: kimi,
  folders: ['kimi-synthetic'],
  commands: [
    ['the prompt goes by stdin, the agent has only some tools', {}, bound, 'text'],
    ['bypass', { permission: 'bypass' }, free, 'text'],
    ['plan', { permission: 'plan' }, bound],
    ['model', { permission: 'bypass', model: 'm' }, `${free} --model=m`],
    ['MCP servers', { permission: 'bypass', mcpConfig: '/a.json' }, `${free} --mcp-config-file=/a.json`],
    ['resume', { permission: 'bypass', resume: 'id-1' }, `${free} --session=id-1`],
    ['session id', { permission: 'bypass', sessionId: 'id-1' }, `${free} --session=id-1`],
    ['resume the latest', { permission: 'bypass', resume: 'latest' }, `${free} --continue`],
    ['further arguments', { permission: 'bypass', extraArgs: ['--debug'] }, `${free} --debug`],
  ],
});

describe('permissions', () => {
  test.each([
    ['deny', /Shell|WriteFile|StrReplaceFile/, false],
    ['ask', /Shell|WriteFile|StrReplaceFile/, false],
    ['accept-edits', /Shell/, false],
    ['accept-edits', /WriteFile.*StrReplaceFile/, true],
  ] as const)('%s: %s is %s', (permission, pattern, isThere) => {
    const { files } = kimi.command(requestFor({ permission }));
    expect(pattern.test(files?.[0]?.text ?? '')).toBe(isThere);
  });
});

const call = (id: string | undefined, name: string, args: object) => ({
  type: 'function',
  ...(id && { id }),
  function: { name, arguments: JSON.stringify(args) },
});
const assistant = (content: unknown, ...tool_calls: object[]) => ({ role: 'assistant', content, tool_calls });

describe('stream', () => {
  test('results find calls without an id in their order', () => {
    const events = draftsOf(kimi, [
      assistant('', call(undefined, 'Shell', { command: 'a' }), call(undefined, 'Shell', { command: 'b' })),
      { role: 'tool', tool_call_id: 'tc_1', content: 'A' },
      { role: 'tool', tool_call_id: 'tc_2', content: [{ type: 'text', text: 'B' }] },
      assistant('Done.'),
    ]);
    expect(ofType(events, 'tool-end').map(({ id, output }) => [id, output])).toEqual([
      ['message-1-call-1', 'A'],
      ['message-1-call-2', 'B'],
    ]);
  });

  test('results find calls with an id by it', () => {
    const events = draftsOf(kimi, [
      assistant('', call('x', 'WriteFile', { path: '/a' }), call('y', 'Shell', { command: 'b' })),
      { role: 'tool', tool_call_id: 'y', content: 'ERROR: no' },
      { role: 'tool', tool_call_id: 'x', content: 'ok' },
    ]);
    expect(ofType(events, 'tool-end').map(({ id, status }) => [id, status])).toEqual([
      ['y', 'failed'],
      ['x', 'ok'],
    ]);
    expect(ofType(events, 'file-change')).toMatchObject([{ toolId: 'x', path: '/a' }]);
  });

  test('thoughts are parts of a message', () => {
    const parts = [
      { type: 'think', think: 'Hm.' },
      { type: 'text', text: 'Yes.' },
    ];
    const events = draftsOf(kimi, [assistant(parts)]);
    expect(ofType(events, 'thinking-end')).toMatchObject([{ text: 'Hm.' }]);
    expect(ofType(events, 'text-end')).toMatchObject([{ text: 'Yes.' }]);
  });

  test.each([
    ['nothing more was asked for', [assistant('Done.')], ['success']],
    ['a call is open', [assistant('', call('x', 'Shell', {}))], ['unknown']],
    ['nothing was said', [], []],
  ])('there is no result: %s', (_, lines, outcomes) => {
    expect(ofType(draftsOf(kimi, lines), 'turn-end').map(({ outcome }) => outcome)).toEqual(outcomes);
  });
});
