// @ts-check
/** `npm run conform`: `glassbox conform` with the pinned SDKs of vendors, which are kept in a cache of their own. */
import { fileURLToPath } from 'node:url';
import { bundleIfChanged } from './build.mjs';
import { install } from './install.mjs';
import { installPinned } from './install-pinned.mjs';
import { exec, main, root } from './process.mjs';

await main(import.meta.url, async () => {
  await install();
  await bundleIfChanged();
  const packages = await installPinned('conform/package.json', 'the SDKs of vendors (about 130 MB)');
  const cli = fileURLToPath(new URL('dist/cli.js', root));
  const { code } = await exec(process.execPath, [cli, 'conform', '--packages', packages, ...process.argv.slice(2)], {
    inherit: true,
  });
  return code;
});
