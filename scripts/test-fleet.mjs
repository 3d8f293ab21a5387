// @ts-check
/**
 * `npm run test:fleet`: three hubs over a Postgres and eight workers do 400 jobs, while they are killed, cut off, frozen and filled up in 50 rounds. The seed
 * is printed; `GLASSBOX_TEST_SEED` plays one again, `GLASSBOX_FLEET_FOLDER` keeps what the processes said.
 */
import { install } from './install.mjs';
import { main, tool } from './process.mjs';

await main(import.meta.url, async () => {
  await install();
  // One test that takes long is none that hangs.
  const words = ['run', 'test/fleet/chaos.test.ts', '--reporter=default', ...process.argv.slice(2)];
  const { code } = await tool('vitest/vitest.mjs', words, { inherit: true, env: { GLASSBOX_FLEET_LARGE: '1' } });
  return code;
});
