/** The recordings' mix: what a real agent printed, one recording after the other as one long stream. */
import { ownRecordings, sharedRecordings } from '../../test/support/recordings.js';

const CHUNK_BYTES = 64 * 1024;

export interface Mix {
  bytes: Buffer;
  /** As a pipe delivers them. */
  chunks: Buffer[];
  /** The lines that are JSON, already split. */
  lines: string[];
  megabytes: number;
  about: string;
}

/** All recordings of an agent, repeated to at least this size. */
export function readMix(agent: string, atLeastBytes: number): Mix {
  const shared = sharedRecordings().filter((recording) => recording.agent === agent);
  const recordings = shared.length > 0 ? shared : ownRecordings().filter((recording) => recording.agent === agent);
  const once = Buffer.concat(recordings.flatMap(({ stdout }) => [stdout, Buffer.from('\n')]));
  const bytes = Buffer.concat(Array(Math.ceil(atLeastBytes / once.length)).fill(once));
  return {
    bytes,
    chunks: chunksOf(bytes, CHUNK_BYTES),
    lines: bytes.toString().split('\n').map(ownString).filter(isJson),
    megabytes: bytes.length / 1e6,
    about: `${recordings.length} recordings`,
  };
}

export function chunksOf(bytes: Buffer, size: number): Buffer[] {
  const count = Math.ceil(bytes.length / size);
  return Array.from({ length: count }, (_, index) => bytes.subarray(index * size, (index + 1) * size));
}

/** A string of its own instead of a slice of the whole text, which would be slower to parse for text with wide characters. */
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
