/** A path inside a directory as people write it; any other one stays whole. */
export function pathWithin(path: string, directory: string | undefined): string {
  if (directory === undefined || !path.startsWith(directory)) return path;
  const rest = path.slice(directory.length);
  return /^[\\/]./.test(rest) ? rest.slice(1) : path;
}
