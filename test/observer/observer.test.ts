/** What is seen of sessions that glassbox did not start: whom a file names, who is gone, who works where, and what is not guessed. */
import { describe, expect, test } from 'vitest';
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
    const { AGENTS } = await import('../../src/agent/index.js');
    const observer = createObserver({ agents: AGENTS, env: {}, home: machine.home, procFolder: '/nowhere' });
    const [seen] = await observer.look(known);
    expect(seen?.presence.state).toBe('unknown');
  });
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
