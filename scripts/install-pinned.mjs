// @ts-check
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cacheFolder } from './cache.mjs';
import { npm, root, say } from './process.mjs';

/**
 * Installs what a manifest pins into a folder of the cache, once per pinned set; scripts stay off. It is made beside it and moved there: the
 * folder is whole or not there, and of two who install at once the second finds that of the first.
 * @param {string} manifest in the repository
 * @param {string} what for people
 * @returns {Promise<string>} the folder
 */
export async function installPinned(manifest, what) {
  const file = fileURLToPath(new URL(manifest, root));
  const pins = createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 16);
  const folder = cacheFolder(`${basename(dirname(file))}-${pins}`);
  const isThere = () => existsSync(join(folder, '.installed'));
  if (isThere()) return folder;
  mkdirSync(dirname(folder), { recursive: true });
  const place = mkdtempSync(`${folder}-`);
  try {
    copyFileSync(file, join(place, 'package.json'));
    say(`installing ${what} …`);
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error'];
    const { code, output } = await npm(['install', '--prefix', place, ...flags]);
    if (code !== 0) throw new Error(`${what} could not be installed:\n${output}`);
    writeFileSync(join(place, '.installed'), '');
    // Half of it, of one who was interrupted in its place.
    if (!isThere()) rmSync(folder, { recursive: true, force: true });
    renameSync(place, folder);
  } catch (error) {
    if (!isThere()) throw error;
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
  return folder;
}
