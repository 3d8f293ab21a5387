/** Where a path really leads: links resolved, also where its end does not exist yet. */
import { readlinkSync, realpathSync } from 'node:fs';
import path from 'node:path';

/** As many as the system follows. */
const MOST_LINKS = 40;

/** `file` is absolute; its `..` go up from where links lead, as the system goes. A link to something that does not exist leads there: whoever writes to it makes that. */
export function realPath(file: string, links = MOST_LINKS): string {
  try {
    return realpathSync.native(file);
  } catch {
    const parent = path.dirname(file);
    if (parent === file) return file;
    const inPlace = path.join(realPath(parent, links), path.basename(file));
    const target = links > 0 ? linkAt(inPlace) : undefined;
    if (target === undefined) return inPlace;
    return realPath(path.isAbsolute(target) ? target : `${path.dirname(inPlace)}/${target}`, links - 1);
  }
}

/** Whether it is one of these directories or below; both sides are real paths. */
export function isInside(file: string, directories: readonly string[]): boolean {
  return directories.some((directory) => {
    const way = path.relative(directory, file);
    return way !== '..' && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way);
  });
}

function linkAt(file: string): string | undefined {
  try {
    return readlinkSync(file);
  } catch {
    return undefined;
  }
}
