/** Waits in front of a person until the limit is over that stopped a session. Ctrl-C leaves it parked. */
import { GlassboxError } from '../../event/index.js';
import { claim, type Parked, type ParkedRun, parkingDirectory, waitToGoOn } from '../../parking/index.js';
import { duration, limitName } from '../../word/index.js';
import type { ExitStatus } from '../exit-status.js';
import { createInterrupt } from '../interrupt.js';
import { note } from '../print/note.js';

/** The record to go on with; or the status to end with, because somebody said never, did it elsewhere or does not wait. */
export async function awaitLimit(
  { record, session: { id } }: Parked,
  process: NodeJS.Process,
): Promise<ParkedRun | ExitStatus> {
  const { stderr } = process;
  const dir = parkingDirectory();
  if (!(await claim(dir, record.runId)))
    throw new GlassboxError(
      'conflict',
      `Another glassbox waits to go on with ${id} already. glassbox go-on ${id} --now or --never tells it what to do.`,
    );
  using interrupt = createInterrupt(process);
  if (record.goesOnAt !== undefined && record.goesOnAt > Date.now())
    note(
      stderr,
      `${id} is parked: ${limitText(record)}. It goes on by itself in ${duration(record.goesOnAt - Date.now())}. Ctrl-C stops waiting; elsewhere, glassbox go-on ${id} --now does not wait.`,
    );
  using countdown = createCountdown(stderr);
  const going = await waitToGoOn(record.runId, {
    dir,
    signal: interrupt.signal,
    onTick: ({ goesOnAt = 0 }) => countdown.show(`goes on in ${duration(goesOnAt - Date.now())}`),
  });
  countdown.clear();
  if (going) return going;
  const status = interrupt.status();
  if (status === undefined) {
    note(stderr, `${id} does not go on here: somebody decided otherwise.`);
    return 0;
  }
  note(
    stderr,
    `${id} stays parked. glassbox go-on ${id} waits for it again, and glassbox serve goes on with it by itself.`,
  );
  return status;
}

/** For people: which limit, and until when. */
export function limitText({ window, until }: Pick<ParkedRun, 'window' | 'until'>, now: number = Date.now()): string {
  const which = window === undefined ? 'a limit of the account' : `the ${limitName(window)} limit`;
  return until > now ? `${which} ends in ${duration(until - now)}` : `${which} is over`;
}

/** One line on a terminal that is written over; elsewhere nothing. */
function createCountdown(stderr: NodeJS.WriteStream): Disposable & { show(text: string): void; clear(): void } {
  const clear = () => void (stderr.isTTY && stderr.write('\r\x1b[K'));
  return {
    show: (text) => void (stderr.isTTY && stderr.write(`\r\x1b[K${text}`.slice(0, Math.max(10, stderr.columns || 80)))),
    clear,
    [Symbol.dispose]: clear,
  };
}
