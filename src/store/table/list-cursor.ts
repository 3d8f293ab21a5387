/** Where a page of the list ended: when the last session was active, and its number. */
import { GlassboxError } from '../../event/index.js';
import type { Row } from './row.js';

export function cursorAfter({ updated_at: updatedAt, no }: Row): string {
  return `${updatedAt}-${no}`;
}

export function parseCursor(cursor: string | undefined): [number | null, number | null] {
  if (cursor === undefined) return [null, null];
  const [, updatedAt, no] = /^(\d+)-(\d+)$/.exec(cursor) ?? [];
  if (updatedAt === undefined) throw new GlassboxError('invalid-request', 'This is no cursor of an earlier page.');
  return [Number(updatedAt), Number(no)];
}
