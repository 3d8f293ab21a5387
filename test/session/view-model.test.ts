/** S4's conversation view model over scripted runs. */
import { expect, test } from 'vitest';
import { type ConversationRun, createConversation } from '../../src/compat.js';
import { type AgentEvent, GlassboxError } from '../../src/event/index.js';
import { type Body, stamped } from './play.js';

test('S4-10 shows text and tool calls as they come, and the id to resume with', async () => {
  const { conversation, runs } = scripted();
  const ended = conversation.startSession('Fix it');
  expect(conversation.isProcessing).toBe(true);
  await runs[0]?.say(
    { type: 'user-message', text: 'Fix it', sessionId: 's-1' },
    { type: 'message-start', messageId: 'm' },
    { type: 'text-delta', messageId: 'm', index: 0, text: 'On' },
    { type: 'text-delta', messageId: 'm', index: 0, text: ' it' },
    { type: 'tool-start', id: 't', name: 'Read', kind: 'read', messageId: 'm', index: 1 },
  );
  expect(conversation.sessionId).toBe('s-1');
  expect(conversation.messages).toMatchObject([
    { role: 'user', blocks: [{ kind: 'text', text: 'Fix it' }] },
    {
      role: 'assistant',
      blocks: [
        { kind: 'text', text: 'On it' },
        { kind: 'tool', tool: { name: 'Read' } },
      ],
    },
  ]);
  await runs[0]?.say({ type: 'tool-end', id: 't', status: 'ok', output: 'text' });
  expect(conversation.messages[1]?.blocks[1]).toMatchObject({ tool: { status: 'ok', output: 'text' } });
  runs[0]?.end();
  await ended;
  expect(conversation.isProcessing).toBe(false);
  expect(conversation.error).toBeUndefined();
});

test('S4-11, LL-33 the pending approval is the head of a queue, and every request gets one answer', async () => {
  const { conversation, runs } = scripted();
  const ended = conversation.startSession('go');
  const ask = (id: string): Body => ({ type: 'approval-request', id, kind: 'tool', toolName: 'Bash' });
  await runs[0]?.say(ask('a'), ask('b'), ask('c'));
  expect(conversation.pendingToolApproval?.id).toBe('a');
  expect(conversation.approveToolUse('a', { remember: [0] })).toBe(true);
  expect(conversation.approveToolUse('a')).toBe(false);
  expect(conversation.denyToolUse('a')).toBe(false);
  expect(conversation.pendingToolApproval?.id).toBe('b');
  await runs[0]?.say({ type: 'approval-withdraw', id: 'b', why: 'agent' });
  expect(conversation.denyToolUse('b')).toBe(false);
  expect(conversation.denyToolUse('c')).toBe(true);
  expect(conversation.approveToolUse('unknown')).toBe(false);
  expect(conversation.pendingToolApproval).toBeUndefined();
  expect(runs[0]?.answers).toEqual([
    ['approve', 'a', { remember: [0] }],
    ['deny', 'c', 'The user did not allow this.'],
  ]);
  runs[0]?.end();
  await ended;
});

test('S4-03 a conversation goes on in another run, a new one forgets the old', async () => {
  const { conversation, runs, requests } = scripted();
  await expect(conversation.resumeSession('more')).rejects.toThrow(GlassboxError);
  await played(conversation.startSession('one'), () => runs[0], {
    type: 'user-message',
    text: 'one',
    sessionId: 's-1',
  });
  await played(conversation.resumeSession('two'), () => runs[1], {
    type: 'user-message',
    text: 'two',
    runId: 'second',
  });
  expect(conversation.messages).toHaveLength(2);
  await played(conversation.resumeSession('three', 's-0'), () => runs[2], { type: 'user-message', text: 'three' });
  expect(conversation.messages).toHaveLength(1);
  await played(conversation.startSession('four'), () => runs[3]);
  expect(conversation.messages).toEqual([]);
  expect(requests).toEqual([
    { prompt: 'one' },
    { prompt: 'two', resume: 's-1' },
    { prompt: 'three', resume: 's-0' },
    { prompt: 'four' },
  ]);
});

test('S4-21, R-25 one run at a time, and several conversations beside each other', async () => {
  const { conversation, runs } = scripted();
  const other = scripted();
  const ended = conversation.startSession('go');
  await expect(conversation.startSession('again')).rejects.toMatchObject({ code: 'conflict' });
  const otherEnded = other.conversation.startSession('also');
  await other.runs[0]?.say({ type: 'user-message', text: 'also' });
  expect([conversation.messages.length, other.conversation.messages.length]).toEqual([0, 1]);
  runs[0]?.end();
  other.runs[0]?.end();
  await Promise.all([ended, otherEnded]);
});

test('S4-15 errors are values: of the agent, of the stream, of a start that fails', async () => {
  const { conversation, runs } = scripted();
  const ended = conversation.startSession('go');
  await runs[0]?.say({ type: 'agent-error', category: 'auth', message: 'Log in.', fatal: true });
  expect(conversation.error).toMatchObject({ category: 'auth', message: 'Log in.' });
  runs[0]?.fail(new Error('The stream broke.'));
  await ended;
  expect(conversation.error).toEqual({ category: 'unknown', message: 'The stream broke.' });
  await played(conversation.startSession('again'), () => runs[1]);
  expect(conversation.error).toBeUndefined();

  const absent = createConversation(() => {
    throw new GlassboxError('not-installed', 'The agent is not installed.');
  });
  await absent.startSession('go');
  expect(absent).toMatchObject({ isProcessing: false, error: { message: 'The agent is not installed.' } });
});

test('S4-14 cancel ends the run, also before it exists', async () => {
  const { conversation, runs } = scripted();
  conversation.cancel();
  const ended = conversation.startSession('go');
  conversation.cancel();
  await ended;
  expect(runs[0]?.cancelled).toBe(true);
  expect(conversation.isProcessing).toBe(false);
});

test('S4-23 tells its listeners after every change until they leave', async () => {
  const { conversation, runs } = scripted();
  const seen: number[] = [];
  const leave = conversation.subscribe(() => seen.push(conversation.messages.length));
  const ended = conversation.startSession('go');
  await runs[0]?.say({ type: 'user-message', text: 'a' }, { type: 'user-message', text: 'b' });
  leave();
  runs[0]?.end();
  await ended;
  expect(seen).toEqual([0, 1, 2]);
});

/** A run whose events come when a test says so. */
interface ScriptedRun extends ConversationRun {
  readonly answers: unknown[][];
  readonly cancelled: boolean;
  /** Resolves when the events were read. */
  say(...bodies: Body[]): Promise<void>;
  end(): void;
  fail(error: Error): void;
}

function scripted() {
  const runs: ScriptedRun[] = [];
  const requests: unknown[] = [];
  const conversation = createConversation((request) => {
    requests.push(request);
    const run = createScriptedRun();
    runs.push(run);
    return run;
  });
  return { conversation, runs, requests };
}

async function played(ended: Promise<void>, run: () => ScriptedRun | undefined, ...bodies: Body[]): Promise<void> {
  await run()?.say(...bodies);
  run()?.end();
  await ended;
}

function createScriptedRun(): ScriptedRun {
  const answers: unknown[][] = [];
  const said: Body[] = [];
  let taken = 0;
  let over = false;
  let broken: Error | undefined;
  let cancelled = false;
  let wake = () => {};
  let rest = () => {};

  async function* events(): AsyncGenerator<AgentEvent> {
    for (;;) {
      for (; taken < said.length; taken++) {
        const event = stamped(said)[taken];
        if (event) yield event;
      }
      rest();
      if (broken) throw broken;
      if (over) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }

  return {
    answers,
    get cancelled() {
      return cancelled;
    },
    events: events(),
    approve: (...answer) => answers.push(['approve', ...answer]) > 0,
    deny: (...answer) => answers.push(['deny', ...answer]) > 0,
    cancel() {
      cancelled = true;
      over = true;
      wake();
    },
    async say(...bodies) {
      said.push(...bodies);
      const read = new Promise<void>((resolve) => {
        rest = resolve;
      });
      wake();
      await read;
    },
    end() {
      over = true;
      wake();
    },
    fail(error) {
      broken = error;
      wake();
    },
  };
}
