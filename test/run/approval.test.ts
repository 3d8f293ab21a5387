import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AgentEvent, EventOf } from '../../src/event/index.js';
import type { RunHandle, RunRequest } from '../../src/run/index.js';
import { ask, init, result, type Step, say, toolResult, toolUse } from '../fake-agent/lines.js';
import { play, readAll, temporaryDirectory } from '../fake-agent/play.js';

const input = { command: 'touch ok.txt', description: 'a file' };
const suggestions = [{ type: 'addRules', rules: [{ toolName: 'Bash' }], behavior: 'allow', destination: 'session' }];

/** One tool call that is asked about. */
const askedOnce = (given: unknown = input): Step[] => [
  init(),
  toolUse('t1', 'Bash', given),
  ask('q1', 't1', 'Bash', given, suggestions),
  { hear: '"request_id":"q1"' },
  toolResult('t1', 'done'),
  result('done'),
];

interface Played {
  events: AgentEvent[];
  /** Our answers to the agent, by request id. */
  replies: Map<string, unknown>;
  handle: RunHandle;
}

async function playAnswering(
  script: readonly Step[],
  onRequest: (request: EventOf<'approval-request'>, handle: RunHandle) => void,
  request: Partial<RunRequest> = {},
): Promise<Played> {
  const log = path.join(temporaryDirectory(), 'log');
  const handle = play(script, { ...request, env: { FAKE_AGENT_LOG: log } });
  const events = await readAll(handle, (event) => {
    if (event.type === 'approval-request') onRequest(event, handle);
  });
  const lines = readFileSync(log, 'utf8').trimEnd().split('\n');
  const answers = lines.map((line) => JSON.parse(line)).filter(({ type }) => type === 'control_response');
  const replies = new Map(answers.map(({ response }) => [response.request_id, response.response ?? response.error]));
  return { events, replies, handle };
}

function resolves({ events }: Played): EventOf<'approval-resolve'>[] {
  return events.filter((event) => event.type === 'approval-resolve');
}

describe('approvals', () => {
  it('S4-02 S4-13 LL-04 allow echoes the input exactly', async () => {
    const played = await playAnswering(askedOnce(), ({ id }, handle) => expect(handle.approve(id)).toBe(true));
    expect(played.replies.get('q1')).toEqual({ behavior: 'allow', updatedInput: input });
    expect(resolves(played)).toMatchObject([{ id: 'q1', decision: 'allow', by: 'person' }]);
  });

  it('decision 8 a change by path leaves every other field its original, however large', async () => {
    const given = { command: 'a', content: 'x'.repeat(3_000_000), token: 'sk-ant-api03-abcdefghijklmnopqrstuvwxyz' };
    const played = await playAnswering(askedOnce(given), ({ id }, handle) =>
      handle.approve(id, { changes: { set: { '/command': 'b' } } }),
    );
    expect(played.replies.get('q1')).toEqual({ behavior: 'allow', updatedInput: { ...given, command: 'b' } });
    expect(resolves(played)).toMatchObject([{ decision: 'allow', changes: { set: { '/command': 'b' } } }]);
  });

  it('a change that leads nowhere is refused, and the request stays open', async () => {
    await playAnswering(askedOnce(), ({ id }, handle) => {
      const change = () => handle.approve(id, { changes: { set: { '/no/such': 1 } } });
      expect(change).toThrow(expect.objectContaining({ code: 'invalid-request' }));
      expect(handle.pending().map((request) => request.id)).toEqual(['q1']);
      handle.approve(id);
    });
  });

  it('refuses what it does not understand, instead of running the unchanged call', async () => {
    const played = await playAnswering(askedOnce(), ({ id }, handle) => {
      const attempts: [Record<string, unknown>, RegExp][] = [
        [{ input: { command: 'ls' } }, /input is not/],
        [{ changes: { '/command': 'ls' } }, /changes\.\/command is not/],
        [{ changes: { remove: '/command' } }, /changes\.remove must be a list/],
        [{ remember: true }, /remember must be a list/],
        [{ remember: [1] }, /no such suggestion/],
      ];
      for (const [options, message] of attempts) expect(() => handle.approve(id, options)).toThrow(message);
      handle.deny(id);
    });
    expect(played.replies.get('q1')).toMatchObject({ behavior: 'deny' });
  });

  it('says who decided and by which way', async () => {
    const decider = { by: 'person', who: 'ada', via: 'page' } as const;
    const played = await playAnswering(askedOnce(), ({ id }, handle) =>
      handle.decide(id, { type: 'deny', message: 'not now' }, decider),
    );
    expect(resolves(played)).toMatchObject([{ decision: 'deny', message: 'not now', ...decider }]);
    const inProgram = await playAnswering(askedOnce(), ({ id }, handle) => handle.approve(id));
    expect(resolves(inProgram)).toMatchObject([{ by: 'person', via: 'program' }]);
  });

  it('remembers by the agent’s own suggestions', async () => {
    const played = await playAnswering(askedOnce(), ({ id }, handle) => handle.approve(id, { remember: [0] }));
    expect(played.replies.get('q1')).toMatchObject({ behavior: 'allow', updatedPermissions: suggestions });
    expect(resolves(played)).toMatchObject([{ decision: 'allow-always' }]);
  });

  it('a reason that nobody gave is told to the agent, which wants one, and not recorded as said', async () => {
    const played = await playAnswering(askedOnce(), ({ id }, handle) => handle.deny(id));
    expect(played.replies.get('q1')).toMatchObject({ behavior: 'deny', message: 'Denied by the user.' });
    expect(resolves(played).map(({ decision, message }) => ({ decision, message }))).toEqual([{ decision: 'deny' }]);
  });

  it('LL-04 deny carries a message, and may end the turn', async () => {
    const played = await playAnswering(askedOnce(), ({ id }, handle) =>
      handle.deny(id, 'not there', { interrupt: true }),
    );
    expect(played.replies.get('q1')).toEqual({ behavior: 'deny', message: 'not there', interrupt: true });
    expect(resolves(played)).toMatchObject([{ decision: 'deny', by: 'person', message: 'not there' }]);
  });

  it('LL-33 answers are taken once', async () => {
    const played = await playAnswering(askedOnce(), ({ id }, handle) => {
      expect(handle.deny(id)).toBe(true);
      expect(handle.approve(id)).toBe(false);
      expect(handle.approve('never asked')).toBe(false);
    });
    expect(resolves(played)).toHaveLength(1);
  });

  it('LL-33 several requests wait side by side and are answered in any order', async () => {
    const script = [
      init(),
      ask('q1', 't1', 'Bash', input),
      ask('q2', 't2', 'Write', { file_path: 'a' }),
      { hear: '"request_id":"q2"' },
      { hear: '"request_id":"q1"' },
      result('x'),
    ];
    const played = await playAnswering(script, ({ id }, handle) => {
      if (id !== 'q2') return;
      expect(handle.pending().map((request) => request.id)).toEqual(['q1', 'q2']);
      handle.deny('q2');
      handle.approve('q1');
    });
    expect(resolves(played).map(({ id, decision }) => `${id} ${decision}`)).toEqual(['q2 deny', 'q1 allow']);
  });

  it('LL-33 one that the agent takes back is no longer open', async () => {
    const script = [
      init(),
      ask('q1', 't1', 'Bash', input),
      say({ type: 'control_cancel_request', request_id: 'q1' }),
      result('x'),
    ];
    const handle = play(script);
    const events = await readAll(handle);
    expect(events).toContainEqual(expect.objectContaining({ type: 'approval-withdraw', id: 'q1', why: 'agent' }));
    expect(handle.pending()).toEqual([]);
    expect(handle.approve('q1')).toBe(false);
  });

  it('LL-33 one that is open at the end is withdrawn and told', async () => {
    const handle = play([init(), ask('q1', 't1', 'Bash', input), { exit: 1 }]);
    const events = await readAll(handle);
    expect(events).toContainEqual(expect.objectContaining({ type: 'approval-withdraw', why: 'exit' }));
    expect((await handle.completion).open.approvals).toEqual(['q1']);
  });

  it('questions are answered by their text', async () => {
    const question = { questions: [{ question: 'Which?', options: [{ label: 'A' }, { label: 'B' }] }] };
    const script = [init(), ask('q1', 't1', 'AskUserQuestion', question), { hear: '"request_id":"q1"' }, result('x')];
    const played = await playAnswering(script, ({ id, kind }, handle) => {
      expect(kind).toBe('question');
      handle.answer(id, { 'Which?': 'B' });
    });
    expect(played.replies.get('q1')).toMatchObject({ behavior: 'allow', updatedInput: { answers: { 'Which?': 'B' } } });
  });

  it('a request of an unknown kind is answered with an error at once', async () => {
    const unknown = say({ type: 'control_request', request_id: 'q9', request: { subtype: 'new_thing' } });
    const played = await playAnswering([init(), unknown, { hear: 'q9' }, result('x')], () => {});
    expect(played.replies.get('q9')).toMatch(/cannot answer/);
  });

  it('S4-08 a hook callback is an approval of its own kind', async () => {
    const hook = {
      subtype: 'hook_callback',
      callback_id: 'h',
      input: { hook_event_name: 'PreToolUse', tool_name: 'Bash' },
    };
    const script = [
      init(),
      say({ type: 'control_request', request_id: 'q1', request: hook }),
      { hear: 'q1' },
      result('x'),
    ];
    const kinds: string[] = [];
    await playAnswering(script, ({ id, kind }, handle) => {
      kinds.push(kind);
      handle.approve(id);
    });
    expect(kinds).toEqual(['hook']);
  });
});

describe('deciding without a person', () => {
  it('decision 1 S1-05 denies when nobody is there, and reports it', async () => {
    const handle = play(askedOnce());
    expect((await handle.completion).reason).toBe('finished');
    const events = await readAll(handle);
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'approval-resolve', decision: 'deny', by: 'nobody' }),
    );
  });

  it('decision 1 denies what is open when the last reader leaves', async () => {
    const handle = play(askedOnce());
    for await (const event of handle.events) if (event.type === 'approval-request') break;
    expect((await handle.completion).reason).toBe('finished');
  });

  it('decision 1 denies although somebody reads, when that one does not answer', async () => {
    const played = await playAnswering(askedOnce(), () => {}, { attended: false });
    expect(resolves(played)).toMatchObject([{ decision: 'deny', by: 'nobody' }]);
  });

  it('rules decide before anybody is asked, and say so', async () => {
    const rules = [
      { decision: 'allow', tool: 'Bash', command: 'touch *' },
      { decision: 'deny', command: 'rm *' },
    ] as const;
    const decide = async (command: string) => {
      const handle = play(askedOnce({ command }), { permission: 'deny', rules });
      const [resolve] = (await readAll(handle)).filter((event) => event.type === 'approval-resolve');
      return resolve;
    };
    expect(await decide('touch a')).toMatchObject({
      decision: 'allow',
      by: 'rule',
      rule: 'allow tool=Bash command=touch *',
    });
    expect(await decide('rm a')).toMatchObject({ decision: 'deny', by: 'rule', rule: 'deny command=rm *' });
    expect(await decide('ls')).toMatchObject({ decision: 'deny', by: 'rule', rule: 'permission deny' });
  });

  it('no answer in time is a denial by timeout', async () => {
    const played = await playAnswering(askedOnce(), () => {}, { approvalTimeoutMs: 50 });
    expect(resolves(played)).toMatchObject([{ decision: 'deny', by: 'timeout' }]);
  });
});
