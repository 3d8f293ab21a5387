/** How far a long work has come, on stderr, for somebody who waits at a terminal and would otherwise see nothing. */
import { size } from '../../word/index.js';

export interface ProgressLine extends Disposable {
  update(done: number): void;
}

/** Bytes that are read, or a number of things that are named. */
export type Work = { bytes: number } | { count: number; of: string };

/** Before this nobody has begun to wonder. */
const PATIENCE_MS = 1000;
const INTERVAL_MS = 200;

export interface Streams {
  stdout: { isTTY?: boolean };
  stderr: { isTTY?: boolean; write(text: string): boolean };
}

export function createProgressLine(
  work: Work,
  { stdout, stderr }: Streams,
  now = () => performance.now(),
): ProgressLine {
  const total = 'bytes' in work ? work.bytes : work.count;
  const share = (done: number) =>
    'bytes' in work ? `${Math.floor((100 * done) / total)} % of ${size(total)}` : `${done} of ${total} ${work.of}`;
  // Lines that scroll by are progress enough, and this one would be torn apart by them.
  const watched = stderr.isTTY === true && stdout.isTTY !== true && total > 0;
  let nextAt = now() + PATIENCE_MS;
  let shown = false;
  return {
    update(done) {
      if (!watched || now() < nextAt) return;
      nextAt = now() + INTERVAL_MS;
      shown = true;
      stderr.write(`\r\x1b[K${share(done)}`);
    },
    [Symbol.dispose]() {
      if (shown) stderr.write('\r\x1b[K');
    },
  };
}
