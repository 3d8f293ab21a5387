// @ts-check
/**
 * `npm run state-score`: plays labelled sessions with the real agents, watched from outside, and prints how truly and how soon their states were
 * shown. `-- -t claude` for one of them; `STATE_ROUNDS=3` plays each three times.
 */
import { install } from './install.mjs';
import { installPinned } from './install-pinned.mjs';
import { main, tool } from './process.mjs';

await main(import.meta.url, async () => {
  await install();
  const peers = await installPinned(
    'peers/package.json',
    'the real agents (about 3 GB, several minutes the first time)',
  );
  const config = ['run', '--config', 'vitest.score.config.ts', ...process.argv.slice(2)];
  const { code } = await tool('vitest/vitest.mjs', config, { inherit: true, env: { GLASSBOX_PEERS: peers } });
  return code;
});
