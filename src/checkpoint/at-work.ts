import path from 'node:path';
import { GlassboxError } from '../event/index.js';

/** Throws when one of these live sessions works below a folder: its agent would go on from what it believes to be there. */
export function refuseWhileAtWork(live: readonly { id: string; cwd?: string }[], session: string, top: string): void {
  const there = live.filter(({ id, cwd }) => id === session || isBelow(cwd, top)).map(({ id }) => id);
  if (there.length === 0) return;
  const work = there.length === 1 ? 'works' : 'work';
  throw new GlassboxError(
    'conflict',
    `${there.join(' and ')} ${work} on these files now. End it first: glassbox stop ${there[0]}`,
  );
}

const isBelow = (cwd: string | undefined, top: string): boolean =>
  cwd === top || (cwd?.startsWith(top + path.sep) ?? false);
