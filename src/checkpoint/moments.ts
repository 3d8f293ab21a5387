/** Every moment at which the files of a folder are kept, whichever session it was for; and when they were taken back. */
import type { Checkpoint } from './checkpoint.js';
import { checkpointDirectory } from './directory.js';
import { readRecords } from './record.js';
import { type RewindEntry, readEntries } from './rewind-record.js';

export interface KeptMoment extends Checkpoint {
  runId: string;
}

/** The oldest first. */
export async function momentsIn(top: string, dir: string = checkpointDirectory()): Promise<KeptMoment[]> {
  const own = (await readRecords(dir)).filter((record) => record.top === top);
  const moments = own.flatMap(({ runId, checkpoints }) => checkpoints.map((one) => ({ ...one, runId })));
  return moments.sort((one, other) => one.at - other.at);
}

/** Those that are done, the oldest first. */
export async function rewindsIn(top: string, dir: string = checkpointDirectory()): Promise<DoneRewind[]> {
  const own = (await readEntries(dir)).filter((entry) => entry.top === top && entry.state === 'done');
  return own.map(({ session, to, at, applies, before, after }) => ({
    ...{ session, to, at, before, after },
    ...(applies && { applies }),
  }));
}

export type DoneRewind = Pick<RewindEntry, 'session' | 'to' | 'at' | 'applies' | 'before' | 'after'>;
