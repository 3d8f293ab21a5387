// A store of your own: everything in the memory of one process, where each `open` is a user of it with runs of its own.
import { hostname } from 'node:os';
import { GlassboxError } from 'glassbox';
import { refuseUnknownQueries } from 'glassbox/store';
import * as channel from './channel.mjs';
import {
  createMemory,
  createRun,
  hasEnded,
  keepEvents,
  keepWhole,
  latestRunOf,
  mergePiped,
  nothingKept,
  recordOf,
  removeRun,
  runsOf,
  sessionOf,
  sourceOf,
  tellChange,
  waitingIn,
} from './memory.mjs';
import { drift, findSession, limits, list, search, totals } from './query.mjs';

const LONGEST_NAME = 120;

/** Each store that is opened sees what the others keep. */
export function createMemoryStores() {
  const memory = createMemory();
  return { open: async () => refuseUnknownQueries(openStore(memory)) };
}

/** @returns {import('glassbox/store').Store} */
function openStore(memory) {
  const closing = new AbortController();
  const me = { signal: closing.signal };
  const changed = (run) => tellChange(memory, run);

  function owned(runId) {
    const run = memory.runs.get(runId);
    if (!run) throw new GlassboxError('not-found', `There is no run "${runId}".`);
    // What is only read has no owner: whoever reads the same source writes the same.
    if (run.epoch > 0 && run.holder !== me) throw new GlassboxError('conflict', `Another keeps the run "${runId}".`);
    return run;
  }

  function claim(run) {
    if ((run.holder === me && run.owner) || (hasEnded(run) && run.owner && !run.isInterrupted)) return;
    if (run.holder && !hasEnded(run))
      throw new GlassboxError('conflict', `Another keeps the run "${run.start.runId}".`);
    const owner = { pid: process.pid, host: hostname(), heartbeatAt: Date.now() };
    Object.assign(run, { holder: me, owner, epoch: run.epoch + 1, isInterrupted: false, endedAt: undefined });
  }

  /** Whoever fills it or goes on with it may: nobody lives who owns it. Who owned it before can no longer write. */
  function letGo(run) {
    if (isHeld(run) && run.holder !== me)
      throw new GlassboxError('conflict', `Another keeps the run "${run.start.runId}".`);
    run.summary.endedAt = undefined;
    Object.assign(run, { holder: me, owner: undefined, endedAt: undefined, sourceState: undefined });
  }

  const isHeld = (run) => run.holder !== undefined && !hasEnded(run);

  /** One conversation has one agent: whoever would be the second hears who goes on with it. What is only watched has no terms. */
  function requireIdle({ resumes, fork, ...start }) {
    const session = fork || resumes === undefined ? undefined : latestRunOf(memory, resumes, start)?.session;
    const other = session && runsOf(memory, session).find((run) => isHeld(run) && run.start.terms);
    if (!other) return;
    const { pid } = other.owner;
    throw new GlassboxError('conflict', `Another glassbox (process ${pid}) goes on with ${session.id} just now.`);
  }

  function remove(session) {
    for (const run of runsOf(memory, session)) memory.runs.delete(run.start.runId);
    memory.sessions = memory.sessions.filter((other) => other !== session && other.mergedInto !== session);
  }

  const isRunning = (session) => runsOf(memory, session).some((run) => !hasEnded(run));

  const calls = {
    startRun(start) {
      const known = memory.runs.get(start.runId);
      if (!known && start.alone) requireIdle(start);
      const run = known ?? createRun(memory, start);
      if (known && start.replace) {
        letGo(run);
        Object.assign(run, nothingKept());
      } else if (known && start.reopen && hasEnded(run)) letGo(run);
      if (start.owned !== false) claim(run);
      changed(run);
      return recordOf(run);
    },
    append(events) {
      const [first] = events;
      if (!first) return 0;
      const { runId, agent, at: startedAt } = first;
      if (events.some((event) => event.runId !== runId))
        throw new GlassboxError('invalid-request', 'One call can append the events of one run only.');
      if (!memory.runs.has(runId)) createRun(memory, { runId, agent, startedAt });
      const run = owned(runId);
      const fresh = events.filter(({ seq }) => seq > run.summary.lastSeq);
      const kept = keepEvents(memory, run, events);
      channel.followEvents(run, fresh);
      if (fresh.length > 0) changed(run);
      return kept;
    },
    endRun(runId, sourceState) {
      if (!memory.runs.has(runId)) return;
      const run = owned(runId);
      if (run.start.piped && sourceState !== undefined && mergePiped(memory, run, sourceState)) return;
      if (!hasEnded(run)) run.endedAt = run.summary.updatedAt;
      run.sourceState = sourceState ?? run.sourceState;
      channel.settleAll(run, 'late');
      changed(run);
    },
    keepRuns(wholes) {
      const free = wholes.filter(({ start }) => !isHeld(memory.runs.get(start.runId) ?? {}));
      for (const whole of free) {
        if (whole.events.length === 0) removeRun(memory, memory.runs.get(whole.start.runId));
        else changed(keepWhole(memory, whole));
      }
      return wholes.filter((whole) => !free.includes(whole)).map(({ start }) => start.runId);
    },
    sources: () => [...memory.runs.values()].map(sourceOf),
    session(ref) {
      const session = findSession(memory, ref);
      return session && sessionOf(memory, session);
    },
    list: (query) => list(memory, query),
    search: (query) => search(memory, query),
    totals: (query) => totals(memory, query),
    limits: () => limits(memory),
    drift: (query) => drift(memory, query),
    approvals(runId) {
      const runs = [...memory.runs.values()].filter((run) => runId === undefined || run.start.runId === runId);
      const waiting = runs.flatMap((run) =>
        waitingIn(run).map(({ request }) => ({ runId: run.start.runId, session: run.session.id, request })),
      );
      return waiting.sort((one, other) => one.request.at - other.request.at);
    },
    decisions({ since = 0, limit = 200 } = {}) {
      const decided = [...memory.runs.values()].flatMap((run) =>
        [...run.approvals.values()]
          .filter(({ resolution }) => resolution?.at >= since)
          .map(({ request, resolution }) => ({
            ...{ runId: run.start.runId, session: run.session.id },
            ...{ request, resolution },
          })),
      );
      return decided.sort((one, other) => other.resolution.at - one.resolution.at).slice(0, limit);
    },
    tell: (runId, instruction, from, options) =>
      channel.tell(memory, memory.runs.get(runId), instruction, from, { ...options, signal: closing.signal }),
    acknowledge: (runId, id, reception) => channel.acknowledge(memory, owned(runId), id, reception),
    label(id, { name, pinned, archived }) {
      const session = findSession(memory, id);
      if (!session) throw new GlassboxError('not-found', `There is no session "${id}".`);
      if (name !== undefined) session.name = name.replace(/\s+/g, ' ').trim().slice(0, LONGEST_NAME) || undefined;
      if (pinned !== undefined) session.pinned = pinned || undefined;
      // Until it goes on: then it is younger than that.
      if (archived !== undefined) session.archivedAt = archived ? sessionOf(memory, session).updatedAt : undefined;
      for (const run of runsOf(memory, session).slice(-1)) changed(run);
      return sessionOf(memory, session);
    },
    delete(id) {
      const session = findSession(memory, id);
      if (!session) throw new GlassboxError('not-found', `There is no session "${id}".`);
      if (isRunning(session)) throw new GlassboxError('conflict', `The session "${id}" is running. End it first.`);
      remove(session);
    },
    prune({ maxAgeMs = Infinity, maxBytes = Infinity, dryRun }) {
      const sizeOf = (runs) => runs.reduce((sum, run) => sum + run.summary.bytes, 0);
      let bytes = sizeOf([...memory.runs.values()]);
      const ids = [];
      for (const { id, updatedAt, pinned } of list(memory, { limit: Infinity }).items.reverse()) {
        const isOld = updatedAt < Date.now() - maxAgeMs;
        const session = findSession(memory, id);
        if (pinned || isRunning(session) || (!isOld && bytes <= maxBytes)) continue;
        ids.push(id);
        bytes -= sizeOf(runsOf(memory, session));
        if (!dryRun) remove(session);
      }
      return { sessions: ids.length, ids, bytes };
    },
  };

  /** Nothing is answered any more once the store was closed. */
  const answering = Object.entries(calls).map(([name, call]) => [
    name,
    async (...args) => {
      if (closing.signal.aborted) throw new GlassboxError('store', 'The store is closed.');
      return call(...args);
    },
  ]);

  return {
    location: 'memory',
    ...Object.fromEntries(answering),
    read: (runId, fromSeq) => follow(runId, fromSeq),
    tail: (runId, { fromSeq, signal } = {}) => follow(runId, fromSeq, listen(signal)),
    watch: ({ signal } = {}) => watch(listen(signal)),
    instructions: (runId, { signal } = {}) => hear(runId, listen(signal)),
    async close() {
      closing.abort();
      for (const run of memory.runs.values()) {
        if (run.holder !== me || hasEnded(run)) continue;
        Object.assign(run, { isInterrupted: true, endedAt: Date.now() });
        channel.settleAll(run, 'gone');
        changed(run);
      }
    },
  };

  /** Hears what changes, from the call on, until the store is closed or the signal comes. */
  function listen(signal = closing.signal) {
    const over = AbortSignal.any([signal, closing.signal]);
    const heard = new Set();
    let wake = () => {};
    const notice = (run) => {
      heard.add(run);
      wake();
    };
    memory.listeners.add(notice);
    over.addEventListener('abort', () => wake(), { once: true });
    return {
      isOver: () => over.aborted,
      close: () => memory.listeners.delete(notice),
      async wait() {
        if (heard.size === 0 && !over.aborted)
          await new Promise((resolve) => {
            wake = resolve;
          });
        const runs = [...heard];
        heard.clear();
        return runs;
      },
    };
  }

  async function* follow(runId, fromSeq = 1, news = undefined) {
    let next = fromSeq;
    try {
      while (!news?.isOver()) {
        const run = memory.runs.get(runId);
        if (!run) throw new GlassboxError('not-found', `There is no run "${runId}".`);
        for (const event of run.events.filter(({ seq }) => seq >= next)) {
          next = event.seq + 1;
          yield structuredClone(event);
        }
        if (next <= run.summary.lastSeq) continue;
        if (!news || hasEnded(run)) return;
        await news.wait();
      }
    } finally {
      news?.close();
    }
  }

  async function* watch(news) {
    try {
      while (!news.isOver()) {
        const sessions = new Set((await news.wait()).map(({ session }) => session));
        const records = [...sessions].flatMap((session) => sessionOf(memory, session) ?? []);
        if (records.length > 0 && !news.isOver()) yield records;
      }
    } finally {
      news.close();
    }
  }

  async function* hear(runId, news) {
    try {
      while (!news.isOver()) {
        if (channel.isTold(memory.runs.get(runId))) yield* channel.take(owned(runId));
        else await news.wait();
      }
    } finally {
      news.close();
    }
  }
}
