/** Every recording against every detector: its own agent is the surest, and a stranger is not claimed. */
import { describe, expect, test } from 'vitest';
import { AGENTS } from '../../src/agent/index.js';
import { allRecordings } from '../support/recordings.js';

const known = new Set(AGENTS.map(({ name }) => name));
const recordings = allRecordings().filter(({ agent }) => known.has(agent));

/** A failure before the first step is the same line in the whole opencode family; one of Qwen Code says nothing of its own. */
const ambiguous = /^kilo\/api-401$/;
const nameless = /^qwen\/no-auth$/;

describe.each(recordings.filter(({ stdout }) => stdout.length > 0))('$name', ({ agent, name, stdout }) => {
  const lines = new TextDecoder().decode(stdout).split('\n').slice(0, 5);
  const values = lines.flatMap((line) => {
    try {
      return [JSON.parse(line)];
    } catch {
      return [];
    }
  });

  test('is recognised by its first lines, and claimed by nobody when they are no JSON', () => {
    const sure = AGENTS.map((each) => [each.name, each.detect(values)] as const);
    expect(sure.filter(([, certainty]) => certainty < 0 || certainty > 1)).toEqual([]);
    const [surest] = [...sure].sort((a, b) => b[1] - a[1]);
    if (ambiguous.test(name))
      expect(sure.filter(([, certainty]) => certainty > 0).map(([each]) => each)).toContain(agent);
    else if (values.length === 0) expect(surest?.[1]).toBe(0);
    else if (nameless.test(name)) expect(surest?.[1]).toBeLessThan(1);
    else expect(surest).toEqual([agent, expect.toSatisfy((certainty: number) => certainty > 0)]);
  });
});

describe('strangers', () => {
  test.each([
    [{ level: 30, time: 1_794_787_200_000, msg: 'listening', pid: 1 }],
    [{ type: 'session', user: 'x' }],
    [{ type: 'error', message: 'x' }],
    [{ type: 'text', text: 'x' }],
    [{ jsonrpc: '2.0', id: 1, result: { tools: [] } }],
    [
      {
        type: 'result',
        subtype: 'success',
        result: 'x',
        is_error: false,
        session_id: 's',
        num_turns: 1,
        request_id: 'r',
      },
    ],
    [{ method: 'textDocument/didOpen', params: {} }],
    [{ id: 1, result: {} }],
    [{}],
    [[]],
    ['text'],
    [null],
    [42],
  ])('%j is nobody', (value) => {
    expect(AGENTS.filter((agent) => agent.detect([value, value]) > 0).map(({ name }) => name)).toEqual([]);
  });
});

describe('a single line of', () => {
  const ts = '2026-01-01T00:00:00Z';
  test.each<[agent: string, line: object, isIts: boolean]>([
    ['cline', { type: 'hook_event', ts, hookEventName: 'agent_start', agentId: 'a' }, true],
    ['cline', { type: 'hook_event', ts, hookEventName: 'agent_start' }, false],
    ['cline', { type: 'hook_event', ts, agentId: 'a' }, false],
    ['cline', { type: 'hook_event', hookEventName: 'agent_start', agentId: 'a' }, false],
    ['cline', { type: 'agent_event', ts, event: { type: 'x' } }, true],
    ['cline', { type: 'agent_event', ts, event: {} }, false],
    ['pi', { type: 'response', command: 'get_state', success: true }, true],
    ['pi', { type: 'response', command: 'get_state' }, false],
    ['pi', { type: 'response', success: true }, false],
    ['pi', { type: 'message_update', assistantMessageEvent: { type: 'text_delta' } }, true],
    ['pi', { type: 'message_update', assistantMessageEvent: {} }, false],
    ['pi', { type: 'message_end', message: { role: 'user' } }, true],
    ['pi', { type: 'message_end', message: {} }, false],
  ])('%s: %j is its own: %j', (name, line, isIts) => {
    const agent = AGENTS.find((each) => each.name === name);
    expect((agent?.detect([line]) ?? -1) > 0).toBe(isIts);
  });
});
