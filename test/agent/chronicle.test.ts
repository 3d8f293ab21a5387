/** The promises that the chronicle keeps for every agent that writes through it. */
import { describe, expect, test } from 'vitest';
import { type Chronicle, createChronicle } from '../../src/agent/chronicle.js';

const tool = { name: 'Bash', kind: 'execute' } as const;

function written(...acts: Act[]): string[] {
  const chronicle = createChronicle();
  for (const act of acts) act(chronicle);
  return chronicle.take().map(({ type }) => type);
}

type Act = (chronicle: Chronicle) => void;

const startTool: Act = (chronicle) => chronicle.startTool('t', tool);
const endTool: Act = (chronicle) => chronicle.endTool('t', { status: 'ok' });
const input: Act = (chronicle) => chronicle.inputTool('t', {}, '');
const startMessage: Act = (chronicle) => chronicle.startMessage('m');
const endMessage: Act = (chronicle) => chronicle.endMessage('m');
const addText: Act = (chronicle) => chronicle.addText('text', 'm', 0, 'x');
const endText: Act = (chronicle) => chronicle.endText('text', 'm', 0, 'x');
const ask: Act = (chronicle) => chronicle.ask({ id: 'q', kind: 'tool' });
const withdraw: Act = (chronicle) => chronicle.withdraw('q', 'agent');
const resolve: Act = (chronicle) => chronicle.resolve({ id: 'q', decision: 'deny', by: 'person' });
const startTask: Act = (chronicle) => chronicle.startTask({ id: 'k', kind: 'agent' });
const endTask: Act = (chronicle) => chronicle.endTask('k', { status: 'ok' });
const startTurn: Act = (chronicle) => chronicle.startTurn();
const news: Act = (chronicle) => chronicle.continueTool({ type: 'tool-progress', id: 't' });

describe('what is repeated is said once', () => {
  test.each<[string, Act[], string[]]>([
    ['a tool that starts twice', [startTool, startTool], ['tool-start']],
    ['a tool that ends twice', [startTool, endTool, endTool], ['tool-start', 'tool-end']],
    ['a tool that starts after its end', [endTool, startTool], ['tool-end']],
    ['an input that comes twice', [startTool, input, input], ['tool-start', 'tool-input-end']],
    ['a message that ends twice', [startMessage, endMessage, endMessage], ['message-start', 'message-end']],
    ['text for a message that has ended', [startMessage, endMessage, addText], ['message-start', 'message-end']],
    ['a block that ends twice', [endText, endText], ['message-start', 'text-end']],
    ['a question that is asked again', [ask, withdraw, ask], ['approval-request', 'approval-withdraw']],
    ['an answer to what nobody asked', [resolve], []],
    ['a task that ends twice', [startTask, endTask, endTask], ['task-start', 'task-end']],
    ['a turn that starts twice', [startTurn, startTurn], ['turn-start']],
    ['news of a tool that is not open', [news], []],
  ])('%s', (_, acts, types) => {
    expect(written(...acts)).toEqual(types);
  });
});

describe('what is open is closed', () => {
  const open = (c: Chronicle) => {
    c.startTurn();
    c.addText('text', 'm', 0, 'Hal');
    c.startTool('t', tool, 'parent');
    c.ask({ id: 'q', kind: 'tool' });
    c.startTask({ id: 'k', kind: 'agent' });
    c.take();
  };

  test('by the end of the stream, as glassbox’s own conclusion', () => {
    const chronicle = createChronicle();
    open(chronicle);
    chronicle.end();
    const drafts = chronicle.take();
    expect(drafts).toMatchObject([
      { type: 'text-end', text: 'Hal', partial: true },
      { type: 'message-end' },
      { type: 'tool-end', status: 'unknown', parent: 'parent' },
      { type: 'approval-withdraw', why: 'exit' },
      { type: 'task-end', status: 'unknown' },
      { type: 'turn-end', outcome: 'unknown', turn: 1 },
    ]);
    expect(drafts.every(({ source }) => source === 'synthetic')).toBe(true);
  });

  test('by the end of its turn; tasks go on', () => {
    const chronicle = createChronicle();
    open(chronicle);
    chronicle.endTurn({ outcome: 'interrupted' });
    const drafts = chronicle.take();
    expect(drafts).toMatchObject([
      { type: 'text-end', partial: true },
      { type: 'message-end' },
      { type: 'tool-end', status: 'cancelled' },
      { type: 'approval-withdraw', why: 'interrupt' },
      { type: 'turn-end', outcome: 'interrupted', openTasks: ['k'] },
    ]);
    expect(drafts.at(-1)).not.toMatchObject({ source: 'synthetic' });
  });
});

test('a sub-agent in the background is not closed by the turn that started it', () => {
  const chronicle = createChronicle();
  chronicle.startTurn();
  chronicle.startTask({ id: 'k', kind: 'agent', toolId: 'spawn', background: true });
  chronicle.addText('text', 'm', 0, 'Hal', 'spawn');
  chronicle.startTool('t', tool, 'spawn');
  chronicle.endTurn({ outcome: 'success' });
  chronicle.endText('text', 'm', 0, 'Hallo', 'spawn');
  chronicle.endTool('t', { status: 'ok' });
  chronicle.end();
  expect(chronicle.take().slice(5)).toMatchObject([
    { type: 'turn-end', openTasks: ['k'] },
    { type: 'text-end', text: 'Hallo', parent: 'spawn' },
    { type: 'tool-end', status: 'ok', parent: 'spawn' },
    { type: 'message-end' },
    { type: 'task-end', status: 'unknown' },
  ]);
});

test('one in the foreground is', () => {
  const chronicle = createChronicle();
  chronicle.startTurn();
  chronicle.startTask({ id: 'k', kind: 'agent', toolId: 'spawn' });
  chronicle.startTool('t', tool, 'spawn');
  chronicle.endTurn({ outcome: 'interrupted' });
  expect(chronicle.take().slice(3)).toMatchObject([{ type: 'tool-end', status: 'cancelled' }, { type: 'turn-end' }]);
});

describe('an approval whose answer is not in the stream is settled by the end of its call', () => {
  test.each([
    ['tool', 'ok', 'allow'],
    ['tool', 'failed', 'allow'],
    ['tool', 'denied', 'deny'],
    ['question', 'ok', 'answer'],
  ] as const)('%s, %s: %s', (kind, status, decision) => {
    const chronicle = createChronicle();
    chronicle.startTool('t', tool, 'parent');
    chronicle.ask({ id: 'q', kind, toolId: 't' }, 'parent');
    chronicle.endTool('t', { status });
    chronicle.end();
    expect(chronicle.take().slice(2)).toMatchObject([
      { type: 'approval-resolve', id: 'q', decision, by: 'person', source: 'synthetic', parent: 'parent' },
      { type: 'tool-end', status },
    ]);
  });
});

test('a result without a turn proves that there was one', () => {
  expect(written((c) => c.endTurn({ outcome: 'success' }))).toEqual(['turn-start', 'turn-end']);
});

test('an id that changes is a change of session, and news about it an update', () => {
  const acts: Act[] = [
    (chronicle) => chronicle.startSession('a'),
    (chronicle) => chronicle.startSession('a'),
    (chronicle) => chronicle.startSession('a', { title: 'x' }),
    (chronicle) => chronicle.startSession('b'),
  ];
  expect(written(...acts)).toEqual(['session-start', 'session-update', 'session-change']);
});

test('what is said belongs to the turn that it starts', () => {
  const chronicle = createChronicle();
  chronicle.say('go');
  chronicle.startTurn();
  chronicle.say('more');
  expect(chronicle.take().map(({ type, turn }) => [type, turn])).toEqual([
    ['user-message', 1],
    ['turn-start', 1],
    ['user-message', 1],
  ]);
});
