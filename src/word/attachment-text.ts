import { type Attachment, replaceHostile } from '../event/index.js';
import { size } from './size.js';

/** `shot.png · image/png · 12 KB`: what is known of something that is not text. */
export function attachmentText({ kind, name, mimeType, bytes, uri }: Attachment): string {
  const facts = [name, mimeType || kind, bytes === undefined ? undefined : size(bytes), uri];
  return replaceHostile(facts.filter(Boolean).join(' · '), ' ');
}
