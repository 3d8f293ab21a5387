/** What is seen of sessions that glassbox did not start: whom a file names, who is gone, who works where, and what is not guessed. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { TRACES } from '../../src/agent/trace.js';
import { createLook } from '../../src/observer/look.js';
import { createMachine, type Machine } from './machine.js';

const ID = '51e8d126-ddd2-4f02-ba59-6439f2410eb3';

function addSession(machine: Machine, pid: number, procStart: string, more: Record<string, unknown> = {}): void {
  const known = { pid, procStart, sessionId: ID, cwd: '/repo', kind: 'interactive', pidDomain: 'linux:x:pid:[1]' };
  machine.write(`.claude/sessions/${pid}.json`, {
    ...known,
    status: 'busy',
    statusUpdatedAt: machine.now - 500,
    ...more,
  });
}

async function stateOf(machine: Machine, options?: Parameters<Machine['look']>[0]) {
  const [seen] = await machine.look(options);
  return seen && { state: seen.presence.state, for: seen.presence.for?.text, since: seen.presence.since };
}

const asked = { also: [{ agent: 'claude', sessionId: ID, cwd: '/repo' }] };

describe('a file that names a process', () => {
  test('is believed while that process lives', async () => {
    const machine = createMachine();
    addSession(machine, 40, machine.start(40, { command: '/bin/claude', cwd: '/repo', agoMs: 9000 }));
    expect(await stateOf(machine)).toEqual({ state: 'working', for: undefined, since: machine.now - 500 });
  });

  test('says what is waited for', async () => {
    const machine = createMachine();
    const ticks = machine.start(40, { command: 'claude', agoMs: 9000 });
    addSession(machine, 40, ticks, { status: 'waiting', waitingFor: 'permission prompt' });
    expect(await stateOf(machine)).toMatchObject({ state: 'waiting', for: 'permission prompt' });
  });

  test('stays behind after a kill, which is noticed', async () => {
    const machine = createMachine();
    addSession(machine, 40, machine.start(40, { command: 'claude', cwd: '/repo', agoMs: 9000 }));
    expect(await stateOf(machine)).toMatchObject({ state: 'working' });
    machine.end(40);
    expect(await stateOf(machine)).toMatchObject({ state: 'ended' });
  });

  test('does not name another process of the same number', async () => {
    const machine = createMachine();
    machine.start(40, { command: 'claude', cwd: '/elsewhere', agoMs: 100 });
    addSession(machine, 40, '1234');
    expect(await machine.look()).toEqual([]);
    expect(await stateOf(machine, asked)).toMatchObject({ state: 'ended' });
  });

  test('of another namespace tells nothing: its number means somebody else here', async () => {
    const machine = createMachine();
    const ticks = machine.start(40, { command: 'claude', agoMs: 9000 });
    addSession(machine, 40, ticks, { pidDomain: 'linux:x:pid:[2]' });
    expect(await machine.look()).toEqual([]);
    expect(await stateOf(machine, { also: [{ agent: 'claude', sessionId: ID }] })).toMatchObject({ state: 'unknown' });
  });

  test('half written, says what it said before', async () => {
    const machine = createMachine();
    addSession(machine, 40, machine.start(40, { command: 'claude', agoMs: 9000 }));
    await machine.look();
    machine.write('.claude/sessions/40.json', '{"pid":40,"sessi');
    expect(await stateOf(machine)).toMatchObject({ state: 'working' });
  });

  test('a process that is stopped is parked, and works again when it goes on', async () => {
    const machine = createMachine();
    addSession(machine, 40, machine.start(40, { command: 'claude', agoMs: 9000, state: 'T' }));
    expect(await stateOf(machine)).toMatchObject({ state: 'parked', since: machine.now });
    machine.start(40, { command: 'claude', agoMs: 9000 });
    expect(await stateOf(machine)).toMatchObject({ state: 'working' });
  });

  test('a background session that was stopped is parked', async () => {
    const machine = createMachine();
    const updatedAt = new Date(machine.now - 60_000).toISOString();
    machine.write('.claude/jobs/51e8d126/state.json', { sessionId: ID, state: 'stopped', cwd: '/repo', updatedAt });
    expect(await stateOf(machine)).toMatchObject({ state: 'parked', since: machine.now - 60_000 });
  });
});

describe('a conversation on disk', () => {
  const session = '01a1e708-710a-77b8-a5f7-0a9f2fc89848';
  const file = `.pi/agent/sessions/--repo--/2026-11-17T01-04-12-558Z_${session}.jsonl`;
  const known = { also: [{ agent: 'pi', sessionId: session, cwd: '/repo' }] };

  function tell(machine: Machine, ...messages: Record<string, unknown>[]): void {
    const timestamp = new Date(machine.now - 3000).toISOString();
    const lines = messages.map((message, index) => ({ type: 'message', id: `m${index}`, timestamp, message }));
    const all = [{ type: 'session', version: 3, id: session, timestamp, cwd: '/repo' }, ...lines];
    machine.write(file, all.map((line) => `${JSON.stringify(line)}\n`).join(''));
  }

  const said = { role: 'user', content: [{ type: 'text', text: 'Go on' }] };
  const called = {
    role: 'assistant',
    stopReason: 'toolUse',
    content: [{ type: 'toolCall', id: 'c1', name: 'bash', arguments: { command: 'rm -r cellar' } }],
  };
  const answered = { role: 'assistant', stopReason: 'stop', content: [{ type: 'text', text: 'Done.' }] };

  test('is had by the process that works in its directory', async () => {
    const machine = createMachine();
    machine.start(50, { command: 'node --flag /usr/bin/pi', cwd: '/repo', agoMs: 9000 });
    tell(machine, said);
    expect(await stateOf(machine)).toMatchObject({ state: 'working' });
    tell(machine, said, answered);
    machine.now += 1;
    expect(await stateOf(machine)).toMatchObject({ state: 'idle' });
    machine.end(50);
    expect(await stateOf(machine)).toMatchObject({ state: 'ended' });
  });

  test('a call that nothing runs for waits for somebody; one that a process runs for does not', async () => {
    const machine = createMachine();
    machine.start(50, { command: 'pi', cwd: '/repo', agoMs: 9000 });
    tell(machine, said, called);
    expect(await stateOf(machine)).toMatchObject({ state: 'waiting', for: expect.stringContaining('rm -r cellar') });
    machine.start(51, { command: 'sh -c rm', cwd: '/repo', agoMs: 1000, parent: 50 });
    expect(await stateOf(machine)).toMatchObject({ state: 'working' });
  });

  test('a call that something ran for was allowed, also when its result is not on disk yet', async () => {
    const machine = createMachine();
    machine.start(50, { command: 'pi', cwd: '/repo', agoMs: 9000 });
    tell(machine, said, called);
    machine.start(51, { command: 'sh -c rm', cwd: '/repo', agoMs: 1000, parent: 50 });
    expect(await stateOf(machine)).toMatchObject({ state: 'working' });
    machine.end(51);
    expect(await stateOf(machine)).toMatchObject({ state: 'working' });
  });

  test('nobody in its directory has it: it has ended, unless somebody wrote a moment ago', async () => {
    const machine = createMachine();
    machine.start(50, { command: 'pi', cwd: '/elsewhere', agoMs: 9000 });
    tell(machine, said);
    expect(await stateOf(machine, known), 'it was written just now').toMatchObject({ state: 'unknown' });
    machine.now += 60_000;
    expect(await stateOf(machine, known)).toMatchObject({ state: 'ended' });
  });

  test('a process that began after its last word may have it, or not', async () => {
    const machine = createMachine();
    tell(machine, said, answered);
    machine.now += 60_000;
    machine.start(50, { command: 'pi', cwd: '/repo', agoMs: -30_000 });
    expect(await stateOf(machine, known)).toMatchObject({ state: 'unknown' });
  });

  test('a process that nothing accounts for may have taken it over from one that is gone', async () => {
    const machine = createMachine();
    machine.start(50, { command: 'pi', cwd: '/repo', agoMs: 9000 });
    tell(machine, said);
    expect(await stateOf(machine)).toMatchObject({ state: 'working' });
    machine.end(50);
    machine.now += 60_000;
    machine.start(52, { command: 'pi', cwd: '/repo', agoMs: -30_000 });
    expect(await stateOf(machine)).toMatchObject({ state: 'unknown' });
  });

  test('of a machine that shows no processes nothing is said', async () => {
    const machine = createMachine();
    tell(machine, said, answered);
    const { createObserver } = await import('../../src/observer/index.js');
    const observer = createObserver({ agents: TRACES, env: {}, home: machine.home, procFolder: '/nowhere' });
    const [seen] = await observer.look(known);
    expect(seen?.presence.state).toBe('unknown');
  });
});

describe('a program that moves while it works', () => {
  const session = '9f9c040c-1c27-4420-88c6-faee56ee6938';
  const said = { type: 'user', message: { role: 'user', parts: [{ text: 'Go on' }] } };
  const call = { functionCall: { id: 'c1', name: 'web_fetch', args: { url: 'http://example.test' } } };
  const called = { type: 'assistant', message: { role: 'model', parts: [call] } };

  function begin(hasTerminal = true): Machine {
    const machine = createMachine();
    machine.start(50, { command: 'qwen', cwd: '/repo', agoMs: 9000, hasTerminal });
    machine.draw(50, 0);
    machine.write('.qwen/sessions/50.json', { pid: 50, sessionId: session, cwd: '/repo' });
    return machine;
  }

  function tell(machine: Machine, ...lines: object[]): void {
    const timestamp = new Date(machine.now).toISOString();
    const told = lines.map((line, index) => ({
      uuid: `u${index}`,
      sessionId: session,
      timestamp,
      cwd: '/repo',
      ...line,
    }));
    machine.write(
      `.qwen/projects/-repo/chats/${session}.jsonl`,
      told.map((line) => `${JSON.stringify(line)}\n`).join(''),
    );
  }

  /** Somebody looks again and again. */
  async function later(machine: Machine, ms: number, bytes: number, options?: Parameters<Machine['look']>[0]) {
    let seen: Awaited<ReturnType<typeof stateOf>>;
    for (let passed = 0; passed < ms; passed += 400) {
      machine.now += 400;
      machine.draw(50, bytes);
      seen = await stateOf(machine, options);
    }
    return seen;
  }

  test('waits when a call has no result and nothing moves, whatever the call is, and works when it moves again', async () => {
    const machine = begin();
    tell(machine, said);
    expect(await later(machine, 2000, 900)).toMatchObject({ state: 'working' });
    tell(machine, said, called);
    expect(await later(machine, 400, 900)).toMatchObject({ state: 'working' });
    expect(await later(machine, 1200, 8)).toMatchObject({ state: 'waiting', for: expect.stringContaining('example') });
    expect(await later(machine, 400, 900), 'a picture').toMatchObject({ state: 'waiting' });
    expect(await later(machine, 800, 900)).toMatchObject({ state: 'working' });
  });

  test('waits sooner when the call is one for which a process would have begun, and is looked at more often until then', async () => {
    const machine = begin();
    const look = createLook({
      agents: TRACES,
      env: {},
      home: machine.home,
      procFolder: machine.procFolder,
      now: () => machine.now,
    });
    const command = { functionCall: { id: 'c1', name: 'run_shell_command', args: { command: 'rm -r cellar' } } };
    const seen = async (bytes: number) => {
      machine.now += 400;
      machine.draw(50, bytes);
      const [one] = await look.read([], false);
      return [one?.evidence.find(({ source }) => source === 'transcript')?.says, look.isPressing];
    };
    tell(machine, said);
    for (let passed = 0; passed < 4; passed += 1) await seen(900);
    expect(await seen(900)).toEqual(['working', false]);
    tell(machine, said, { type: 'assistant', message: { role: 'model', parts: [command] } });
    expect(await seen(900)).toEqual(['working', true]);
    expect(await seen(8)).toEqual(['waiting', false]);
    expect(await seen(900)).toEqual(['waiting', false]);
    for (let passed = 0; passed < 10_000; passed += 400) await seen(900);
    expect(await seen(900), 'it took its time').toEqual(['working', false]);
  });

  test('is idle when nothing moves within a turn, whose end is not on disk yet', async () => {
    const machine = begin();
    tell(machine, said);
    await later(machine, 2000, 900);
    expect(await later(machine, 1200, 8)).toMatchObject({ state: 'idle' });
  });

  test('asks when a hook told so, which nothing that stands still contradicts, and was interrupted when a hook told that it works', async () => {
    const machine = begin();
    tell(machine, said);
    await later(machine, 2000, 900);
    const tellBy = (says: 'waiting' | 'working') => {
      const evidence = [{ source: 'hook', says, at: machine.now, text: '' } as const];
      return { also: [{ agent: 'qwen', sessionId: session, evidence }] };
    };
    expect(await later(machine, 1600, 8, tellBy('waiting'))).toMatchObject({ state: 'waiting' });
    const goesOn = tellBy('working');
    expect(await later(machine, 1600, 900, goesOn)).toMatchObject({ state: 'working' });
    expect(await later(machine, 1600, 8, goesOn)).toMatchObject({ state: 'idle' });
  });

  test.each([
    ['that was never seen to move', true, 0],
    ['without a terminal', false, 900],
  ])('%s says nothing by standing still', async (_, hasTerminal, bytes) => {
    const machine = begin(hasTerminal);
    tell(machine, said, called);
    await later(machine, 2000, bytes);
    expect(await later(machine, 2000, 0)).toMatchObject({ state: 'working' });
  });
});

test('a record that calls idle what asks is believed as far as the conversation does not tell of a call', async () => {
  const machine = createMachine();
  const id = '1794915426808_bk7oa';
  const begun = new Date(machine.now - 8000).toISOString();
  const record = { pid: 50, cwd: '/repo', started_at: begun, interactive: true };
  const call = { type: 'tool_use', id: 'c1', name: 'run_commands', input: { commands: ['rm -r cellar'] } };
  const said = { id: 'm1', role: 'user', content: [{ type: 'text', text: 'Go on' }], ts: machine.now - 300 };
  const tell = (status: string, ...messages: object[]) => {
    machine.now += 1;
    machine.write(`.cline/data/sessions/${id}/${id}.json`, { ...record, status });
    if (messages.length > 0) machine.write(`.cline/data/sessions/${id}/${id}.messages.json`, { messages });
  };
  machine.start(50, { command: 'cline', cwd: '/repo', agoMs: 9000, hasTerminal: true });
  tell('running');
  expect(await stateOf(machine), 'nothing is told yet').toMatchObject({ state: 'working' });
  tell('idle', said, { id: 'm2', role: 'assistant', content: [call], ts: machine.now - 200 });
  expect(await stateOf(machine)).toMatchObject({ state: 'waiting', for: expect.stringContaining('rm -r cellar') });
  machine.start(51, { command: 'cline hub', cwd: '/', agoMs: 0, parent: 50 });
  expect(await stateOf(machine), 'what serves all sessions began').toMatchObject({ state: 'waiting' });
  tell('running');
  expect(await stateOf(machine)).toMatchObject({ state: 'working' });
});

test('a record that says that it asks is believed, and the conversation tells what', async () => {
  const machine = createMachine();
  const id = '1794915426808_bk7oa';
  const begun = new Date(machine.now - 8000).toISOString();
  const record = { pid: 50, cwd: '/repo', started_at: begun, interactive: true, status: 'pending' };
  const call = { type: 'tool_use', id: 'c1', name: 'run_commands', input: { commands: ['rm -r cellar'] } };
  const said = { id: 'm1', role: 'user', content: [{ type: 'text', text: 'Go on' }], ts: machine.now - 300 };
  const write = (...messages: object[]) =>
    machine.write(`.cline/data/sessions/${id}/${id}.messages.json`, { messages: [said, ...messages] });
  machine.start(50, { command: 'cline', cwd: '/repo', agoMs: 9000, hasTerminal: true });
  write();
  machine.write(`.cline/data/sessions/${id}/${id}.json`, record);
  expect(await stateOf(machine), 'the call is not on disk yet').toMatchObject({ state: 'waiting', for: 'an answer' });
  machine.now += 1;
  write({ id: 'm2', role: 'assistant', content: [call], ts: machine.now - 200 });
  expect(await stateOf(machine)).toMatchObject({ state: 'waiting', for: expect.stringContaining('rm -r cellar') });
});

test('of a program that writes a call down when it is over, an answer does not tell whether it asks', async () => {
  const machine = createMachine();
  const id = '1faa7cf5-909c-460f-9880-2fa613440d08';
  machine.start(50, { command: 'gemini', cwd: '/repo', agoMs: 9000, hasTerminal: true });
  const place = '<session_context>\n**Workspace Directories:**\n  - /repo\n</session_context>';
  const timestamp = new Date(machine.now).toISOString();
  const lines = [
    { sessionId: id, startTime: timestamp, kind: 'main' },
    { $set: { messages: [{ id: 'm0', timestamp, type: 'user', content: [{ text: place }] }] } },
    { id: 'm1', timestamp, type: 'user', content: [{ text: 'Go on' }] },
    { id: 'm2', timestamp, type: 'gemini', content: 'One moment please', tokens: { total: 1 } },
  ];
  const file = '.gemini/tmp/repo/chats/session-2026-11-17T11-37-1faa7cf5.jsonl';
  machine.write(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  expect(await stateOf(machine)).toMatchObject({ state: 'unknown' });
  const asks = { source: 'hook', says: 'waiting', for: { kind: 'approval', text: 'ls' }, text: '' } as const;
  const told = { also: [{ agent: 'gemini', sessionId: id, evidence: [{ ...asks, at: machine.now + 100 }] }] };
  expect(await stateOf(machine, told), 'a hook tells it').toMatchObject({ state: 'waiting', for: 'ls' });
  machine.start(51, { command: 'sh', cwd: '/repo', agoMs: -200, parent: 50 });
  expect(await stateOf(machine)).toMatchObject({ state: 'working' });
  expect(await stateOf(machine, told), 'it was allowed').toMatchObject({ state: 'working' });
  machine.end(51);
  expect(await stateOf(machine, told), 'its end is not told yet').toMatchObject({ state: 'working' });
  expect(await stateOf(machine), 'without hooks').toMatchObject({ state: 'unknown' });
  machine.start(50, { command: 'gemini', cwd: '/repo', agoMs: 9000 });
  machine.now += 1;
  machine.write(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  expect(await stateOf(machine), 'without a terminal nobody is asked').toMatchObject({ state: 'idle' });
});

test('a question that stands in the conversation is waited for until an answer stands there too', async () => {
  const machine = createMachine();
  const session = '5c81d8e3-f7c4-4e3f-aff1-1b116ffa5a68';
  machine.start(50, { command: 'copilot', cwd: '/repo', agoMs: 9000 });
  machine.write(`.copilot/session-state/${session}/inuse.50.lock`, '');
  const lines = [
    ['session.start', { sessionId: session, context: { cwd: '/repo' } }],
    ['user.message', { content: 'Go on' }],
    ['assistant.message', { content: '', toolRequests: [{ toolCallId: 'c1', name: 'fetch', arguments: {} }] }],
    ['permission.requested', { requestId: 'q1', permissionRequest: { kind: 'url', url: 'http://example.test' } }],
    ['permission.completed', { requestId: 'q1', result: { kind: 'approved' } }],
    ['user_input.requested', { requestId: 'q2', question: 'Red or blue?' }],
    ['abort', {}],
  ];
  const tell = (count: number) => {
    const timestamp = new Date(machine.now).toISOString();
    const said = lines.slice(0, count).map(([type, data]) => `${JSON.stringify({ type, data, timestamp })}\n`);
    machine.now += 1;
    machine.write(`.copilot/session-state/${session}/events.jsonl`, said.join(''));
  };
  tell(4);
  expect(await stateOf(machine)).toMatchObject({ state: 'waiting', for: 'http://example.test' });
  tell(5);
  expect(await stateOf(machine)).toMatchObject({ state: 'working' });
  tell(6);
  expect(await stateOf(machine)).toMatchObject({ state: 'waiting', for: 'Red or blue?' });
  tell(7);
  expect((await stateOf(machine))?.state).not.toBe('waiting');
});

test('a program that calls itself otherwise than it is started is known all the same', async () => {
  const machine = createMachine();
  const folder = '.kimi-code/sessions/wd_repo_c349b5af289b/session_32a79add-dadd-48ed-a1c3-a132843cba40';
  for (const name of ['state.json', 'agents/main/wire.jsonl']) {
    const kept = readFileSync(`test/archive/recordings/homes/kimi-code/text-and-shell/home/${folder}/${name}`, 'utf8');
    machine.write(`${folder}/${name}`, kept.replaceAll(/"time":\d+/g, `"time":${machine.now - 3000}`));
  }
  machine.start(50, { command: 'kimi-code', cwd: '/repo', agoMs: 9000 });
  expect(await stateOf(machine)).toMatchObject({ state: 'idle' });
});

test('what a hook told counts while nothing better speaks', async () => {
  const machine = createMachine();
  machine.start(40, { command: 'claude', cwd: '/repo', agoMs: 9000 });
  const heard = {
    source: 'hook',
    says: 'waiting',
    for: { kind: 'approval', text: 'rm' },
    at: machine.now,
    text: '',
  } as const;
  const evidence = [
    heard,
    { source: 'process', says: 'present', at: 1, process: { pid: 40, began: 1 }, text: '' } as const,
  ];
  expect(await stateOf(machine, { also: [{ agent: 'claude', sessionId: ID, evidence }] })).toMatchObject({
    state: 'waiting',
    for: 'rm',
  });
});
