// @ts-check
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cacheFolder } from './cache.mjs';
import { npm, root, say } from './process.mjs';

/**
 * Installs what a manifest pins into a folder of the cache, once per pinned set; scripts stay off.
 * @param {string} manifest in the repository
 * @param {string} what for people
 * @returns {Promise<string>} the folder
 */
export async function installPinned(manifest, what) {
  const file = fileURLToPath(new URL(manifest, root));
  const pins = createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 16);
  const folder = cacheFolder(`${basename(dirname(file))}-${pins}`);
  const done = join(folder, '.installed');
  if (existsSync(done)) return folder;
  mkdirSync(folder, { recursive: true });
  copyFileSync(file, join(folder, 'package.json'));
  say(`installing ${what} …`);
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error'];
  const { code, output } = await npm(['install', '--prefix', folder, ...flags]);
  if (code !== 0) throw new Error(`${what} could not be installed:\n${output}`);
  writeFileSync(done, '');
  return folder;
}
