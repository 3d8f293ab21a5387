/** How far a large file has been read, on stderr, for somebody who waits at a terminal and would otherwise see nothing. */

export interface ProgressLine extends Disposable {
  update(bytesRead: number): void;
}

/** Before this nobody has begun to wonder. */
const PATIENCE_MS = 1000;
const INTERVAL_MS = 200;

export interface Streams {
  stdout: { isTTY?: boolean };
  stderr: { isTTY?: boolean; write(text: string): boolean };
}

export function createProgressLine(
  { bytes }: { bytes: number },
  { stdout, stderr }: Streams,
  now = () => performance.now(),
): ProgressLine {
  // Lines that scroll by are progress enough, and this one would be torn apart by them.
  const watched = stderr.isTTY === true && stdout.isTTY !== true && bytes > 0;
  let nextAt = now() + PATIENCE_MS;
  let shown = false;
  return {
    update(bytesRead) {
      if (!watched || now() < nextAt) return;
      nextAt = now() + INTERVAL_MS;
      shown = true;
      stderr.write(`\r\x1b[K${Math.floor((100 * bytesRead) / bytes)} % of ${size(bytes)}`);
    },
    [Symbol.dispose]() {
      if (shown) stderr.write('\r\x1b[K');
    },
  };
}

function size(bytes: number): string {
  return bytes < 2 ** 30 ? `${Math.ceil(bytes / 2 ** 20)} MB` : `${(bytes / 2 ** 30).toFixed(1)} GB`;
}
