/** The real Claude Code against a model on loopback: everything that a run promises, and nothing left behind. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { claude as program } from '../../src/agent/claude/index.js';
import { priceOf } from '../../src/agent/claude/price.js';
import { findConversations, importConversations } from '../../src/archive/index.js';
import type { RunRequest } from '../../src/run/index.js';
import { openStore } from '../../src/store/index.js';
import { claude } from './agent/claude.js';
import { gate, type ModelTurn, type Script, sequence } from './model/turn.js';
import { only, type play } from './play.js';
import { processesWith } from './sandbox.js';
import { createStage, type Stage } from './stage.js';

let stage: Stage | undefined;

afterEach(async () => {
  await stage?.[Symbol.asyncDispose]();
  stage = undefined;
});

/** The second and later runs of a test share its home, project and model. */
async function start(script: Script, request: Partial<RunRequest> = {}, onEvent?: Parameters<typeof play>[1]) {
  stage ??= await createStage(claude, () => script);
  const { sandbox, model } = stage;
  return { ...stage.start({ prompt: 'go', ...request }, onEvent), sandbox, calls: model.calls };
}

const bash = (command: string, more: Record<string, unknown> = {}): ModelTurn => ({
  tools: [{ name: 'Bash', input: { command, description: 'run it', ...more } }],
});
const say = (text: string): ModelTurn => ({ text });
const approveAll: Parameters<typeof play>[1] = (event, handle) => {
  if (event.type === 'approval-request') handle.approve(event.id);
};

describe('reading', () => {
  test('text with deltas: the whole block equals them, and the cost is known', async () => {
    const { events, end } = await start(sequence({ thinking: 'hm', text: 'Hello from the model on loopback.' }));
    const completion = await end;
    expect(completion).toMatchObject({
      reason: 'finished',
      text: 'Hello from the model on loopback.',
      exitCode: 0,
      turns: 1,
    });
    expect(completion.cost?.usd).toBeGreaterThan(0);
    expect(
      only(events, 'text-delta')
        .map((event) => event.text)
        .join(''),
    ).toBe('Hello from the model on loopback.');
    expect(only(events, 'text-end')).toHaveLength(1);
    expect(only(events, 'thinking-end')).toHaveLength(1);
    expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1));
    expect(events.at(-1)).toMatchObject({ type: 'run-end', reason: 'finished' });
    expect(only(events, 'user-message')).toMatchObject([{ text: 'go' }]);
  });

  test('one-shot: the prompt as an argument, permission denied without asking', async () => {
    const { events, end } = await start(sequence(bash('touch denied.txt'), say('could not')), { permission: 'deny' });
    expect(await end).toMatchObject({ reason: 'finished', text: 'could not' });
    expect(only(events, 'tool-end')).toMatchObject([{ status: 'denied' }]);
    expect(only(events, 'approval-request')).toEqual([]);
  });

  test('a prompt that begins with a dash and one of 200 KB arrive whole', async () => {
    const first = await start(sequence(say('a')), { prompt: '--help me', permission: 'deny' });
    expect(await first.end).toMatchObject({ reason: 'finished', text: 'a' });
    const long = `start ${'x'.repeat(200_000)} stop`;
    const second = await start(sequence(say('b')), { prompt: long, permission: 'deny' });
    expect(await second.end).toMatchObject({ reason: 'finished' });
    const asked = second.calls.map((call) => JSON.stringify(call));
    expect(asked[0]).toContain('--help me');
    expect(asked.at(-1)).toContain(`${'x'.repeat(200_000)} stop`);
  });

  test('how hard it is to think reaches the model', async () => {
    const { end, calls } = await start(sequence(say('thought')), { effort: 'xhigh', permission: 'deny' });
    expect(await end).toMatchObject({ reason: 'finished', text: 'thought' });
    expect(calls).toContainEqual(expect.objectContaining({ output_config: { effort: 'xhigh' } }));
  });

  test('a command that fails tells its exit code', async () => {
    const { events, end } = await start(sequence(bash('echo out; exit 3'), say('failed')), {}, approveAll);
    await end;
    expect(only(events, 'tool-end')).toMatchObject([{ status: 'failed', exitCode: 3 }]);
  });

  test('API retry, then success', async () => {
    const { events, end } = await start(sequence({ status: 529 }, say('after all')));
    expect(await end).toMatchObject({ reason: 'finished', text: 'after all' });
    expect(only(events, 'retry')[0]).toMatchObject({ httpStatus: 529 });
  });

  test('401 is a failed run with a hint', async () => {
    const { end } = await start(() => ({ status: 401, message: 'invalid x-api-key' }));
    const completion = await end;
    expect(completion).toMatchObject({ reason: 'failed', error: { category: 'auth' } });
    expect(completion.error?.hint).toBeTruthy();
  });
});

describe('approvals', () => {
  test('allow: the file is there', async () => {
    const { events, end, sandbox } = await start(sequence(bash('touch ok.txt'), say('made')), {}, approveAll);
    expect(await end).toMatchObject({ reason: 'finished', text: 'made' });
    expect(existsSync(sandbox.file('ok.txt'))).toBe(true);
    expect(only(events, 'approval-resolve')).toMatchObject([{ decision: 'allow', by: 'person' }]);
  });

  test('deny: nothing ran, the reason reached the model', async () => {
    const { events, end, sandbox, calls } = await start(
      sequence(bash('touch no.txt'), say('refused')),
      {},
      (event, handle) => {
        if (event.type === 'approval-request') handle.deny(event.id, 'wrong directory');
      },
    );
    expect(await end).toMatchObject({ reason: 'finished', text: 'refused' });
    expect(existsSync(sandbox.file('no.txt'))).toBe(false);
    expect(only(events, 'tool-end')).toMatchObject([{ status: 'denied' }]);
    expect(JSON.stringify(calls.at(-1))).toContain('wrong directory');
  });

  test('changed input: what ran is the changed one, untouched fields are kept', async () => {
    const { events, end, sandbox } = await start(sequence(bash('touch one.txt'), say('done')), {}, (event, handle) => {
      if (event.type === 'approval-request')
        handle.approve(event.id, { changes: { set: { '/command': 'touch two.txt' } } });
    });
    await end;
    expect([existsSync(sandbox.file('one.txt')), existsSync(sandbox.file('two.txt'))]).toEqual([false, true]);
    expect(only(events, 'approval-resolve')).toMatchObject([{ changes: { set: { '/command': 'touch two.txt' } } }]);
  });

  test('always: the second call is not asked for', async () => {
    const { events, end } = await start(
      sequence(bash('touch a.txt'), bash('touch a.txt'), say('done')),
      {},
      (event, handle) => {
        if (event.type === 'approval-request')
          handle.approve(event.id, { remember: [...(event.suggestions ?? []).keys()] });
      },
    );
    await end;
    expect(only(events, 'approval-request')).toHaveLength(1);
    expect(only(events, 'approval-resolve')).toMatchObject([{ decision: 'allow-always' }]);
    expect(only(events, 'tool-end').map((event) => event.status)).toEqual(['ok', 'ok']);
  });

  test('a redacted input survives its approval unharmed', async () => {
    const secret = `sk-ant-api03-${'Ab3dE6gH9j'.repeat(9)}xyz-AAAAAAAA`;
    const { events, end, sandbox } = await start(
      sequence(bash(`echo ${secret} > key.txt`), say('kept')),
      {},
      approveAll,
    );
    await end;
    expect(JSON.stringify(events)).not.toContain(secret);
    expect(readFileSync(sandbox.file('key.txt'), 'utf8').trim()).toBe(secret);
  });

  test('a question is answered', async () => {
    const questions = [
      {
        question: 'Which color?',
        header: 'Color',
        multiSelect: false,
        options: [
          { label: 'Red', description: 'warm' },
          { label: 'Blue', description: 'cold' },
        ],
      },
    ];
    const { events, end, calls } = await start(
      sequence({ tools: [{ name: 'AskUserQuestion', input: { questions } }] }, say('Blue it is.')),
      {},
      (event, handle) => {
        if (event.type === 'approval-request') handle.answer(event.id, { 'Which color?': 'Blue' });
      },
    );
    expect(await end).toMatchObject({ reason: 'finished', text: 'Blue it is.' });
    expect(only(events, 'approval-request')).toMatchObject([
      { kind: 'question', questions: [{ question: 'Which color?' }] },
    ]);
    expect(JSON.stringify(calls.at(-1))).toContain('Blue');
  });

  test('a plan is approved', async () => {
    const { events, end } = await start(
      sequence({ text: 'Planning.', tools: [{ name: 'ExitPlanMode', input: { plan: '1. Do it' } }] }, say('planned')),
      { permission: 'plan' },
      approveAll,
    );
    expect(await end).toMatchObject({ reason: 'finished', text: 'planned' });
    expect(only(events, 'approval-request')).toMatchObject([{ kind: 'plan', plan: '1. Do it' }]);
    expect(only(events, 'plan-mode').map((event) => event.state)).toEqual(['propose', 'exit']);
  });

  test('rules decide before a person is asked', async () => {
    const rules = [{ decision: 'allow' as const, command: 'touch *' }];
    const { events, end, sandbox } = await start(sequence(bash('touch ruled.txt'), say('ok')), { rules });
    await end;
    expect(existsSync(sandbox.file('ruled.txt'))).toBe(true);
    expect(only(events, 'approval-resolve')).toMatchObject([{ decision: 'allow', by: 'rule' }]);
  });
});

describe('steering', () => {
  test('interrupt while text streams: the turn ends, the conversation lives', async () => {
    const { open, promise } = gate();
    const script: Script = ({ n }) =>
      n === 0 ? { text: 'a long answer that never comes to its end', hold: promise } : say('second');
    const { handle, until, end, events } = await start(script, { keepOpen: true });
    await until('text-delta');
    expect(handle.interrupt()).toBe(true);
    await until('turn-end');
    open();
    handle.say('again');
    await until('turn-end', (event) => event.outcome === 'success');
    handle.close();
    expect(await end).toMatchObject({ reason: 'finished', text: 'second' });
    expect(only(events, 'turn-end').map((event) => event.outcome)).toEqual(['interrupted', 'success']);
    expect(only(events, 'text-end')[0]).toMatchObject({ partial: true });
  });

  test('interrupt while a tool runs', async () => {
    const { handle, until, end, events } = await start(sequence(bash('touch started; sleep 300'), say('never')), {
      keepOpen: true,
      permission: 'bypass',
    });
    await until('tool-input-end');
    handle.interrupt();
    await until('turn-end');
    handle.close();
    await end;
    expect(only(events, 'turn-end')[0]).toMatchObject({ outcome: 'interrupted' });
    expect(only(events, 'tool-end')).toMatchObject([{ status: 'cancelled' }]);
  });

  test('two turns in one process', async () => {
    const { handle, until, end, events } = await start(sequence(say('one'), say('two')), { keepOpen: true });
    await until('turn-end');
    handle.say('and now?');
    await until('turn-end', (event) => event.turn === 2);
    handle.close();
    const completion = await end;
    expect(completion).toMatchObject({ reason: 'finished', text: 'two', turns: 2 });
    const costs = only(events, 'turn-end').map((event) => event.cost?.usd ?? 0);
    expect(completion.cost?.usd).toBeCloseTo(costs[1] ?? Number.NaN, 10);
  });

  test('resume and fork: the same session, then a copy, and each run pays its own share', async () => {
    const script = sequence(say('first'), say('second'), say('third'));
    const first = await (await start(script)).end;
    const { sessionId: resume = '', balance } = first;
    const second = await (await start(script, { resume, ...(balance && { balance }) })).end;
    expect(second).toMatchObject({ reason: 'finished', text: 'second', sessionId: first.sessionId });
    expect(second.cost?.usd).toBeCloseTo(first.cost?.usd ?? 0, 5);
    const third = await (await start(script, { resume: first.sessionId ?? '', fork: true })).end;
    expect(third).toMatchObject({ reason: 'finished', text: 'third' });
    expect(third.sessionId).not.toBe(first.sessionId);
    // Nobody kept what the session had cost before; Claude tells the share of the turn all the same.
    expect(third.cost?.usd).toBeCloseTo(first.cost?.usd ?? 0, 5);
  });

  test('prompts of a million tokens: the program charges what we compute, and an imported fork its own share', async () => {
    const model = 'claude-sonnet-4-5-20250929';
    const usage = {
      input_tokens: 1_000_000,
      output_tokens: 1000,
      cache_read_input_tokens: 0,
      cache_creation_input_tokens: 0,
    };
    const script = sequence({ text: 'first', usage }, { text: 'copy', usage });
    const request = { model, permission: 'deny' } as const;
    const first = await (await start(script, request)).end;
    const fork = await start(script, { ...request, resume: first.sessionId ?? '', fork: true });
    const { cost, sessionId } = await fork.end;
    const price = priceOf(model, usage);
    expect(first.cost).toMatchObject({ usd: expect.closeTo(price ?? 0, 9), origin: 'reported' });
    expect(cost?.usd).toBeCloseTo(price ?? 0, 9);

    const store = await openStore(path.join(fork.sandbox.folder, 'store.db'));
    const folder = path.join(fork.sandbox.home, '.claude', 'projects');
    await importConversations({ store, conversations: await findConversations(program, folder) });
    const imported = await store.session(sessionId ?? '');
    await store.close();
    expect(imported?.spent).toMatchObject({ usd: expect.closeTo(price ?? 0, 6), origin: 'computed' });
  });

  test('a background shell gives several results in one run', async () => {
    const script: Script = ({ n }) =>
      n === 0 ? bash('sleep 1; echo later', { run_in_background: true }) : say(n === 1 ? 'started' : 'it finished');
    const { end, events } = await start(script, {}, approveAll);
    expect(await end).toMatchObject({ reason: 'finished', text: 'it finished', turns: 2 });
    expect(only(events, 'task-end')).toMatchObject([{ status: 'ok' }]);
  });

  test('a sub-agent speaks under its tool call', async () => {
    const script: Script = ({ text, afterTool }) => {
      if (text.includes('SUBTASK') && !text.includes('MAINTASK'))
        return afterTool ? say('sub report') : bash('echo from-sub');
      return afterTool
        ? say('all reported')
        : {
            tools: [
              {
                name: 'Agent',
                input: {
                  description: 'small job',
                  prompt: 'SUBTASK please',
                  subagent_type: 'general-purpose',
                  run_in_background: false,
                },
              },
            ],
          };
    };
    const { end, events } = await start(script, { prompt: 'MAINTASK' }, approveAll);
    expect(await end).toMatchObject({ reason: 'finished', text: 'all reported' });
    const agent = only(events, 'tool-start').find((event) => event.name === 'Agent');
    expect(only(events, 'tool-start').find((event) => event.name === 'Bash')).toMatchObject({ parent: agent?.id });
  });
});

describe('ending', () => {
  const slow: Script = () => bash('touch started; sleep 300');
  const bypass = { permission: 'bypass' } as const;

  test('timeout ends everything, the running shell included', async () => {
    const { end, until } = await start(slow, { ...bypass, timeoutMs: 8000 });
    await until('tool-input-end');
    expect(await end).toMatchObject({ reason: 'timed-out' });
  });

  test('cancel before the process exists', async () => {
    const { handle, end } = await start(sequence(say('never')));
    handle.cancel();
    expect(await end).toMatchObject({ reason: 'cancelled' });
  });

  test('cancel while it starts', async () => {
    const { handle, end, until } = await start(sequence(say('never')));
    await until('user-message');
    handle.cancel();
    expect(await end).toMatchObject({ reason: 'cancelled' });
  });

  test('cancel while the model answers', async () => {
    const { handle, end, until } = await start(() => ({ text: 'never to its end', hold: new Promise(() => {}) }));
    await until('text-delta');
    handle.cancel();
    expect(await end).toMatchObject({ reason: 'cancelled' });
  });

  test('cancel while a tool runs', async () => {
    const { handle, end, until } = await start(slow, bypass);
    await until('tool-input-end');
    handle.cancel();
    const completion = await end;
    expect(completion.reason).toBe('cancelled');
  });

  test('cancel while an approval waits', async () => {
    const { handle, end, until, events } = await start(sequence(bash('touch x'), say('never')));
    await until('approval-request');
    handle.cancel();
    expect(await end).toMatchObject({ reason: 'cancelled' });
    expect(only(events, 'approval-withdraw')).toHaveLength(1);
  });

  test('cancel after the result', async () => {
    const { handle, end, until } = await start(sequence(say('done')), { keepOpen: true });
    await until('turn-end');
    handle.cancel();
    expect(await end).toMatchObject({ reason: 'cancelled', text: 'done' });
  });

  test('the parent is killed: the next start of glassbox ends what it left behind', async () => {
    stage = await createStage(claude, () => slow);
    const { env: place, sandbox, program } = stage;
    const owner = path.resolve(import.meta.dirname, '../fake-agent/owner.mjs');
    const env = { ...process.env, ...place, GLASSBOX_STATE_DIR: path.join(sandbox.home, 'state') };
    const child = spawn(process.execPath, [owner, program, 'wait'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    const runId = await new Promise<string>((resolve) =>
      child.stdout.once('data', (bytes) => resolve(String(bytes).trim())),
    );
    expect(processesWith(runId).length).toBeGreaterThan(0);
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
    const next = spawn(process.execPath, [owner, program, 'exit'], { env, stdio: 'ignore' });
    await new Promise((resolve) => next.once('exit', resolve));
    await expect.poll(() => processesWith(runId), { timeout: 20_000 }).toEqual([]);
  });
});
