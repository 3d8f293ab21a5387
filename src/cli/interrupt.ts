/** Ctrl-C and its relatives: the first asks everybody to come to an end, the second does not wait for it. */
import type { ExitStatus } from './exit-status.js';

export interface Interrupt extends Disposable {
  readonly signal: AbortSignal;
  /** Set once it happened. */
  status(): ExitStatus | undefined;
  /** Who did it, for people. */
  why(): string;
}

export function createInterrupt(process: NodeJS.Process): Interrupt {
  const controller = new AbortController();
  let status: ExitStatus | undefined;
  const on = (name: 'SIGINT' | 'SIGTERM') => {
    const wanted = name === 'SIGINT' ? 130 : 143;
    if (status !== undefined) process.exit(wanted);
    status = wanted;
    controller.abort();
  };
  process.on('SIGINT', on);
  process.on('SIGTERM', on);
  return {
    signal: controller.signal,
    status: () => status,
    why: () => (status === 143 ? 'glassbox was stopped' : 'ended by the user'),
    [Symbol.dispose]() {
      process.off('SIGINT', on);
      process.off('SIGTERM', on);
    },
  };
}
