/** A path as an agent names it, from the top of a folder; undefined when it leads out of it. */
export function pathFromTop(path: string, cwd: string | undefined, tops: readonly string[]): string | undefined {
  const isAbsolute = /^(\/|[A-Za-z]:[\\/]|\\\\)/.test(path);
  if (!isAbsolute && cwd === undefined) return undefined;
  const whole = plain(isAbsolute ? path : `${cwd}/${path}`, cwd ?? path);
  for (const top of tops) {
    const folder = plain(top, top);
    if (whole.startsWith(`${folder}/`)) return whole.slice(folder.length + 1);
  }
  return undefined;
}

/** With slashes where it is a path of Windows, and without `.` and `..`. */
function plain(path: string, like: string): string {
  const isWindows = /^([A-Za-z]:[\\/]|\\\\)/.test(like);
  const parts: string[] = [];
  for (const part of (isWindows ? path.replaceAll('\\', '/') : path).split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && (part !== '' || parts.length === 0)) parts.push(part);
  }
  return parts.join('/');
}
