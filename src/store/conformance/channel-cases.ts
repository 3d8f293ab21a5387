/** The contract of the channel: anybody tells the owner of a run something, one owner takes it, and says what became of it. */
import assert from 'node:assert/strict';
import type { Instruction, Reception } from '../../event/index.js';
import type { Told } from '../channel.js';
import type { Store } from '../store.js';
import { type Check, has, rejects } from './case.js';
import { START, stamp } from './events.js';

const person = { by: 'person', who: 'ada', via: 'program' } as const;
const request = {
  type: 'approval-request',
  id: 'q1',
  kind: 'tool',
  toolName: 'Bash',
  input: { command: 'rm' },
} as const;
const allow: Instruction = { type: 'answer', approval: 'q1', answer: { type: 'approve' } };
const every: Instruction[] = [
  allow,
  { type: 'say', text: 'Mind the tests.\u0000 🙂' },
  { type: 'interrupt', why: 'interrupted by ada' },
  { type: 'stop' },
  { type: 'attempt', what: 'let a browser in' },
];
const done: Reception = { outcome: 'done' };
const resolve = { type: 'approval-resolve', id: 'q1', decision: 'deny', by: 'person' } as const;

/** A run that waits for an answer. */
async function ask(owner: Store): Promise<void> {
  await owner.startRun({ runId: 'r1', agent: 'fake', startedAt: START });
  await owner.append(stamp({ runId: 'r1' }, [{ type: 'turn-start' }, request]));
}

/** Takes what is told, in order. */
function listen(owner: Store): () => Promise<Told> {
  const told = owner.instructions('r1')[Symbol.asyncIterator]();
  return async () => {
    const { value, done: isOver } = await told.next();
    assert.ok(!isOver, 'there is nothing to hear any more');
    return value;
  };
}

export const channelCases: Check[] = [
  {
    name: 'an approval that waits is seen everywhere, and its session waits',
    async run(open) {
      await ask(await open());
      const another = await open();
      has(await another.approvals(), [{ runId: 'r1', request: { id: 'q1', input: { command: 'rm' } } }]);
      has(await another.session('r1'), { state: 'waiting', waiting: 1 });
      assert.deepEqual(await another.approvals('other'), []);
    },
  },
  {
    name: 'what was decided is listed, the latest first, with what was asked and who decided',
    async run(open) {
      const owner = await open();
      await ask(owner);
      const second = { ...request, id: 'q2' } as const;
      await owner.append(stamp({ runId: 'r1', firstSeq: 3 }, [resolve, second, { ...resolve, id: 'q2', who: 'ada' }]));
      await owner.append(stamp({ runId: 'r1', firstSeq: 6 }, [{ ...request, id: 'q3' }]));
      const decided = await (await open()).decisions();
      has(decided, [
        { runId: 'r1', request: { id: 'q2' }, resolution: { decision: 'deny', who: 'ada' } },
        { runId: 'r1', request: { id: 'q1', input: { command: 'rm' } }, resolution: { by: 'person' } },
      ]);
      assert.equal(decided.length, 2);
      assert.equal((await owner.decisions({ limit: 1 })).length, 1);
      assert.equal((await owner.decisions({ since: START + 4500 })).length, 1);
    },
  },
  {
    name: 'a run that its watchdog found to go nowhere says so, until it goes on',
    async run(open) {
      const owner = await open();
      await owner.startRun({ runId: 'r1', agent: 'fake', startedAt: START });
      const silent = {
        type: 'warning',
        code: 'watchdog-silence',
        message: 'no sign of life',
        source: 'synthetic',
      } as const;
      const call = [
        { type: 'tool-start', id: 't1', name: 'Grep', kind: 'search' },
        { type: 'tool-input-end', id: 't1', input: {}, summary: 'foo' },
      ] as const;
      const again = { ...silent, code: 'watchdog-repetition', message: 'the same call 10 times in a row: Grep foo' };
      const stuck = async () => (await owner.session('r1'))?.runs[0]?.stuck?.text;
      let seq = 1;
      const tell = async (...payloads: Parameters<typeof stamp>[1]) => {
        await owner.append(stamp({ runId: 'r1', firstSeq: seq }, payloads));
        seq += payloads.length;
      };
      await tell({ type: 'turn-start' }, silent);
      assert.equal(await stuck(), 'no sign of life');
      await tell({ type: 'status', code: 'thinking' });
      assert.equal(await stuck(), undefined);
      await tell(...call, again, { type: 'tool-end', id: 't1', status: 'ok' }, ...call);
      assert.equal(await stuck(), again.message);
      await tell({ type: 'tool-start', id: 't2', name: 'Read', kind: 'read' });
      await tell({ type: 'tool-input-end', id: 't2', input: {}, summary: 'a.ts' });
      assert.equal(await stuck(), undefined);
    },
  },
  {
    name: 'whatever is told comes to the owner exactly, once, with who told it; the acknowledgement comes back',
    async run(open) {
      const [owner, other] = [await open(), await open()];
      await ask(owner);
      const hear = listen(owner);
      for (const instruction of every) {
        const telling = other.tell('r1', instruction, person);
        const told = await hear();
        assert.deepEqual(told, { id: told.id, instruction, from: person });
        await owner.acknowledge('r1', told.id, done);
        assert.deepEqual(await telling, done);
      }
      assert.deepEqual(await owner.approvals(), []);
    },
  },
  {
    name: 'what several tell comes in their order, each for itself',
    async run(open) {
      const [owner, ...others] = [await open(), await open(), await open()];
      await ask(owner);
      const tellings = [];
      for (const [index, store] of [...others, owner].entries()) {
        tellings.push(store.tell('r1', { type: 'say', text: `word ${index}` }, person));
      }
      const hear = listen(owner);
      const texts = new Set<unknown>();
      for (const [index] of tellings.entries()) {
        const { id, instruction } = await hear();
        texts.add(instruction.type === 'say' && instruction.text);
        await owner.acknowledge('r1', id, index === 0 ? { outcome: 'late' } : done);
      }
      assert.equal(texts.size, 3);
      const outcomes = (await Promise.all(tellings)).map(({ outcome }) => outcome);
      assert.deepEqual(outcomes.toSorted(), ['done', 'done', 'late']);
    },
  },
  {
    name: 'an answer is what its owner says: refused with its reason, and then the question is open again; late; done',
    async run(open) {
      const [owner, other] = [await open(), await open()];
      await ask(owner);
      const hear = listen(owner);
      const refused: Reception = { outcome: 'refused', code: 'invalid-request', reason: 'There is no x.' };
      for (const reception of [refused, { outcome: 'late' } as const, done]) {
        assert.equal((await other.approvals()).length, 1);
        const telling = other.tell('r1', allow, person);
        await owner.acknowledge('r1', (await hear()).id, reception);
        assert.deepEqual(await telling, reception);
      }
      assert.deepEqual(await other.approvals(), []);
      assert.deepEqual(await other.tell('r1', allow, person), { outcome: 'late' });
    },
  },
  {
    name: 'the owner settles a question otherwise: an answer that waits is late',
    async run(open) {
      const [owner, other] = [await open(), await open()];
      await ask(owner);
      const changes = owner.watch()[Symbol.asyncIterator]();
      await owner.list();
      const telling = other.tell('r1', allow, person);
      await changes.next();
      await owner.append(stamp({ runId: 'r1', firstSeq: 3 }, [resolve]));
      assert.deepEqual(await telling, { outcome: 'late' });
    },
  },
  {
    name: 'a run that ends leaves nobody waiting',
    async run(open) {
      const [owner, other] = [await open(), await open()];
      await ask(owner);
      const changes = owner.watch()[Symbol.asyncIterator]();
      await owner.list();
      const tellings = every.map((instruction) => other.tell('r1', instruction, person));
      await changes.next();
      await owner.endRun('r1');
      for (const reception of await Promise.all(tellings)) assert.deepEqual(reception, { outcome: 'late' });
    },
  },
  {
    name: 'an owner that does not listen keeps nobody waiting: it is taken back, and the question stays open',
    async run(open) {
      const [owner, other] = [await open(), await open()];
      await ask(owner);
      for (const instruction of every) {
        assert.deepEqual(await other.tell('r1', instruction, person, { patienceMs: 1 }), { outcome: 'gone' });
      }
      assert.equal((await other.approvals()).length, 1);
      const hear = listen(owner);
      const telling = other.tell('r1', { type: 'say', text: 'again' }, person);
      const { id, instruction } = await hear();
      has(instruction, { text: 'again' });
      await owner.acknowledge('r1', id, done);
      assert.deepEqual(await telling, done);
    },
  },
  {
    name: 'what is not there, not open or over is told at once',
    async run(open) {
      const owner = await open();
      await ask(owner);
      await owner.append(stamp({ runId: 'r1', firstSeq: 3 }, [resolve]));
      assert.deepEqual(await owner.tell('r1', allow, person), { outcome: 'late' });
      assert.deepEqual(await owner.tell('r1', { ...allow, approval: 'q2' }, person), { outcome: 'unknown' });
      assert.deepEqual(await owner.tell('r2', { type: 'stop' }, person), { outcome: 'unknown' });
      has(await owner.session('r1'), { state: 'running', waiting: 0 });
      await owner.endRun('r1');
      assert.deepEqual(await owner.tell('r1', { type: 'stop' }, person), { outcome: 'late' });
    },
  },
  {
    name: 'only the owner hears and acknowledges',
    async run(open) {
      const [owner, other] = [await open(), await open()];
      await ask(owner);
      const hear = listen(owner);
      const telling = other.tell('r1', { type: 'stop' }, person);
      const { id } = await hear();
      await rejects(other.acknowledge('r1', id, done), 'conflict');
      const again = owner.tell('r1', { type: 'interrupt' }, person);
      await rejects(other.instructions('r1')[Symbol.asyncIterator]().next(), 'conflict');
      for (const one of [id, (await hear()).id]) await owner.acknowledge('r1', one, done);
      assert.deepEqual([await telling, await again], [done, done]);
    },
  },
];
