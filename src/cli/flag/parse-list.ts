/** Names with commas between them. */
export function parseList(written: string): string[] {
  const names = written
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
  if (names.length === 0) throw new SyntaxError('Write one name or several with commas: linux,gpu');
  return names;
}
