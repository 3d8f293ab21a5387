// @ts-check
/** `npm run test:agents`: the pinned real agents, kept in a cache of their own, against a model on loopback. */

import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleIfChanged } from './build.mjs';
import { cacheFolder } from './cache.mjs';
import { install } from './install.mjs';
import { main, npm, root, say, tool } from './process.mjs';

await main(import.meta.url, async () => {
  await install();
  await bundleIfChanged();
  const peers = await installPeers();
  const config = ['run', '--config', 'vitest.peer.config.ts', ...process.argv.slice(2)];
  const { code } = await tool('vitest/vitest.mjs', config, { inherit: true, env: { GLASSBOX_PEERS: peers } });
  return code;
});

/** Installed once per pinned set; scripts stay off, the programs are shipped inside their packages. */
async function installPeers() {
  const manifest = fileURLToPath(new URL('peers/package.json', root));
  const pins = createHash('sha256').update(readFileSync(manifest)).digest('hex').slice(0, 16);
  const folder = cacheFolder(`peers-${pins}`);
  const done = join(folder, '.installed');
  if (existsSync(done)) return folder;
  mkdirSync(folder, { recursive: true });
  copyFileSync(manifest, join(folder, 'package.json'));
  say('installing the real agents (about 2.5 GB, several minutes the first time) …');
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error'];
  const { code, output } = await npm(['install', '--prefix', folder, ...flags]);
  if (code !== 0) throw new Error(`The real agents could not be installed:\n${output}`);
  writeFileSync(done, '');
  return folder;
}
