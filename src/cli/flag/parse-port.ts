/** A number by which a server is called; 0 for any that is free. */
export function parsePort(written: string): number {
  const port = Number(written);
  if (written.trim() === '' || !Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new SyntaxError(`Write a port between 0 and 65535, not ${written}`);
  }
  return port;
}
