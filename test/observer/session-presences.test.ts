/** What kept sessions do, for whoever shows them: own runs by what they told, others as they are seen, and nothing looked for in vain. */
import { expect, onTestFinished, test } from 'vitest';
import { createSessionPresences, type Known, type Observer, type Seen } from '../../src/observer/index.js';
import type { Evidence, Presence, State } from '../../src/presence/index.js';
import { START, stamp, wholeRun } from '../../src/store/conformance/events.js';
import { openStore } from '../../src/store/index.js';

async function openEmpty() {
  const store = await openStore(':memory:');
  onTestFinished(() => store.close());
  return store;
}

/** Of a viewer who leaves with the test, the next thing that is shown and fits. */
function view(presences: ReturnType<typeof createSessionPresences>) {
  const stop = new AbortController();
  const shown = presences.watch({ signal: stop.signal });
  return {
    async until(fits: (shown: Record<string, State>) => boolean): Promise<Record<string, Presence>> {
      for (;;) {
        const { value = [] } = await shown.next();
        const now = Object.fromEntries(value.map(({ session, presence }) => [session, presence]));
        if (fits(Object.fromEntries(Object.entries(now).map(([id, { state }]) => [id, state])))) return now;
      }
    },
    leave: () => {
      stop.abort();
      return shown.return();
    },
  };
}

/** An observer that sees what the test says. */
function createStage() {
  let seen: Seen[] = [];
  let isNews = true;
  let wake = (): void => {};
  const ring = (): void => {
    isNews = true;
    wake();
  };
  const asked: (readonly Known[])[] = [];
  const signals: AbortSignal[] = [];
  const observer: Observer = {
    look: async ({ also = [] } = {}) => {
      asked.push(also);
      return seen;
    },
    addEvidence() {},
    refresh: ring,
    async *watch({ signal, also = () => [] }) {
      signals.push(signal);
      signal.addEventListener('abort', ring);
      while (!signal.aborted) {
        isNews = false;
        asked.push(also());
        yield seen;
        if (!isNews)
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
      }
    },
  };
  return {
    observer,
    asked,
    signals,
    see(...some: Seen[]) {
      seen = some;
      ring();
    },
  };
}

const because: Evidence[] = [{ source: 'registry', says: 'idle', at: 1, text: 'a file' }];
const seenAs = (sessionId: string, state: State, agent = 'fake'): Seen => ({
  agent,
  sessionId,
  presence: { state, because, against: [] },
});

test('a run of glassbox tells by itself: working, waiting for what, idle, and gone from the list when it ended', async () => {
  const store = await openEmpty();
  const { session } = await store.startRun({ runId: 'r', agent: 'fake', startedAt: START });
  const viewer = view(createSessionPresences({ store }));
  const tell = (firstSeq: number, payload: object) => store.append(stamp({ runId: 'r', firstSeq }, [payload as never]));
  await viewer.until((shown) => shown[session] === 'working');
  await tell(1, { type: 'turn-start' });
  await tell(2, {
    type: 'approval-request',
    id: 'q',
    kind: 'tool',
    toolName: 'Bash',
    toolKind: 'execute',
    command: 'ls',
  });
  const waiting = await viewer.until((shown) => shown[session] === 'waiting');
  expect(waiting[session]).toMatchObject({ for: { kind: 'approval', text: 'Run a command: ls' } });
  await tell(3, { type: 'approval-resolve', id: 'q', decision: 'allow', by: 'person' });
  await viewer.until((shown) => shown[session] === 'working');
  await tell(4, { type: 'turn-end', outcome: 'success' });
  await viewer.until((shown) => shown[session] === 'idle');
  await tell(5, { type: 'run-end', reason: 'finished' });
  await viewer.until((shown) => Object.keys(shown).length === 0);
  await viewer.leave();
});

test('one whose run turns out to go on with another is told of by that name alone', async () => {
  const store = await openEmpty();
  await store.append(wholeRun({ runId: 'before', sessionId: 'agent-1' }));
  const { id = '' } = (await store.session('agent-1')) ?? {};
  const { session } = await store.startRun({ runId: 'r', agent: 'fake', startedAt: START });
  expect(session).not.toBe(id);
  const viewer = view(createSessionPresences({ store }));
  await viewer.until((shown) => shown[session] === 'working');
  await store.append(stamp({ runId: 'r', sessionId: 'agent-1' }, [{ type: 'turn-start' }]));
  expect(Object.keys(await viewer.until((shown) => id in shown))).toEqual([id]);
  await viewer.leave();
});

test('others are as they are seen, by the names of what is kept; of what is not kept nothing is told', async () => {
  const store = await openEmpty();
  await store.append(wholeRun({ runId: 'r1', sessionId: 'agent-1' }));
  await store.append(wholeRun({ runId: 'r2', sessionId: 'agent-2' }));
  const { id = '' } = (await store.session('agent-1')) ?? {};
  const stage = createStage();
  stage.see(seenAs('agent-1', 'idle'), seenAs('agent-2', 'ended'), seenAs('agent-3', 'working'));
  const viewer = view(createSessionPresences({ store, observer: stage.observer }));
  expect(await viewer.until(() => true)).toEqual({ [id]: { state: 'idle', because, against: [] } });
  stage.see(seenAs('agent-1', 'parked'), seenAs('agent-1', 'working', 'another'));
  expect((await viewer.until(() => true))[id]?.state).toBe('parked');
  await viewer.leave();
});

test('one that is kept as running and that nobody has any more is told to have ended', async () => {
  const store = await openEmpty();
  await store.startRun({ runId: 'fake-transcript-a1', agent: 'fake', startedAt: START });
  await store.append(stamp({ runId: 'fake-transcript-a1', sessionId: 'a1' }, [{ type: 'turn-start' }]));
  const { id = '' } = (await store.session('a1')) ?? {};
  const stage = createStage();
  stage.see(seenAs('a1', 'ended'));
  const viewer = view(createSessionPresences({ store, observer: stage.observer }));
  expect((await viewer.until(() => true))[id]?.state).toBe('ended');
  expect(stage.asked[0]).toMatchObject([{ agent: 'fake', sessionId: 'a1', evidence: [] }]);
  await viewer.leave();
});

test('all who look share one watch, which ends with the last of them; who comes later sees at once', async () => {
  const store = await openEmpty();
  const stage = createStage();
  const presences = createSessionPresences({ store, observer: stage.observer });
  const first = view(presences);
  await first.until(() => true);
  const second = view(presences);
  await second.until(() => true);
  expect(stage.signals.length).toBe(1);
  await first.leave();
  expect(stage.signals[0]?.aborted).toBe(false);
  await second.leave();
  expect(stage.signals[0]?.aborted).toBe(true);
  const third = view(presences);
  await third.until(() => true);
  expect(stage.signals.length).toBe(2);
  await third.leave();
});

test('one session is asked about thoroughly, also when it ended long ago', async () => {
  const store = await openEmpty();
  await store.append(wholeRun({ runId: 'r1', sessionId: 'agent-1' }));
  const session = await store.session('agent-1');
  if (!session) throw new Error('it was just kept');
  const stage = createStage();
  const presences = createSessionPresences({ store, observer: stage.observer });
  expect(await presences.of(session)).toMatchObject({ state: 'ended', because: [{ source: 'run' }] });
  stage.see(seenAs('agent-1', 'idle'));
  expect(await presences.of(session)).toMatchObject({ state: 'idle' });
});
