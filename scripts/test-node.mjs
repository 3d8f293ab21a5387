// @ts-check
/** `npm run test:node`: the tests once more on the newest Node that the package registry has, kept in a cache of its own. */
import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleIfChanged } from './build.mjs';
import { cacheFolder } from './cache.mjs';
import { install } from './install.mjs';
import { exec, main, npm, root, say } from './process.mjs';

await main(import.meta.url, async () => {
  await install();
  await bundleIfChanged();
  const node = await newestNode();
  const vitest = fileURLToPath(new URL('node_modules/vitest/vitest.mjs', root));
  const { code } = await exec(node, [vitest, 'run', ...process.argv.slice(2)], {
    inherit: true,
    env: { PATH: `${dirname(node)}${delimiter}${process.env.PATH}` },
  });
  return code;
});

/** The binary inside a registry package; no download from anywhere else, and no install script. */
async function newestNode() {
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const name = `node-${platform}-${process.arch}`;
  const { code, output } = await npm(['view', name, 'versions', '--json', '--loglevel=error']);
  if (code !== 0) throw new Error(`the registry has no ${name}, or it cannot be reached.\n${output}`);
  const version = newest(JSON.parse(output));
  const folder = cacheFolder(`node-${version}`);
  const node = join(folder, 'node_modules', name, 'bin', platform === 'win' ? 'node.exe' : 'node');
  if (!existsSync(node)) {
    say(`installing Node ${version} in ${folder} …`);
    const added = await npm(['install', '--prefix', folder, '--no-audit', '--no-fund', `${name}@${version}`]);
    if (added.code !== 0) throw new Error(`Node ${version} could not be installed.\n${added.output}`);
  }
  say(`running the tests on Node ${version}`);
  return node;
}

/** @param {string[]} versions */
function newest(versions) {
  const released = versions.filter((version) => /^\d+\.\d+\.\d+$/.test(version));
  const latest = released.sort((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1);
  if (!latest) throw new Error('the registry lists no released Node.');
  return latest;
}
