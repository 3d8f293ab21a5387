/** Who is scored: a command that follows the driver protocol of `attempt.ts`. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Reader {
  name: string;
  /** Program and arguments; no shell is involved. */
  command: readonly [string, ...string[]];
  env?: Readonly<Record<string, string>>;
  /** Folders of recordings that it is given, the first is its own speech; absent when it is given all. */
  reads?: readonly string[];
  /** Types of lines that it answers itself and never hands on. */
  keeps?: readonly string[];
  /**
   * One process reads stream after stream: each line of its input is `{"file": …}`, and it says the end of each. Starting one for
   * each stream takes longer than reading all of them.
   */
  stays?: boolean;
}

/** A reader that would be scored if its package were there. */
export interface Absent {
  name: string;
  package: string;
}

/** Each is one way to read. Those by hand are there for comparison: recordings seldom hold what they stumble over. */
export function builtInReaders(programDir: URL): Reader[] {
  const driver = fileURLToPath(new URL('conform-driver.js', programDir));
  const byHand = ['readline', 'split'].map((name) => ({ name, reads: [] }));
  return [{ name: 'glassbox', stays: true }, ...byHand].map((each) => ({
    ...each,
    command: [process.execPath, driver, each.name],
  }));
}

interface VendorEntry {
  name: string;
  package: string;
  driver: string;
  reads: string[];
  keeps?: string[];
}

/** SDKs of vendors, as far as they are installed in the folder `packages`. Their list lies beside their drivers, in `conform/`. */
export function vendorReaders(conformDir: URL, packages: string): { readers: Reader[]; absent: Absent[] } {
  const entries: VendorEntry[] = JSON.parse(readFileSync(new URL('readers.json', conformDir), 'utf8'));
  const isThere = (entry: VendorEntry) => existsSync(path.join(packages, 'node_modules', entry.package));
  const readers = entries.filter(isThere).map(({ name, package: wanted, driver, reads, keeps = [] }): Reader => {
    const env = { GLASSBOX_CONFORM_PACKAGE: path.join(packages, 'node_modules', wanted) };
    return { name, reads, keeps, env, command: [process.execPath, fileURLToPath(new URL(driver, conformDir))] };
  });
  const absent = entries.filter((entry) => !isThere(entry));
  return { readers, absent: absent.map(({ name, package: wanted }) => ({ name, package: wanted })) };
}
