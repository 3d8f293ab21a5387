// @ts-check
/** `npm run test:agents`: the pinned real agents, kept in a cache of their own, against a model on loopback. */
import { bundleIfChanged } from './build.mjs';
import { install } from './install.mjs';
import { installPinned } from './install-pinned.mjs';
import { main, tool } from './process.mjs';

await main(import.meta.url, async () => {
  await install();
  await bundleIfChanged();
  const peers = await installPinned(
    'peers/package.json',
    'the real agents (about 3 GB, several minutes the first time)',
  );
  const config = ['run', '--config', 'vitest.peer.config.ts', ...process.argv.slice(2)];
  // The runner tells itself when no test ends; all together they take half an hour on a busy machine.
  const options = { inherit: true, env: { GLASSBOX_PEERS: peers }, limitMs: 3_600_000 };
  const { code } = await tool('vitest/vitest.mjs', config, options);
  return code;
});
