/** Pending approvals by themselves, without an agent: who may answer what, with which words, and what is left when all is over. */
import { describe, expect, it, vi } from 'vitest';
import type { Action } from '../../src/agent/index.js';
import type { Draft, Suggestion } from '../../src/event/index.js';
import { createPendingApprovals, type PendingApprovalOptions } from '../../src/run/approval/pending-approvals.js';
import { NOBODY } from '../../src/run/approval/policy.js';
import type { ApprovalRequest } from '../../src/run/approval/rule.js';

const always: Suggestion = { allows: 'tool', what: ['Bash'], lasts: 'session' };
const person = { by: 'person', via: 'program' } as const;

function openApprovals(options: Partial<PendingApprovalOptions> = {}) {
  const acted: Action[] = [];
  const emitted: Draft[] = [];
  const approvals = createPendingApprovals({
    policy: { permission: 'ask', rules: [], place: { cwd: '/repo', home: '/home/me' }, addDirs: [] },
    canEditInput: true,
    timeoutMs: 0,
    isAttended: () => true,
    act: (action) => acted.push(action),
    emit: (draft) => emitted.push(draft),
    ...options,
  });
  /** As a run does it: the draft first, then the event after the guard. */
  const ask = (facts: Partial<ApprovalRequest> = {}, shown: Partial<ApprovalRequest> = {}) => {
    const draft = { type: 'approval-request', id: 'q1', kind: 'tool', toolName: 'Bash', turn: 1, ...facts } as const;
    approvals.peek(draft);
    approvals.request({ ...draft, seq: 1, at: 0, runId: 'r', agent: 'a', source: 'stream', ...shown });
  };
  return { approvals, ask, acted, emitted };
}

describe('an answer', () => {
  it('is passed on with who gave it, and only once', () => {
    const { approvals, ask, acted } = openApprovals();
    ask();
    expect(approvals.decide('q1', { type: 'approve' }, person)).toBe(true);
    expect(approvals.decide('q1', { type: 'approve' }, person)).toBe(false);
    expect(acted).toEqual([{ type: 'approve', id: 'q1', ...person }]);
  });

  it('changes the input as it was before the guard', () => {
    const { approvals, ask, acted } = openApprovals();
    ask({ input: { command: 'a', token: 'secret' } }, { input: { command: 'a', token: '[redacted]' } });
    const changes = { set: { '/command': 'b' } };
    approvals.decide('q1', { type: 'approve', changes }, person);
    expect(acted).toEqual([
      { type: 'approve', changes, id: 'q1', ...person, input: { command: 'b', token: 'secret' } },
    ]);
  });

  it.each([
    [{ type: 'approve', remember: [1] }, 'There is no such suggestion to remember.'],
    [{ type: 'approve', remember: [-1] }, 'remember[0] must be the position of a suggestion.'],
    [{ type: 'approve', remember: [0.5] }, 'remember[0] must be the position of a suggestion.'],
    [{ type: 'approve', changes: { remove: [1] } }, 'changes.remove[0] must be a text.'],
    [{ type: 'deny', message: 1 }, 'message must be a text.'],
    [{ type: 'deny', interrupt: 'yes' }, 'interrupt must be true or false.'],
    [{ type: 'answer' }, 'the whole must be an object with answers.'],
    [{ type: 'approve', changes: { set: { '/x': 1 } } }, 'A change names a field that the input does not have.'],
  ])('that makes no sense is refused, and the question stays: %j', (answer, message) => {
    const { approvals, ask, acted } = openApprovals();
    ask({ input: 'a text', suggestions: [always] });
    expect(() => approvals.decide('q1', answer as never, person)).toThrow(
      expect.objectContaining({ code: 'invalid-request', message }),
    );
    expect(approvals.pending()).toHaveLength(1);
    expect(acted).toEqual([]);
  });

  it('may remember the first and the last suggestion', () => {
    const { approvals, ask, acted } = openApprovals();
    ask({ suggestions: [always, always] });
    expect(approvals.decide('q1', { type: 'approve', remember: [0, 1] }, person)).toBe(true);
    expect(acted).toHaveLength(1);
  });

  it('with changes is refused by an agent that takes none, and one without is not', () => {
    const { approvals, ask, acted } = openApprovals({ canEditInput: false });
    ask({ input: { a: 1 } });
    const change = () => approvals.decide('q1', { type: 'approve', changes: { set: { '/a': 2 } } }, person);
    expect(change).toThrow(
      expect.objectContaining({ code: 'unsupported-capability', message: 'This agent takes no changed input.' }),
    );
    expect(approvals.decide('q1', { type: 'approve' }, person)).toBe(true);
    expect(acted).toHaveLength(1);
  });
});

describe('nobody', () => {
  it('there means no, at once, in words that tell what to do', () => {
    const { ask, acted } = openApprovals({ isAttended: () => false });
    ask();
    expect(acted).toEqual([{ type: 'deny', message: NOBODY, id: 'q1', by: 'nobody' }]);
    expect(NOBODY).toMatch(/nobody is there to be asked.*rule/);
  });

  it('left means no for everything that is open', () => {
    const { approvals, ask, acted } = openApprovals();
    ask();
    ask({ id: 'q2' });
    approvals.nobodyLeft();
    expect(acted.map((action) => 'id' in action && action.id)).toEqual(['q1', 'q2']);
    expect(approvals.pending()).toEqual([]);
  });

  it('answering in time means no; an answer in time ends the waiting', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate'] });
    try {
      const { approvals, ask, acted } = openApprovals({ timeoutMs: 1 });
      ask();
      ask({ id: 'q2' });
      approvals.decide('q2', { type: 'approve' }, person);
      vi.runAllTimers();
      expect(acted.slice(1)).toEqual([
        { type: 'deny', message: 'Denied: nobody answered in time.', id: 'q1', by: 'timeout' },
      ]);
      ask({ id: 'q3' });
      approvals.settle('q3');
      expect(vi.getTimerCount()).toBe(0);
      openApprovals({ timeoutMs: 0 }).ask();
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });
});

it('what was asked is forgotten when it is settled: another question under its id is judged by itself', () => {
  const rules = [{ decision: 'deny', command: 'rm *' }] as const;
  const policy = { permission: 'ask', rules, place: { cwd: '/', home: '/' }, addDirs: [] } as const;
  const { approvals, ask, acted } = openApprovals({ policy });
  ask({ command: 'rm x', toolKind: 'execute' });
  expect(acted).toMatchObject([{ type: 'deny', by: 'rule' }]);
  const stamped = { seq: 2, at: 0, runId: 'r', agent: 'a', source: 'stream', turn: 1 } as const;
  approvals.settle('q1');
  approvals.request({
    type: 'approval-request',
    id: 'q1',
    kind: 'tool',
    command: 'ls',
    toolKind: 'execute',
    ...stamped,
  });
  expect(acted).toHaveLength(1);
  expect(approvals.pending()).toMatchObject([{ id: 'q1', command: 'ls' }]);
});

describe('a question of the run itself', () => {
  const question = { title: 'Go on?', description: 'It cost much.', turn: 3 };

  /** Asks, and hands the emitted question back as the run does. */
  function askOwn(options?: Partial<PendingApprovalOptions>) {
    const all = openApprovals(options);
    const answered = all.approvals.ask(question);
    const [draft] = all.emitted.splice(0);
    if (draft?.type !== 'approval-request') throw new Error('nothing was asked');
    all.approvals.request({ ...draft, seq: 1, at: 0, runId: 'r', agent: 'a', source: 'synthetic' });
    return { ...all, answered, draft };
  }

  it('is told as one, and no rule answers it', () => {
    const rules = [{ decision: 'deny', tool: '*' }] as const;
    const policy = { permission: 'deny', rules, place: { cwd: '/', home: '/' }, addDirs: [] } as const;
    const { approvals, draft, emitted } = askOwn({ policy });
    expect(draft).toEqual({
      type: 'approval-request',
      id: 'glassbox-ask-1',
      kind: 'other',
      source: 'synthetic',
      ...question,
    });
    expect(approvals.pending()).toHaveLength(1);
    expect(emitted).toEqual([]);
  });

  it.each([
    [{ type: 'approve' }, true, { decision: 'allow' }],
    [{ type: 'deny', message: 'enough' }, false, { decision: 'deny', message: 'enough' }],
  ] as const)('%j is told to nobody but the run', async (answer, expected, said) => {
    const { approvals, answered, emitted, acted } = askOwn();
    expect(approvals.decide('glassbox-ask-1', answer, person)).toBe(true);
    expect(await answered).toBe(expected);
    const own = { type: 'approval-resolve', id: 'glassbox-ask-1', turn: 3, source: 'synthetic' };
    expect(emitted).toEqual([{ ...own, ...person, ...said }]);
    expect(acted).toEqual([]);
  });

  it('is withdrawn with the run, and that means no', async () => {
    const { approvals, ask, answered, emitted, acted } = askOwn();
    ask();
    approvals.close();
    expect(await answered).toBe(false);
    // What the agent asked is withdrawn by the agent's own end.
    expect(emitted).toEqual([
      { type: 'approval-withdraw', id: 'glassbox-ask-1', why: 'exit', turn: 3, source: 'synthetic' },
    ]);
    expect(approvals.pending()).toEqual([]);
    expect(acted).toEqual([]);
  });

  it('lends its name to nobody: what an agent asks under it later is for the rules', () => {
    const rules = [{ decision: 'deny', tool: 'Bash' }] as const;
    const policy = { permission: 'ask', rules, place: { cwd: '/', home: '/' }, addDirs: [] } as const;
    const { approvals, ask, acted } = askOwn({ policy });
    approvals.decide('glassbox-ask-1', { type: 'approve' }, person);
    ask({ id: 'glassbox-ask-1' });
    expect(acted).toMatchObject([{ type: 'deny', id: 'glassbox-ask-1', by: 'rule' }]);
  });

  it('has a name of its own', () => {
    const { approvals, emitted } = askOwn();
    void approvals.ask(question);
    expect(emitted).toMatchObject([{ id: 'glassbox-ask-2' }]);
  });
});

it('what the rules allow or forbid is judged before the guard, and told with the rule', () => {
  const rules = [
    { decision: 'deny', command: 'rm *' },
    { decision: 'allow', command: 'ls' },
  ] as const;
  const policy = { permission: 'ask', rules, place: { cwd: '/', home: '/' }, addDirs: [] } as const;
  const { ask, acted } = openApprovals({ policy });
  ask({ toolKind: 'execute', command: 'rm x' }, { command: 'ls' });
  ask({ id: 'q2', toolKind: 'execute', command: 'ls' }, { command: 'rm x' });
  expect(acted).toEqual([
    { type: 'deny', id: 'q1', message: 'Denied by the rule: deny command=rm *', by: 'rule', rule: 'deny command=rm *' },
    { type: 'approve', id: 'q2', by: 'rule', rule: 'allow command=ls' },
  ]);
});
