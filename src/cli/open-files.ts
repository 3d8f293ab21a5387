/** What is said when the system lets no more files be opened; it needs no other file itself. */
export function tooManyFiles(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code !== 'EMFILE' && code !== 'ENFILE') return undefined;
  return `glassbox: Too many files are open (${code}). Raise the limit, for example with: ulimit -n 1024`;
}
