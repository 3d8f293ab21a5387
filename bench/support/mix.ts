/** The recordings' mix: what a real agent printed, one recording after the other as one long session. */
import { createHash } from 'node:crypto';
import { ownRecordings, type Recording, sharedRecordings } from '../../test/support/recordings.js';

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
  return mixOf(bytes, `${recordings.length} recordings`);
}

/** What people watch: of recordings with text word by word, these words said again and again, so that there are thousands of them. */
export function readLiveMix(agent: string): Mix & { files: Record<string, string> } {
  const chosen = ofRepository(agent, (text) => text.includes('"text_delta"')).slice(0, LIVE_FILES);
  const texts = chosen.map(({ stdout }, index) =>
    withManyDeltas(withOwnIds(Buffer.from(stdout), `r${index}-`).toString()),
  );
  const files = chosen.map(({ name, stdout }) => [
    name,
    createHash('sha256').update(stdout).digest('hex').slice(0, 12),
  ]);
  return {
    ...mixOf(
      Buffer.from(texts.join('\n')),
      `${chosen.length} live recordings of ${LIVE_DELTAS.toLocaleString('en')} deltas each`,
    ),
    files: Object.fromEntries(files),
  };
}

/** What tools say: recordings without text word by word, and of what is said when a program starts only the first. */
export function readToolMix(agent: string): Mix {
  const chosen = ofRepository(agent, (text) => !text.includes('"stream_event"'));
  const texts = chosen.map(({ stdout }, index) =>
    withOwnIds(Buffer.from(stdout), `r${index}-`)
      .toString()
      .split('\n')
      .filter((line) => index === 0 || !HANDSHAKE.test(line))
      .join('\n'),
  );
  return mixOf(Buffer.from(texts.join('\n')), `${chosen.length} recordings of tools`);
}

const LIVE_FILES = 4;
const LIVE_DELTAS = 8000;
const HANDSHAKE = /"subtype":"init"|"type":"control_response"/;

/** Of this repository, so that everybody measures the same. */
function ofRepository(agent: string, isWanted: (text: string) => boolean): Recording[] {
  return ownRecordings().filter((one) => one.agent === agent && isWanted(Buffer.from(one.stdout).toString()));
}

/** Each time under an id of its own, because what comes again is dropped unread. */
function withManyDeltas(text: string): string {
  const lines = text.split('\n');
  const deltas = lines.filter((line) => line.includes('"text_delta"'));
  const last = lines.findLastIndex((line) => line.includes('"text_delta"'));
  const more = Array.from({ length: LIVE_DELTAS - deltas.length }, (_, n) =>
    (deltas[n % deltas.length] ?? '').replace('"uuid":"', `"uuid":"${n}-`),
  );
  return [...lines.slice(0, last + 1), ...more, ...lines.slice(last + 1)].join('\n');
}

function mixOf(bytes: Buffer, what: string): Mix {
  const count = Math.ceil(bytes.length / CHUNK_BYTES);
  return {
    bytes,
    chunks: Array.from({ length: count }, (_, n) => bytes.subarray(n * CHUNK_BYTES, (n + 1) * CHUNK_BYTES)),
    lines: bytes.toString().split('\n').map(ownString).filter(isJson),
    megabytes: bytes.length / 1e6,
    about: `${what}, ${(bytes.length / 1e6).toFixed(1)} MB`,
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
