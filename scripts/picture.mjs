// @ts-check
/** `npm run picture`: draws `docs/terminal.svg` and `docs/panels.svg` anew, with the tests that hold them current. */
import { install } from './install.mjs';
import { main, tool } from './process.mjs';

await main(import.meta.url, async () => {
  await install();
  const tests = ['test/cli/live-picture.test.ts', 'test/cli/panel-picture.test.ts'];
  const { code } = await tool('vitest/vitest.mjs', ['run', ...tests, '-u'], { inherit: true });
  return code;
});
