/** The bounds of an envelope, in UTF-8 bytes, and what happens beyond them. */
import type { Dropped, Envelope } from './envelope.js';

const MAX_CHANNEL_BYTES = 128;
const MAX_TEXT_BYTES = 65_536;
const MAX_MESSAGE_BYTES = 4_096;
const MAX_DATA_BYTES = 65_536;
const SUFFIX = '…(truncated)';

/** The envelope within its bounds; a long text becomes several, in order. */
export function bound(envelope: Envelope): Envelope[] {
  const { channel, text, message, data, ...rest } = envelope;
  const bounded: Envelope = {
    ...rest,
    ...(channel !== undefined && utf8Length(channel) <= MAX_CHANNEL_BYTES && { channel }),
    ...(message !== undefined && { message: cutWithSuffix(message, MAX_MESSAGE_BYTES) }),
    ...(data !== undefined && { data: boundData(data) }),
  };
  return text === undefined ? [bounded] : splitText(text).map((piece) => ({ ...bounded, text: piece }));
}

export function boundFinalText(text: string): string {
  return cutWithSuffix(text, MAX_TEXT_BYTES);
}

export function boundData<Data>(data: Data): Data | Dropped {
  return utf8Length(JSON.stringify(data)) <= MAX_DATA_BYTES ? data : { dropped: { reason: 'oversize' } };
}

/** Cut at a code point so that it ends with the suffix; where not even that fits, with what fits of an ellipsis. */
export function cutWithSuffix(text: string, maxBytes: number): string {
  if (utf8Length(text) <= maxBytes) return text;
  const room = maxBytes - utf8Length(SUFFIX);
  return room > 0 ? cut(text, room) + SUFFIX : cut('…', maxBytes);
}

export function utf8Length(text: string): number {
  return Buffer.byteLength(text);
}

function splitText(text: string): string[] {
  const pieces: string[] = [];
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.length; ) {
    const end = codePointBefore(bytes, start + MAX_TEXT_BYTES);
    pieces.push(bytes.toString('utf8', start, end));
    start = end;
  }
  return pieces;
}

function cut(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text);
  return bytes.toString('utf8', 0, codePointBefore(bytes, maxBytes));
}

/** The last place at or before `end` that is not inside a code point. */
function codePointBefore(bytes: Buffer, end: number): number {
  let place = Math.min(end, bytes.length);
  while (place > 0 && place < bytes.length && ((bytes[place] ?? 0) & 0xc0) === 0x80) place--;
  return place;
}
