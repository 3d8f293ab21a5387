/**
 * Runs once before all tests: Node reads the certificates of `NODE_EXTRA_CA_CERTS` whenever it starts, which takes longer than the rest of its
 * start. No program of a test speaks to anybody outside; only npm does, when it brings something.
 */
const ASIDE = 'GLASSBOX_TEST_CA_CERTS';

export default function setup(): void {
  const file = process.env.NODE_EXTRA_CA_CERTS;
  if (file === undefined) return;
  process.env[ASIDE] = file;
  delete process.env.NODE_EXTRA_CA_CERTS;
}

/** For the programs that are started meanwhile. */
export async function withCertificates<T>(body: () => Promise<T>): Promise<T> {
  const file = process.env[ASIDE];
  if (file === undefined) return body();
  process.env.NODE_EXTRA_CA_CERTS = file;
  try {
    return await body();
  } finally {
    delete process.env.NODE_EXTRA_CA_CERTS;
  }
}
