/** A store over an engine, whichever it is and wherever: what waits, goes on and is remembered on the side of whoever uses it. */
import { type AgentEvent, GlassboxError } from '../../event/index.js';
import type { FleetStore } from '../fleet/fleet.js';
import type { Store } from '../store.js';
import { type ChangeQueue, createChangeQueue } from './change-queue.js';
import { createChangedSessions } from './changed-sessions.js';
import type { Door, Holder } from './engine.js';
import { pages } from './pages.js';
import { questionsTo } from './questions.js';
import { instructions, tell } from './tell.js';

export interface ShellOptions {
  location: string;
  /** Who claims runs, where the engine is not this process's own. */
  by?: Holder | undefined;
  /** Of runs that were claimed before, by their ids. */
  epochs?: ReadonlyMap<string, number> | undefined;
  /** What a fleet shares, where the engine has it. */
  fleet?: FleetStore | undefined;
  /** Hears which runs are held here now, so that they can be kept alive. */
  onHeld?: ((runId: string, epoch: number | undefined) => void) | undefined;
}

/** An owner hears at once; one that has not for so long is stuck, or does not listen at all. */
const PATIENCE_MS = 10_000;

export function storeOver(door: Door, options: ShellOptions): Store {
  const { location, by } = options;
  const closing = new AbortController();
  /** Of the runs that were started here. They are kept on this side because what is behind the door may die and be started again. */
  const epochs = new Map(options.epochs ?? []);
  const watch = createChangedSessions(door);

  return {
    location,
    door,
    ...(options.fleet && { fleet: options.fleet }),
    ...questionsTo(door),
    async startRun(start) {
      const { record, epoch } = await door.call('startRun', start, epochs.get(start.runId), by);
      if (epoch !== undefined) epochs.set(start.runId, epoch);
      else if (start.replace) epochs.delete(start.runId);
      options.onHeld?.(start.runId, epochs.get(start.runId));
      return record;
    },
    append(events) {
      const runId = events[0]?.runId;
      if (runId === undefined) return Promise.resolve(0);
      if (events.some((event) => event.runId !== runId)) {
        return Promise.reject(new GlassboxError('invalid-request', 'One call can append the events of one run only.'));
      }
      return door.append({ runId, epoch: epochs.get(runId), by, bodies: events.map(bodyOf) });
    },
    keepRuns: (runs) =>
      door.call(
        'keepRuns',
        runs.map(({ events, ...facts }) => ({ ...facts, bodies: events.map(bodyOf) })),
      ),
    sources: () => door.call('sources'),
    async endRun(runId, sourceState) {
      await door.call('endRun', runId, sourceState, epochs.get(runId), by);
      options.onHeld?.(runId, undefined);
    },
    tail: (runId, { fromSeq = 1, signal } = {}) => pages(door, runId, fromSeq, queue(runId, signal)),
    watch: ({ signal } = {}) => watch(untilClosed(signal)),
    tell: (runId, instruction, from, { patienceMs = PATIENCE_MS } = {}) =>
      tell(door, { runId, instruction, from, patienceMs }, queue(runId, undefined)),
    instructions: (runId, { signal } = {}) =>
      instructions(door, { runId, by, epoch: () => epochs.get(runId) }, queue(runId, signal)),
    acknowledge: (runId, id, reception) => door.call('acknowledge', runId, id, reception, epochs.get(runId), by),
    label: (sessionId, label) => door.call('label', sessionId, label),
    delete: (sessionId) => door.call('delete', sessionId),
    async prune(query) {
      const { plan, bytes } = await door.call('planPrune', query);
      if (query.dryRun) return { sessions: plan.length, ids: plan.map(({ id }) => id), bytes };
      const ids: string[] = [];
      for (const { no, id } of plan) {
        if (await door.call('removeOld', no)) ids.push(id);
      }
      while (ids.length > 0 && (await door.call('compact')));
      return { sessions: ids.length, ids, bytes: await door.call('size') };
    },
    close() {
      closing.abort();
      return door.close();
    },
  };

  function queue(runId: string, signal: AbortSignal | undefined): ChangeQueue {
    return createChangeQueue(door, runId, untilClosed(signal));
  }

  function untilClosed(signal: AbortSignal | undefined): AbortSignal {
    return AbortSignal.any(signal ? [signal, closing.signal] : [closing.signal]);
  }
}

/** Most say no version themselves; a copy of each that does, only to write it, would cost a fifth of the writing. */
function bodyOf(event: AgentEvent): string {
  if (event.schema !== undefined) return JSON.stringify({ schema: 1, ...event });
  return `{"schema":1,${JSON.stringify(event).slice(1)}`;
}
