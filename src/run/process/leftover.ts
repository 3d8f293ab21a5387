/** What killed glassboxes left is ended once per process, by whoever comes first. */
import { type Reaped, reapOrphans, runsDirectory } from './reaper.js';

let reaping: Promise<Reaped> | undefined;

/** Never rejects; a record that cannot be read or a process that is not ours is left to the next one. */
export function endLeftovers(): Promise<Reaped> {
  reaping ??= reapOrphans(runsDirectory()).catch(() => ({ runs: 0, processes: 0 }));
  return reaping;
}
