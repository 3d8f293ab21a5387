/** Sub-agents with conversations of their own are told within the one that called them: at their times, once, also a sub-agent's sub-agent. */
import { expect, test } from 'vitest';
import { AGENTS } from '../../src/agent/index.js';
import type { Draft } from '../../src/event/index.js';

const [root, child, grandchild] = ['1', '2', '3'].map((digit) => `01a1e7cd-0000-7000-8000-00000000000${digit}`);

const line = (second: number, type: string, payload: object) => ({
  timestamp: new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString(),
  type,
  payload,
});
const event = (second: number, type: string, body: object = {}) => line(second, 'event_msg', { type, ...body });
const item = (second: number, body: object) => event(second, 'item_completed', { item: body });
const says = (second: number, text: string) =>
  item(second, { type: 'AgentMessage', id: `m${second}`, content: [{ text }] });
const calls = (second: number, id: string, agent: string | undefined) =>
  item(second, {
    type: 'CollabAgentToolCall',
    id,
    tool: 'spawn_agent',
    status: 'completed',
    receiver_thread_ids: [agent],
  });
const spends = (second: number, input_tokens: number) =>
  event(second, 'token_count', { info: { total_token_usage: { input_tokens } } });
const begins = (second: number, id: string | undefined, parent?: string) =>
  line(second, 'session_meta', {
    id,
    session_id: root,
    ...(parent === undefined ? { source: 'exec' } : { source: { subagent: {} }, parent_thread_id: parent }),
  });

const files: [part: string | undefined, values: object[]][] = [
  [
    child,
    [
      begins(2, child, root),
      event(2, 'task_started'),
      says(3, 'child'),
      calls(4, 'c2', grandchild),
      spends(7, 20),
      event(8, 'task_complete'),
    ],
  ],
  [
    grandchild,
    [
      begins(4, grandchild, child),
      event(4, 'task_started'),
      says(5, 'grandchild'),
      spends(6, 30),
      event(6, 'task_complete'),
    ],
  ],
  [
    undefined,
    [
      begins(0, root),
      event(0, 'task_started'),
      calls(1, 'c1', child),
      says(9, 'root'),
      spends(9, 10),
      event(10, 'task_complete'),
    ],
  ],
];

function read(order: typeof files): Draft[] {
  const reader = AGENTS.find(({ name }) => name === 'codex')?.transcripts?.createReader();
  const moments = order.flatMap(([part, values]) => values.flatMap((value) => reader?.receive(value, part) ?? []));
  return [...moments, ...(reader?.end().moments ?? [])].map(({ draft }) => draft);
}

test('in the order of time, each below the call that it works for', () => {
  const drafts = read(files);
  const said = drafts.flatMap((draft) => (draft.type === 'text-end' ? [[draft.text, draft.parent]] : []));
  expect(said).toEqual([
    ['child', 'c1'],
    ['grandchild', `${child}/c2`],
    ['root', undefined],
  ]);
  const starts = drafts.flatMap((draft) => (draft.type === 'tool-start' ? [[draft.id, draft.parent]] : []));
  expect(starts).toEqual([
    ['c1', undefined],
    [`${child}/c2`, 'c1'],
  ]);
});

test('the turn pays for all of them, once, and they begin and end no turn', () => {
  const drafts = read(files);
  expect(drafts.filter(({ type }) => type === 'turn-start' || type === 'session-start')).toHaveLength(2);
  const ends = drafts.filter((draft) => draft.type === 'turn-end');
  expect(ends).toMatchObject([{ outcome: 'success', usage: { inputTokens: 60 }, usageCovers: 'all' }]);
});

test('a file belongs to the conversation that began it', () => {
  const codex = AGENTS.find(({ name }) => name === 'codex')?.transcripts;
  const path = (id: string | undefined) => `2026/01/01/rollout-2026-01-01T00-00-00-${id}.jsonl`;
  expect(codex?.identify(path(root), () => begins(0, root))).toEqual({ sessionId: root });
  expect(codex?.identify(path(grandchild), () => begins(4, grandchild, child))).toEqual({
    sessionId: root,
    part: grandchild,
  });
});

test('what it says in the words of another program too, which names it only when its call has ended', () => {
  const reader = AGENTS.find(({ name }) => name === 'kimi')?.transcripts?.createReader();
  const loop = (time: number, body: object) => ({ type: 'context.append_loop_event', time, event: body });
  const part = (time: number, text: string) => loop(time, { type: 'content.part', part: { type: 'text', text } });
  const values: [value: object, part?: string][] = [
    [{ type: 'turn.prompt', time: 2, input: [{ text: 'task' }] }, 'agent-0'],
    [part(3, 'inner'), 'agent-0'],
    [{ type: 'usage.record', time: 3, usage: { inputOther: 5 } }, 'agent-0'],
    [{ type: 'turn.ended', time: 4, reason: 'completed' }, 'agent-0'],
    [{ type: 'turn.prompt', time: 1, input: [{ text: 'go' }] }],
    [loop(1, { type: 'tool.call', toolCallId: 'c1', name: 'Agent', args: {} })],
    [loop(5, { type: 'tool.result', toolCallId: 'c1', result: { output: 'agent_id: agent-0\nstatus: completed' } })],
    [part(6, 'outer')],
    [{ type: 'usage.record', time: 6, usage: { inputOther: 1 } }],
    [{ type: 'turn.ended', time: 7, reason: 'completed' }],
  ];
  const begun = values.flatMap(([value, of]) => reader?.receive(value, of) ?? []);
  const drafts = [...begun, ...(reader?.end().moments ?? [])].map(({ draft }) => draft);
  const told = drafts.flatMap((draft) => {
    if (draft.type === 'text-end') return [`${draft.parent ?? ''} ${draft.text}`];
    return draft.type === 'tool-end' ? ['end'] : [];
  });
  expect(told).toEqual(['c1 inner', 'end', ' outer']);
  expect(drafts.find(({ type }) => type === 'turn-end')).toMatchObject({ usage: { inputTokens: 6 } });
});
