/** The session under the cursor, its end first: so much of it as is read at once, what is before that when somebody comes there, and what is new. */
import { initialState, reduce, type SessionState } from '../../../session/index.js';
import type { RunRecord, SessionRecord, Store } from '../../../store/index.js';
import type { Opened } from '../../../view/panels/index.js';

export interface OpenedSession {
  /** Another one is looked at. */
  open(session: SessionRecord | undefined): void;
  /** It has changed. */
  read(session: SessionRecord): void;
  /** More of what was before. */
  readEarlier(session: SessionRecord): void;
}

/** Events that are read at first; each time somebody wants more, four times as many. */
const FIRST = 600;
const MORE = 4;
/** A session that is followed for long keeps no more than this of what it was, unless somebody looks at it. */
const LONGEST = 3;

interface Reading {
  id: string;
  most: number;
  count: number;
  /** Events that were left out before the first. */
  from: number;
  state: SessionState;
  /** How far each run was read. */
  seqs: Map<string, number>;
}

export function createOpenedSession(
  store: Pick<Store, 'read'>,
  {
    onOpened,
    onFailure,
    isAtEnd,
  }: { onOpened(opened: Opened): void; onFailure(error: unknown): void; isAtEnd(): boolean },
): OpenedSession {
  let current: Reading | undefined;
  let work: Promise<void> = Promise.resolve();

  /** One after the other; what nobody looks at any more is let go. */
  function soon(reading: Reading, task: () => Promise<void>): void {
    work = work
      .then(() => (current === reading ? task() : undefined))
      .then(() => {
        if (current === reading) onOpened({ id: reading.id, state: reading.state, from: reading.from });
      })
      .catch(onFailure);
  }

  function begin(session: SessionRecord, most: number): void {
    const reading: Reading = {
      id: session.id,
      most,
      count: 0,
      from: 0,
      state: initialState,
      seqs: new Map(),
    };
    current = reading;
    soon(reading, () => readEnd(reading, session.runs));
  }

  async function readEnd(reading: Reading, runs: readonly RunRecord[]): Promise<void> {
    let left = reading.most;
    const froms: [run: RunRecord, from: number][] = [];
    for (const run of runs.toReversed()) {
      const from = Math.max(1, run.lastSeq - left + 1);
      if (left > 0) froms.unshift([run, from]);
      else reading.seqs.set(run.runId, run.lastSeq);
      reading.from += left > 0 ? from - 1 : run.lastSeq;
      left -= run.lastSeq;
    }
    for (const [{ runId }, from] of froms) await readRun(reading, runId, from);
  }

  async function readRun(reading: Reading, runId: string, from: number): Promise<void> {
    reading.seqs.set(runId, from - 1);
    for await (const event of store.read(runId, from)) {
      if (current !== reading) return;
      reading.state = reduce(reading.state, event);
      reading.count += 1;
      reading.seqs.set(runId, event.seq);
    }
  }

  return {
    open(session) {
      if (session?.id === current?.id) return;
      if (session) begin(session, FIRST);
      else current = undefined;
    },
    read(session) {
      const reading = current;
      if (reading?.id !== session.id) return;
      const isAgain = session.runs.some(({ runId, lastSeq }) => lastSeq < (reading.seqs.get(runId) ?? 0));
      // What was filled again is another text; and a state that has grown for hours begins anew with its end.
      if (isAgain || (reading.count > LONGEST * reading.most && isAtEnd())) return begin(session, reading.most);
      soon(reading, async () => {
        for (const { runId, lastSeq } of session.runs) {
          const seq = reading.seqs.get(runId) ?? 0;
          if (lastSeq > seq) await readRun(reading, runId, seq + 1);
        }
      });
    },
    readEarlier(session) {
      if (current?.id === session.id && current.from > 0) begin(session, current.most * MORE);
    },
  };
}
