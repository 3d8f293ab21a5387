/** The channel with real processes: one owns the run, others tell it something, and each hears what became of it. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AgentEvent, Decider, Instruction, Reception } from '../../src/event/index.js';
import { openStore, type Store } from '../../src/store/index.js';
import { ask, init, interruptedResult, text, toolUse } from '../fake-agent/lines.js';
import { temporaryDirectory } from '../fake-agent/play.js';
import { serve } from '../server/serve.js';
import { startKeeper } from './keeper.js';

const input = { command: 'touch a' };
const asking = [init(), toolUse('t1', 'Bash', input), ask('q1', 't1', 'Bash', input), { hear: 'q1' }, text('allowed')];
const working = [init(), text('working'), { hear: '"subtype":"interrupt"' }, interruptedResult(), { hearEnd: true }];
const person = { by: 'person', who: 'ada' } as const;
const allow: Instruction = { type: 'answer', approval: 'q1', answer: { type: 'approve' } };

let file: string;
/** Each its own, because what a killed owner left is found by it. */
let runId: string;
let store: Store;

beforeEach(async () => {
  runId = randomUUID();
  file = path.join(temporaryDirectory(), 'store.db');
  store = await openStore(file);
});
afterEach(() => store.close());

test('answer, say and interrupt reach the agent of another process, and what comes after its end is late', async () => {
  const heard = [{ hear: 'Mind the tests' }, text('heard', 'm2'), { hear: '"subtype":"interrupt"' }];
  const keeper = startKeeper(file, runId, [...asking, ...heard, interruptedResult(), { hearEnd: true }]);
  const tells: Record<string, Instruction> = {
    'approval-request': allow,
    allowed: { type: 'say', text: 'Mind the tests' },
    heard: { type: 'interrupt', why: 'interrupted by ada' },
  };
  for await (const event of await begun()) {
    const instruction = tells[event.type === 'text-end' ? event.text : event.type];
    if (instruction)
      expect(await store.tell(runId, instruction, person), instruction.type).toEqual({ outcome: 'done' });
  }
  expect(await keeper.says({ reason: 'cancelled' })).toMatchObject({ reason: 'cancelled' });
  expect(await store.session(runId)).toMatchObject({ outcome: 'cancelled', error: 'Interrupted by ada.' });
  for (const instruction of Object.values(tells))
    expect(await store.tell(runId, instruction, person)).toEqual({ outcome: 'late' });
});

test('of many processes that answer one question, or stop one run, exactly one hears that it did', async () => {
  const people = ['ada', 'bob', 'eve'];
  let winner: string | undefined;
  const deciders: unknown[] = [];
  const keeper = startKeeper(file, runId, [...asking, ...working.slice(2)]);
  for await (const event of await begun()) {
    if (event.type === 'approval-resolve') deciders.push(event.who);
    const instruction: Instruction | undefined =
      event.type === 'approval-request' ? allow : event.type === 'text-end' ? { type: 'stop' } : undefined;
    if (!instruction) continue;
    const outcomes = await Promise.all(people.map((who) => tellFromElsewhere(instruction, { who })));
    expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual(['done', 'late', 'late']);
    if (instruction.type === 'answer') winner = people[outcomes.findIndex(({ outcome }) => outcome === 'done')];
  }
  expect(await keeper.says({ reason: 'cancelled' })).toMatchObject({
    detail: expect.stringContaining('ended by the user'),
  });
  expect(deciders).toEqual([winner]);
});

test('an owner that is killed while somebody tells it something leaves nobody waiting', async () => {
  const keeper = startKeeper(file, runId, working);
  // Not before it is written: who is stopped while it writes holds the store, and nothing could be told.
  for await (const event of await begun()) if (event.type === 'text-end') break;
  keeper.process.kill('SIGSTOP');
  const changes = store.watch()[Symbol.asyncIterator]();
  await store.list();
  const telling = store.tell(runId, { type: 'say', text: 'hello' }, person);
  await changes.next();
  keeper.process.kill('SIGKILL');
  await once(keeper.process, 'exit');
  expect(await telling).toEqual({ outcome: 'gone' });
  expect(await store.tell(runId, { type: 'stop' }, person)).toEqual({ outcome: 'gone' });
});

test.each<[from: Decider, detail: string]>([
  [{ by: 'person' }, 'ended by the user'],
  [{ by: 'rule', rule: 'its budget is spent' }, 'ended, because its budget is spent'],
  [{ by: 'unknown' }, 'ended from outside'],
])('only what a person ended is told as the user’s: %j', async (from, detail) => {
  startKeeper(file, runId, working);
  let end: AgentEvent | undefined;
  for await (const event of await begun()) {
    if (event.type === 'text-end') expect(await store.tell(runId, { type: 'stop' }, from)).toEqual({ outcome: 'done' });
    end = event;
  }
  expect(end).toMatchObject({ type: 'run-end', detail });
});

test('nobody inside a run speaks to one, interrupts or stops it; the run tells of it', async () => {
  startKeeper(file, runId, working);
  const warnings: string[] = [];
  for await (const event of await begun()) {
    if (event.type === 'warning') warnings.push(event.message);
    if (event.type !== 'text-end') continue;
    const attempt = { type: 'attempt', what: `let ${'x'.repeat(200)} in` } as const;
    for (const instruction of [{ type: 'say', text: 'x' }, { type: 'interrupt' }, { type: 'stop' }, attempt] as const)
      expect(await tellFromElsewhere(instruction, { inside: 'another' })).toMatchObject({
        outcome: 'refused',
        code: 'forbidden',
      });
    // Of who is outside nothing is told by it.
    expect(await store.tell(runId, attempt, person)).toMatchObject({ outcome: 'refused', code: 'invalid-request' });
    expect(await store.tell(runId, { type: 'stop' }, person)).toEqual({ outcome: 'done' });
  }
  expect(warnings.map((message) => /tried to (.*)\. It was refused/.exec(message)?.[1])).toEqual([
    'speak to this run',
    'interrupt this run',
    'stop this run',
    `let ${'x'.repeat(76)}`,
  ]);
});

test('over a server, too: a run of another process is spoken to and stopped; afterwards it is too late', async () => {
  const { client } = await serve([], { store });
  const script = [init(), text('working'), { hear: 'Mind the tests' }, text('heard', 'm2'), ...working.slice(2)];
  startKeeper(file, runId, script);
  const { id } = (await begunSession()) ?? {};
  const tells: Record<string, () => Promise<unknown>> = {
    working: () => client.say(id ?? '', { text: 'Mind the tests' }),
    heard: () => client.cancel(runId),
  };
  for await (const event of client.events(runId)) if (event.type === 'text-end') await tells[event.text]?.();
  await expect(client.interrupt(runId)).rejects.toMatchObject({ status: 409 });
  await expect(client.cancel('nowhere')).rejects.toMatchObject({ status: 404 });
  expect(await store.session(runId)).toMatchObject({ outcome: 'cancelled', error: 'Ended by the user.' });
});

/** The events of a run from the moment it is in the store. */
async function begun(): Promise<AsyncIterable<AgentEvent>> {
  await begunSession();
  return store.tail(runId);
}

async function begunSession() {
  const changes = store.watch()[Symbol.asyncIterator]();
  for (;;) {
    const session = await store.session(runId);
    if (session) {
      await changes.return?.();
      return session;
    }
    await changes.next();
  }
}

async function tellFromElsewhere(
  instruction: Instruction,
  { who = 'ada', inside }: { who?: string; inside?: string },
): Promise<Reception> {
  const teller = fileURLToPath(new URL('teller.mjs', import.meta.url));
  const env = { ...process.env, ...(inside !== undefined && { GLASSBOX_RUN_ID: inside }) };
  const args = [teller, file, runId, JSON.stringify(instruction), who];
  return JSON.parse((await promisify(execFile)(process.execPath, args, { env })).stdout);
}
