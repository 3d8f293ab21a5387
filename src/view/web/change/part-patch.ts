/** A part of a difference as a patch that others can apply. */
import type { Part } from './review-file.js';

const SIGNS = { add: '+', remove: '-', same: ' ', gap: ' ' };

export function asPatch(path: string, { rows }: Part): string {
  const lines = rows.filter(({ kind }) => kind !== 'gap');
  const old = lines.filter(({ kind }) => kind !== 'add');
  const now = lines.filter(({ kind }) => kind !== 'remove');
  const place = (first: number | undefined, count: number) => `${count === 0 ? 0 : (first ?? 1)},${count}`;
  const head = `@@ -${place(old[0]?.old, old.length)} +${place(now[0]?.new, now.length)} @@`;
  const names = [old.length === 0 ? '/dev/null' : `a/${path}`, now.length === 0 ? '/dev/null' : `b/${path}`];
  return [`--- ${names[0]}`, `+++ ${names[1]}`, head, ...lines.map(({ kind, text }) => SIGNS[kind] + text), ''].join(
    '\n',
  );
}
