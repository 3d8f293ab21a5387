// @ts-check
/** `npm run readme:update`: writes the tables of the README that are made from the code. */
import { install } from './install.mjs';
import { main, tool } from './process.mjs';

await main(import.meta.url, async () => {
  await install();
  const { code } = await tool('vitest/vitest.mjs', ['run', 'test/readme.test.ts'], {
    inherit: true,
    env: { GLASSBOX_UPDATE_README: '1' },
  });
  return code;
});
