/**
 * Ctrl-C and its relatives, a terminal that is closed too: the first asks everybody to come to an end, the second does not wait for it; but that a terminal was
 * closed is told several times, by the system and by shells.
 */
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
  const on = (name: NodeJS.Signals) => {
    const wanted = name === 'SIGINT' ? 130 : 143;
    if (status !== undefined && name !== 'SIGHUP') process.exit(wanted);
    status ??= wanted;
    controller.abort();
  };
  for (const name of SIGNALS) process.on(name, on);
  return {
    signal: controller.signal,
    status: () => status,
    why: () => (status === 143 ? 'glassbox was stopped' : 'ended by the user'),
    [Symbol.dispose]() {
      for (const name of SIGNALS) process.off(name, on);
    },
  };
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
