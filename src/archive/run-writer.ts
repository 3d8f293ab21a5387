/** Writes runs that were read whole: small ones together, because each write costs, and long ones in parts, so that others get their turn. */
import { GlassboxError } from '../event/index.js';
import type { WholeRun } from '../store/record.js';
import type { Store } from '../store/store.js';

interface RunWriter {
  /** Resolves when the next one may be read: what is written meanwhile is bounded. */
  write(run: WholeRun): Promise<void>;
  /** Writes what is left, and gives the runs that were left alone because somebody owns them. */
  close(): Promise<WholeRun[]>;
}

/** Events of one call. */
const BATCH = 2000;
/** Runs of one call, however short they are. */
const RUNS = 100;

export function createRunWriter(store: Store): RunWriter {
  const owned: WholeRun[] = [];
  let waiting: WholeRun[] = [];
  let events = 0;
  let writing: Promise<void> = Promise.resolve();

  return {
    async write(run) {
      if (run.events.length > BATCH) {
        await flush();
        await writing;
        await writeInParts(run);
        return;
      }
      waiting.push(run);
      events += run.events.length;
      if (events >= BATCH || waiting.length >= RUNS) await flush();
    },
    async close() {
      await flush();
      await writing;
      return owned;
    },
  };

  /** One call is under way while the next one is made. */
  async function flush(): Promise<void> {
    const runs = waiting;
    if (runs.length === 0) return;
    waiting = [];
    events = 0;
    await writing;
    writing = store.keepRuns(runs).then((ids) => {
      owned.push(...runs.filter(({ start }) => ids.includes(start.runId)));
    });
    // Whoever comes next hears of it.
    writing.catch(() => {});
  }

  async function writeInParts(run: WholeRun): Promise<void> {
    const { runId } = run.start;
    try {
      await store.startRun({ ...run.start, owned: false, replace: true });
      let before: Promise<unknown> | undefined;
      for (let from = 0; from < run.events.length; from += BATCH) {
        const part = store.append(run.events.slice(from, from + BATCH));
        part.catch(() => {});
        await before;
        before = part;
      }
      await before;
      await store.endRun(runId, run.sourceState);
    } catch (error) {
      if (!(error instanceof GlassboxError) || error.code !== 'conflict') throw error;
      owned.push(run);
    }
  }
}
