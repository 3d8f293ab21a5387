/** Sessions of a program that writes nothing before its first answer: seen by the program itself, until there is a conversation. */
import { expect, test } from 'vitest';
import { createMachine, type Machine } from './machine.js';

const ID = '01a1e708-710a-77b8-a5f7-0a9f2fc89848';

function begin(process: Partial<Parameters<Machine['start']>[1]> = {}): Machine {
  const machine = createMachine();
  // The program makes its folder when it starts.
  machine.write('.pi/agent/sessions/--elsewhere--/other.txt', '');
  machine.start(50, { command: 'pi', cwd: '/repo', agoMs: 3000, ...process });
  machine.connect(50, false);
  return machine;
}

/** Somebody looks again and again. */
async function later(machine: Machine, ms: number, bytes: number) {
  let seen = await seenIn(machine);
  for (let passed = 0; passed < ms; passed += 400) {
    machine.now += 400;
    machine.draw(50, bytes);
    seen = await seenIn(machine);
  }
  return seen;
}

async function seenIn(machine: Machine) {
  const all = await machine.look();
  return all.map(({ agent, sessionId, cwd, presence: { state } }) => `${agent} ${sessionId} ${cwd} ${state}`);
}

function write(machine: Machine): void {
  const timestamp = new Date(machine.now).toISOString();
  const message = { role: 'assistant', stopReason: 'stop', content: [{ type: 'text', text: 'Done.' }] };
  const lines = [
    { type: 'session', version: 3, id: ID, timestamp, cwd: '/repo' },
    { type: 'message', id: 'm1', timestamp, message },
  ];
  const file = `.pi/agent/sessions/--repo--/2026-11-17T01-04-12-558Z_${ID}.jsonl`;
  machine.write(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

test('without a screen it works while it has a connection, and is known by its own name as soon as it wrote', async () => {
  const machine = begin();
  expect(await seenIn(machine), 'nothing tells').toEqual(['pi pid-50 /repo unknown']);
  machine.connect(50, true);
  machine.now += 400;
  expect(await machine.look()).toMatchObject([
    { sessionId: 'pid-50', isUnnamed: true, presence: { state: 'working', since: machine.now } },
  ]);
  write(machine);
  expect(await seenIn(machine)).toEqual([`pi ${ID} /repo idle`]);
});

test('on a screen it works when it draws too, and is idle when it does neither', async () => {
  const machine = begin({ hasTerminal: true });
  expect(await later(machine, 1200, 8)).toEqual(['pi pid-50 /repo idle']);
  machine.connect(50, true);
  expect(await later(machine, 400, 8), 'it may look for a new version').toEqual(['pi pid-50 /repo unknown']);
  expect(await later(machine, 800, 900)).toEqual(['pi pid-50 /repo working']);
  expect(await later(machine, 800, 8)).toEqual(['pi pid-50 /repo unknown']);
});

test('suspended it is parked, and killed without a word it has ended', async () => {
  const machine = begin();
  machine.connect(50, true);
  expect(await seenIn(machine)).toEqual(['pi pid-50 /repo working']);
  machine.start(50, { command: 'pi', cwd: '/repo', agoMs: 3000, state: 'T' });
  expect(await seenIn(machine)).toEqual(['pi pid-50 /repo parked']);
  machine.end(50);
  expect(await seenIn(machine)).toEqual(['pi pid-50 /repo ended']);
});

test.each([
  ['a run of glassbox', { GLASSBOX_RUN_ID: 'k7qd' }],
  ['another home', { HOME: '/home/other' }],
])('%s is none', async (_, variables) => {
  expect(await seenIn(begin({ variables }))).toEqual([]);
});

test('an agent that writes when it is asked has none', async () => {
  const machine = createMachine();
  machine.write('.codex/sessions/other.txt', '');
  machine.start(50, { command: 'codex', cwd: '/repo', agoMs: 3000 });
  machine.connect(50, true);
  expect(await seenIn(machine)).toEqual([]);
});
