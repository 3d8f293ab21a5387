// @ts-check
/**
 * `npm run recordings:update -- claude/basic-text`: writes what the code gives today as the expected results of the recordings
 * and homes whose name begins like this, and the table of known fields. Look at the difference before you commit it: it is the review.
 */
import { install } from './install.mjs';
import { main, tool } from './process.mjs';

await main(import.meta.url, async () => {
  const names = process.argv.slice(2);
  if (process.env.CI) throw new Error('expected results are never written in CI.');
  if (names.length === 0) throw new Error('usage: npm run recordings:update -- <agent>[/<case>] …');
  await install();
  const pattern = `^(${names.map((name) => name.replace(/[^\w/-]/g, '\\$&')).join('|')})`;
  const { code } = await tool(
    'vitest/vitest.mjs',
    [
      'run',
      ...['test/recordings.test.ts', 'test/archive/homes.test.ts', 'test/known-fields.test.ts'],
      ...['-t', 'S0-39|on disk gives'],
    ],
    {
      inherit: true,
      env: { GLASSBOX_UPDATE_RECORDINGS: pattern },
    },
  );
  return code;
});
