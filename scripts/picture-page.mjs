// @ts-check
/** `npm run picture:page`: takes `docs/page.png` anew, with the test that holds it current. */
import { install } from './install.mjs';
import { main, tool } from './process.mjs';

await main(import.meta.url, async () => {
  await install();
  const { code } = await tool('vitest/vitest.mjs', ['run', 'test/web/picture.test.ts'], {
    inherit: true,
    env: { GLASSBOX_UPDATE_PICTURE: '1' },
  });
  return code;
});
