/** Every moment at which the files of a folder are kept, whichever session it was for. */
import type { Checkpoint } from './checkpoint.js';
import { checkpointDirectory } from './directory.js';
import { readRecords } from './record.js';

export interface KeptMoment extends Checkpoint {
  runId: string;
}

/** The oldest first. */
export async function momentsIn(top: string, dir: string = checkpointDirectory()): Promise<KeptMoment[]> {
  const own = (await readRecords(dir)).filter((record) => record.top === top);
  const moments = own.flatMap(({ runId, checkpoints }) => checkpoints.map((one) => ({ ...one, runId })));
  return moments.sort((one, other) => one.at - other.at);
}
