/** The table again whenever the store changes, in the same place; the last one stays. */
import type { Store } from '../../../store/index.js';
import { createInterrupt } from '../../interrupt.js';
import { createLiveScreen } from '../../live/live-screen.js';
import { print } from '../../print/sink.js';

/** An agent at work changes the store many times a second, and nobody reads that fast. */
const REST_MS = 250;
/** Of the screen, for the head, the sums and the row in which the cursor rests. */
const OTHER_ROWS = 12;

export async function watchCost(
  store: Pick<Store, 'watch'>,
  process: NodeJS.Process,
  limit: number,
  draw: (limit: number) => Promise<string[]>,
): Promise<void> {
  const { stdout } = process;
  using interrupt = createInterrupt(process);
  const { signal } = interrupt;
  const changes = createChanges();
  // Listened first and drawn then, so that no change falls in between.
  const listening = listen(store.watch({ signal }), changes.tell);
  stdout.on('resize', changes.tell);
  let rows: string[] = [];
  {
    using screen = createLiveScreen(process, (text) => stdout.write(text));
    changes.tell();
    while (await changes.next(signal)) {
      const height = Math.max(1, (stdout.rows || 24) - 1);
      rows = await draw(Math.min(limit, Math.max(3, height - OTHER_ROWS)));
      screen.paint({ settled: [], open: [...rows, ...HINT].slice(0, height) });
      await rest(signal);
    }
  }
  stdout.off('resize', changes.tell);
  await listening;
  await print(stdout, rows);
  if (interrupt.status() === 143) process.exitCode = 143;
}

const HINT = ['', 'Watching for changes. Ctrl-C ends it.'];

async function listen(changed: AsyncIterable<unknown>, tell: () => void): Promise<void> {
  for await (const _ of changed) tell();
}

interface Changes {
  tell(): void;
  /** Resolves when there was a change since it last did; false when nobody waits any more. */
  next(signal: AbortSignal): Promise<boolean>;
}

function createChanges(): Changes {
  let isNew = false;
  let wake = () => {};
  return {
    tell() {
      isNew = true;
      wake();
    },
    async next(signal) {
      if (!isNew && !signal.aborted)
        await new Promise<void>((resolve) => {
          wake = resolve;
          signal.addEventListener('abort', () => resolve(), { once: true });
        });
      isNew = false;
      return !signal.aborted;
    },
  };
}

function rest(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(end, REST_MS);
    signal.addEventListener('abort', end, { once: true });
    function end() {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    }
  });
}
