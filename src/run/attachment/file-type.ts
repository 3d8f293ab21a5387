/** What a file is by how it begins: its name and what anybody says of it prove nothing. */
import type { AttachableType } from '../../agent/index.js';

export function typeOf(data: Uint8Array): AttachableType | undefined {
  const head = String.fromCharCode(...data.subarray(0, 12));
  if (head.startsWith('RIFF') && head.endsWith('WEBP')) return 'image/webp';
  return BEGINNINGS.find(([beginning]) => head.startsWith(beginning))?.[1];
}

const BEGINNINGS: readonly (readonly [string, AttachableType])[] = [
  ['\x89PNG\r\n\x1a\n', 'image/png'],
  ['\xff\xd8\xff', 'image/jpeg'],
  ['GIF87a', 'image/gif'],
  ['GIF89a', 'image/gif'],
  ['%PDF-', 'application/pdf'],
];
