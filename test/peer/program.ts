/** Where `npm run test:agents` installed a real program. */
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Throws when it is missing: a real agent that is not there is a failure, not a reason to skip. */
export function programAt(...path: string[]): string {
  const folder = process.env.GLASSBOX_PEERS;
  if (!folder) throw new Error('Start the real agents with `npm run test:agents`.');
  const file = join(folder, 'node_modules', ...path);
  if (!existsSync(file)) throw new Error(`The real agent is missing: ${path.join('/')}. Check peers/package.json.`);
  return file;
}

/**
 * A script under the name that people type, without an ending: with one, it would run with the Node of the tests. Two packages may also bring a
 * program of the same name.
 */
export function scriptAt(name: string, ...path: string[]): string {
  const script = programAt(...path);
  const folder = join(process.env.GLASSBOX_PEERS ?? '', 'links', ...path.slice(0, 2));
  const link = join(folder, name);
  mkdirSync(folder, { recursive: true });
  if (!existsSync(link)) symlinkSync(script, link);
  return link;
}

/** The package suffix of this machine: `linux-x64`. */
export const platform = `${process.platform}-${process.arch}`;

/** The folder of a Node for agents that need a newer one than these tests. */
export function newerNode(): string {
  return dirname(programAt(`node-${platform}`, 'bin', 'node'));
}
