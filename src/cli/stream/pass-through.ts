/**
 * Bytes that are passed on as they came, but for the secrets in them. What is no UTF-8 is carried through the guard, which knows text
 * only, as lone surrogates, and comes out as the same byte. No more is held back than what may still become a secret.
 */
import { isUtf8 } from 'node:buffer';
import { createRedactor } from '../../decode/index.js';
import { wholeCharacters } from '../../jsonl/utf8.js';

export interface PassThrough {
  /** What may be seen now. */
  push(bytes: Uint8Array): Uint8Array;
  /** What was held back. */
  end(): Uint8Array;
}

export function createPassThrough(): PassThrough {
  const redactor = createRedactor();
  const encode = createByteEncoder();
  let rest: Uint8Array = Buffer.alloc(0);

  return {
    push(bytes) {
      const all = rest.length > 0 ? Buffer.concat([rest, bytes]) : bytes;
      const whole = wholeCharacters(all);
      rest = all.subarray(whole);
      return encode(redactor.push(textOf(all.subarray(0, whole))));
    },
    end: () => encode(redactor.end(textOf(rest)), true),
  };
}

/** Where bytes stand that are no text: `U+DC00` and the byte. Valid text has no lone surrogates. */
const CARRIER = 0xdc00;
const CARRIED = /([\udc00\udc80-\udcff])/u;

function textOf(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // The guard replaces U+0000, which must stay here.
  if (isUtf8(bytes) && !bytes.includes(0)) return buffer.toString('utf8');
  let text = '';
  let start = 0;
  for (let at = 0; at < bytes.length; ) {
    const lead = bytes[at] as number;
    const end = at + (lead < 0xc0 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4);
    if (lead > 0 && (lead < 0x80 || isUtf8(bytes.subarray(at, end)))) {
      at = end;
      continue;
    }
    text += buffer.toString('utf8', start, at) + String.fromCharCode(CARRIER + lead);
    at += 1;
    start = at;
  }
  return text + buffer.toString('utf8', start);
}

/** A character that the guard lets through in two halves comes out whole, and its second half is not taken for a byte. */
function createByteEncoder(): (text: string, isLast?: boolean) => Uint8Array {
  let half = '';
  return (text, isLast = false) => {
    const all = half + text;
    half = !isLast && /[\ud800-\udbff]$/.test(all) ? all.slice(-1) : '';
    const parts = all.slice(0, all.length - half.length).split(CARRIED);
    // Every second part is such a byte.
    return Buffer.concat(parts.map((part, at) => (at % 2 === 0 ? Buffer.from(part) : byteOf(part))));
  };
}

const byteOf = (carried: string): Uint8Array => Buffer.of(carried.charCodeAt(0) - CARRIER);
