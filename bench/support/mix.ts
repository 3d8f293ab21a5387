/** The recordings' mix: what a real agent printed, one recording after the other as one long session. */
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

export function readMix(agent: string): Mix {
  const shared = sharedRecordings().filter((recording) => recording.agent === agent);
  const recordings = shared.length > 0 ? shared : ownRecordings().filter((recording) => recording.agent === agent);
  const bytes = Buffer.concat(
    recordings.flatMap(({ stdout }, index) => [withOwnIds(Buffer.from(stdout), `r${index}-`), Buffer.from('\n')]),
  );
  const count = Math.ceil(bytes.length / CHUNK_BYTES);
  return {
    bytes,
    chunks: Array.from({ length: count }, (_, n) => bytes.subarray(n * CHUNK_BYTES, (n + 1) * CHUNK_BYTES)),
    lines: bytes.toString().split('\n').map(ownString).filter(isJson),
    megabytes: bytes.length / 1e6,
    about: `${recordings.length} recordings, ${(bytes.length / 1e6).toFixed(1)} MB`,
  };
}

/** An agent never uses an id again, and what comes again is dropped unread: the stubbed ids of each recording get a mark. */
export function withOwnIds(bytes: Buffer, mark: string): Buffer {
  const text = bytes.toString('latin1');
  return Buffer.from(text.replaceAll('_stub', `_stub${mark}`).replaceAll('"uuid":"', `"uuid":"${mark}`), 'latin1');
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
