// @ts-check
/** `npm start`: from a fresh clone to the demo, without an account and without a network but the package registry's. */
import { fileURLToPath } from 'node:url';
import { bundleIfChanged } from './build.mjs';
import { install } from './install.mjs';
import { exec, main, root, say } from './process.mjs';

await main(import.meta.url, async () => {
  await install();
  if (await bundleIfChanged()) say('built dist');
  const cli = fileURLToPath(new URL('dist/cli.js', root));
  const { code } = await exec(process.execPath, [cli, 'demo', ...process.argv.slice(2)], { inherit: true });
  return code;
});
