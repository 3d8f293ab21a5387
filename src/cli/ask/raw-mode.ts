/** Keys as they are pressed, or whole lines again. A terminal that is gone gives neither, and that is no failure: its end is told by a signal. */
import type { ReadStream } from 'node:tty';

export function setRawMode(input: ReadStream, isRaw: boolean): void {
  input.off('error', ignore).on('error', ignore);
  input.setRawMode(isRaw);
}

const ignore = () => {};
