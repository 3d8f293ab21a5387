/** The recordings' mix: what a real agent printed, one recording after the other as one long stream. */
import { ownRecordings, sharedRecordings } from '../../test/support/recordings.js';

/** What a pipe delivers at once. */
const CHUNK_BYTES = 64 * 1024;

export interface Mix {
  bytes: Buffer;
  chunks: Buffer[];
  /** The lines that are JSON, already split. */
  lines: string[];
  megabytes: number;
  about: string;
}

/** Every recording once: an agent repeats no id, and lines that come again would be dropped instead of read. */
export function readMix(agent: string): Mix {
  const shared = sharedRecordings().filter((recording) => recording.agent === agent);
  const recordings = shared.length > 0 ? shared : ownRecordings().filter((recording) => recording.agent === agent);
  const bytes = Buffer.concat(recordings.flatMap(({ stdout }) => [stdout, Buffer.from('\n')]));
  return {
    bytes,
    chunks: chunksOf(bytes, CHUNK_BYTES),
    lines: bytes.toString().split('\n').map(ownString).filter(isJson),
    megabytes: bytes.length / 1e6,
    about: `${recordings.length} recordings, ${(bytes.length / 1e6).toFixed(1)} MB`,
  };
}

export function chunksOf(bytes: Buffer, size: number): Buffer[] {
  const count = Math.ceil(bytes.length / size);
  return Array.from({ length: count }, (_, index) => bytes.subarray(index * size, (index + 1) * size));
}

/** A string of its own, not a slice of the whole text: one wide character there would make every line slower to parse. */
function ownString(line: string): string {
  return Buffer.from(line).toString();
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}
