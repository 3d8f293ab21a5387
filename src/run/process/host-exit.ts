/** Kills what still runs when this process exits, as far as that is possible at once; the rest is the reaper's. */
import { signalPid } from './survivor.js';

const live = new Set<number>();

/** Gives back how to forget the process again. One listener serves all runs. */
export function killOnExit(pid: number): () => void {
  // Before all others: one of them that fails would leave out those behind it.
  if (live.size === 0) process.prependListener('exit', killAll);
  live.add(pid);
  return () => {
    live.delete(pid);
    if (live.size === 0) process.off('exit', killAll);
  };
}

function killAll(): void {
  for (const pid of live) signalPid(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
}
