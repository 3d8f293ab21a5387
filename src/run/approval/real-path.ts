/** Where a path really leads: links resolved, also where its end does not exist yet. */
import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
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

/** Names that mean another file in every process: `/proc/self/cwd` is the agent's directory there and ours here. */
const OF_A_PROCESS = /^\/(?:proc\/(?:self|thread-self)|dev\/(?:fd|stdin|stdout|stderr))(?:\/|$)/;

/** Whether the way to an absolute path leads through such a name, also behind links. */
export function leadsByProcess(file: string): boolean {
  if (path.sep !== '/') return false;
  const names = file.split('/').reverse();
  let at = '/';
  let links = MOST_LINKS;
  for (let name = names.pop(); name !== undefined; name = names.pop()) {
    at = path.join(at, name);
    if (OF_A_PROCESS.test(at)) return true;
    const target = linkAt(at);
    if (target === undefined) continue;
    if (links === 0) return false;
    links--;
    at = path.isAbsolute(target) ? '/' : path.dirname(at);
    names.push(...target.split('/').reverse());
  }
  return false;
}

/** Whether it is a file with a second name, which may be anywhere on the same disk; directories have several by nature. */
export function hasOtherNames(file: string): boolean {
  try {
    const facts = lstatSync(file);
    return facts.nlink > 1 && !facts.isDirectory();
  } catch {
    return false;
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
