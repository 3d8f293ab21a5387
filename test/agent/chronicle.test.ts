/** The promises that the chronicle keeps for every agent: nothing of an agent is written but through it. */
import { describe, expect, test } from 'vitest';
import { type Ask, type Chronicle, createChronicle } from '../../src/agent/chronicle/chronicle.js';
import { toolTable } from '../../src/agent/tool-table.js';

const tool = { name: 'Bash', kind: 'execute' } as const;

function written(...acts: Act[]): string[] {
  const chronicle = createChronicle();
  for (const act of acts) act(chronicle);
  return chronicle.take().map(({ type }) => type);
}

type Act = (chronicle: Chronicle) => void;

const startTool: Act = (chronicle) => chronicle.startTool('t', tool);
const endTool: Act = (chronicle) => void chronicle.endTool('t', { status: 'ok' });
const input: Act = (chronicle) => chronicle.inputTool('t', {});
const startMessage: Act = (chronicle) => chronicle.startMessage('m');
const endMessage: Act = (chronicle) => chronicle.endMessage('m');
const addText: Act = (chronicle) => chronicle.addText('text', 'm', 0, 'x');
const endText: Act = (chronicle) => chronicle.endText('text', 'm', 0, 'x');
const askFor = (request: Ask['request']): Ask => ({
  request,
  reply: ({ type }) => ({ type }),
  cancelled: { type: 'none' },
});
const nobody = () => {};
const ask: Act = (chronicle) => chronicle.ask('q', askFor({ kind: 'tool' }), nobody);
const withdraw: Act = (chronicle) => chronicle.withdraw('q', 'agent');
const resolve: Act = (chronicle) => chronicle.resolve({ id: 'q', decision: 'deny', by: 'person' });
const startTask: Act = (chronicle) => chronicle.startTask({ id: 'k', kind: 'agent' });
const endTask: Act = (chronicle) => chronicle.endTask('k', { status: 'ok' });
const startTurn: Act = (chronicle) => chronicle.startTurn();
const startHook: Act = (chronicle) => chronicle.startHook({ id: 'h', name: 'hook' });
const endHook: Act = (chronicle) => chronicle.endHook({ id: 'h', name: 'hook', outcome: 'ok' });
const startCompaction: Act = (chronicle) => chronicle.startCompaction();
const endCompaction: Act = (chronicle) => chronicle.endCompaction();
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
    ['a hook that ends twice', [startHook, endHook, endHook], ['hook-start', 'hook-end']],
    ['a hook that starts after its end', [endHook, startHook, endHook], ['hook-end']],
    [
      'a compaction that starts twice',
      [startCompaction, startCompaction, endCompaction],
      ['compaction-start', 'compaction-end'],
    ],
  ])('%s', (_, acts, types) => {
    expect(written(...acts)).toEqual(types);
  });
});

describe('an end proves that there was a start', () => {
  test.each<[string, Act[], string[]]>([
    ['a turn', [(c) => c.endTurn({ outcome: 'success' })], ['turn-start', 'turn-end']],
    ['a block', [endText], ['message-start', 'text-end']],
  ])('%s', (_, acts, types) => {
    expect(written(...acts)).toEqual(types);
  });
});

test('what promises something cannot be written by an agent itself', () => {
  // @ts-expect-error An end is the keeper's own.
  expect(written((chronicle) => chronicle.write({ type: 'tool-end', id: 't', status: 'ok' }))).toHaveLength(1);
});

describe('what is open is closed', () => {
  const open = (c: Chronicle) => {
    c.startTurn();
    c.addText('text', 'm', 0, 'Hal');
    c.startTool('t', tool, 'parent');
    c.ask('q', askFor({ kind: 'tool' }), nobody);
    c.startTask({ id: 'k', kind: 'agent' });
    startHook(c);
    startCompaction(c);
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
      { type: 'compaction-end', error: 'cut off' },
      { type: 'hook-end', outcome: 'unknown' },
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
    ['tool', { status: 'ok' }, 'allow'],
    ['tool', { status: 'failed', exitCode: 1 }, 'allow'],
    ['tool', { status: 'failed' }, 'unknown'],
    ['tool', { status: 'denied' }, 'deny'],
    ['question', { status: 'ok' }, 'answer'],
    ['question', { status: 'failed' }, 'unknown'],
  ] as const)('%s, %j: %s', (kind, result, decision) => {
    const chronicle = createChronicle();
    chronicle.startTool('t', tool, 'parent');
    chronicle.ask('q', askFor({ kind, toolId: 't' }), nobody, 'parent');
    chronicle.endTool('t', result);
    chronicle.end();
    expect(chronicle.take().slice(2)).toMatchObject([
      { type: 'approval-resolve', id: 'q', decision, by: 'unknown', source: 'synthetic', parent: 'parent' },
      { type: 'tool-end', ...result },
    ]);
  });
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
  chronicle.say({ text: 'go' });
  chronicle.startTurn();
  chronicle.say({ text: 'more' });
  expect(chronicle.take().map(({ type, turn }) => [type, turn])).toEqual([
    ['user-message', 1],
    ['turn-start', 1],
    ['user-message', 1],
  ]);
});

test('a turn that begins while another is open keeps what is its own', () => {
  const chronicle = createChronicle();
  chronicle.startNextTurn();
  chronicle.startTool('old', tool);
  chronicle.startNextTurn();
  chronicle.startTool('new', tool);
  chronicle.addText('text', 'm', 0, 'Hal');
  chronicle.take();
  chronicle.endTurn({ outcome: 'success' });
  chronicle.endTool('new', { status: 'ok' });
  chronicle.endMessage('m');
  chronicle.endTurn({ outcome: 'success' });
  expect(chronicle.take()).toMatchObject([
    { type: 'tool-end', id: 'old', status: 'unknown' },
    { type: 'turn-end', turn: 1 },
    { type: 'tool-end', id: 'new', status: 'ok' },
    { type: 'text-end', text: 'Hal', turn: 2 },
    { type: 'message-end', turn: 2 },
    { type: 'turn-end', turn: 2 },
  ]);
});

test('a result may name its turn', () => {
  const chronicle = createChronicle();
  chronicle.startNextTurn();
  chronicle.startNextTurn();
  chronicle.endTurn({ outcome: 'success' }, chronicle.turnToEnd(2));
  chronicle.endTurn({ outcome: 'failed' }, chronicle.turnToEnd(2));
  expect(chronicle.take().slice(2)).toMatchObject([
    { type: 'turn-end', turn: 2, outcome: 'success' },
    { type: 'turn-end', turn: 1, outcome: 'failed' },
  ]);
});

test('a block that comes late is told, and its message neither starts nor ends again', () => {
  const acts: Act[] = [
    endText,
    endMessage,
    (chronicle) => chronicle.continueMessage('m'),
    (chronicle) => chronicle.endText('text', 'm', 1, 'late'),
    endMessage,
  ];
  expect(written(...acts)).toEqual(['message-start', 'text-end', 'message-end', 'text-end']);
});

test('what is taken back is told neither as said nor as ended, and says no more', () => {
  const retract: Act = (chronicle) => chronicle.retractMessage('m', 'stream-broken');
  expect(written(addText, retract, addText, endMessage, retract)).toEqual([
    'message-start',
    'text-delta',
    'message-retract',
  ]);
});

test('a tool that is told by events of its own has no card, and is known while it is open', () => {
  const chronicle = createChronicle(toolTable({ hidden: { Plan: 'plan' } }));
  chronicle.startTool('t', { name: 'Plan' });
  chronicle.inputTool('t', { plan: 'x' });
  expect(chronicle.tool('t')).toMatchObject({ name: 'Plan', input: { plan: 'x' } });
  expect(chronicle.endTool('t', { status: 'ok' })).toBe(true);
  expect(chronicle.endTool('t', { status: 'ok' })).toBe(false);
  expect(chronicle.take()).toEqual([]);
});

describe('a question', () => {
  const asked = () => {
    const sent: unknown[] = [];
    const chronicle = createChronicle();
    chronicle.startTool('t', tool);
    chronicle.ask('q', askFor({ kind: 'tool', toolId: 't' }), (body) => sent.push(body));
    chronicle.take();
    return { chronicle, sent, types: () => chronicle.take().map(({ type }) => type) };
  };
  const approve = { type: 'approve', id: 'q', by: 'person' } as const;

  test('is answered once, in the agent’s words', () => {
    const { chronicle, sent, types } = asked();
    expect(chronicle.decide(approve)).toBeDefined();
    expect(chronicle.decide(approve)).toBeUndefined();
    expect(sent).toEqual([{ type: 'approve' }]);
    expect(types()).toEqual(['approval-resolve']);
  });

  test('that nobody will answer is told so to whoever asked', () => {
    const { chronicle, sent, types } = asked();
    chronicle.cancelAsks();
    expect(sent).toEqual([{ type: 'none' }]);
    expect(types()).toEqual(['approval-withdraw']);
  });

  test('that somebody else answered is answered by nobody, and settled by the end of its call', () => {
    const { chronicle, sent, types } = asked();
    expect(chronicle.leaveAsk('q')).toBe(true);
    expect(chronicle.decide(approve)).toBeUndefined();
    chronicle.endTool('t', { status: 'ok' });
    expect(sent).toEqual([]);
    expect(types()).toEqual(['approval-resolve', 'tool-end']);
  });

  test('that was refused marks its call', () => {
    const { chronicle } = asked();
    chronicle.decide({ type: 'deny', id: 'q', by: 'person', message: 'no' });
    expect(chronicle.tool('t')?.decision).toBe('deny');
  });

  test.each([
    [[{ toolName: 'Bash', toolId: 't' }], 'deny'],
    [undefined, 'unknown'],
  ] as const)('whose call shows nothing is settled by the refusals of its turn (%j: %s)', (denials, decision) => {
    const { chronicle } = asked();
    chronicle.endTool('t', { status: 'failed' }, undefined, { decision: 'unclear' });
    chronicle.endTurn({ outcome: 'success', denials: denials && [...denials] });
    const told = chronicle.take();
    expect(told.filter(({ type }) => type === 'approval-resolve')).toMatchObject([{ decision, by: 'unknown' }]);
    expect(told.filter(({ type }) => type === 'permission-deny')).toHaveLength(denials ? 1 : 0);
  });

  test.each([
    ['ok', 'ok', 'allow'],
    ['denied', 'denied', 'deny'],
    ['failed', 'ok', 'allow'],
    ['failed', 'failed', 'unknown'],
  ] as const)('about two calls that end %s and %s is settled once: %s', (first, second, decision) => {
    const chronicle = createChronicle();
    chronicle.startTurn();
    for (const id of ['a', 'b']) chronicle.startTool(id, tool);
    const calls = ['a', 'b'].map((toolId) => ({ toolId, toolName: 'Bash', toolKind: 'execute' as const }));
    chronicle.ask('q', askFor({ kind: 'tool', calls }), nobody);
    chronicle.endTool('a', { status: first });
    chronicle.endTool('b', { status: second });
    chronicle.endTurn({ outcome: 'success' });
    const settled = chronicle.take().filter(({ type }) => /^approval-(resolve|withdraw)$/.test(type));
    expect(settled).toMatchObject([{ type: 'approval-resolve', decision, by: 'unknown' }]);
  });

  test.each<Ask['request']>([{ kind: 'hook' }, { kind: 'question' }])(
    'that no call can show is settled with its turn, as nobody knows (%j)',
    (request) => {
      const chronicle = createChronicle();
      chronicle.startTurn();
      chronicle.ask('h', askFor(request), nobody);
      chronicle.endTurn({ outcome: 'success' });
      expect(chronicle.take().slice(2)).toMatchObject([
        { type: 'approval-resolve', decision: 'unknown' },
        { type: 'turn-end' },
      ]);
    },
  );
});
