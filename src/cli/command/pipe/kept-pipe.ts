/**
 * Keeps the stream that comes through a pipe, as a run is kept, though nobody can answer it. Printing goes first and does not wait for
 * the disk; only the reading waits, when more is unwritten than memory should hold.
 */
import { createHash, randomUUID } from 'node:crypto';
import type { Agent } from '../../../agent/index.js';
import { settleRun } from '../../../archive/index.js';
import { agentNamed } from '../../../decode/index.js';
import type { AgentEvent } from '../../../event/index.js';
import { createRecorder, openStore, type Recorder, type SessionRecord, type Store } from '../../../store/index.js';
import type { StoreFlag } from '../../flag/store-flag.js';
import { note } from '../../print/note.js';
import type { Remarks } from '../../print/printer.js';

export interface KeptPipe {
  /** Of the events that are kept; others were printed by glassbox and are kept already. */
  readonly runId: string;
  push(events: readonly AgentEvent[]): void;
  /** What was read; the next piece should wait for what it returns. */
  read(bytes: Uint8Array): Promise<void> | undefined;
  /** Resolves when all is written, with the session; undefined when it was not kept. */
  close(): Promise<SessionRecord | undefined>;
}

/** How much is read between two writes that are waited for. Two of them may be under way. */
const STEP_BYTES = 128 * 1024;
/** How much of a stream tells it from others, with its length. */
const PRINT_BYTES = 2 ** 20;

export function createKeptPipe(
  { store: location }: StoreFlag,
  { stderr, cwd }: { stderr: Remarks; cwd(): string },
): KeptPipe {
  const runId = randomUUID();
  const hash = createHash('sha256');
  let store: Promise<Store> | undefined;
  let recorder: Recorder | undefined;
  let hasFailed = false;
  let agent: Agent | undefined;
  let total = 0;
  let unwritten = 0;
  let writing: Promise<void> | undefined;

  return {
    runId,
    push(events) {
      for (const event of events) {
        if (event.runId !== runId) return;
        recorder ??= begin(events);
        recorder.push(event);
      }
    },
    read(bytes) {
      if (total < PRINT_BYTES) hash.update(bytes.subarray(0, PRINT_BYTES - total));
      total += bytes.length;
      unwritten += bytes.length;
      if (unwritten < STEP_BYTES || !recorder) return undefined;
      unwritten = 0;
      const [before, { flush }] = [writing, recorder];
      writing = before ? before.then(flush) : flush();
      return before;
    },
    async close() {
      await writing;
      await recorder?.close(`${total} ${hash.digest('hex')}`);
      const opened = await store?.catch(() => undefined);
      // What of it was read from disk before is not told twice.
      if (opened) await settleRun(opened, runId, { hasOtherIds: agent?.transcripts?.hasOtherIds }).catch(() => {});
      const session = await opened?.session(runId).catch(() => undefined);
      await opened?.close();
      return hasFailed ? undefined : session;
    },
  };

  /** The agent knows best where it works; one that does not say works where its reader does. */
  function begin(events: readonly AgentEvent[]): Recorder {
    const [{ agent: name, at }] = events as [AgentEvent];
    agent = agentNamed(name);
    const started = events.find((event) => event.type === 'session-start');
    store = openStore(location);
    const start = { runId, agent: name, startedAt: at, cwd: started?.cwd ?? cwd(), piped: true };
    return createRecorder({ store, start, onFailure: tell });
  }

  function tell({ message }: Error): void {
    hasFailed = true;
    note(stderr, `this run is not kept. ${message}`);
  }
}
