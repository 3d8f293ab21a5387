// @ts-check
/** `npm run readme:update`: writes the tables of the README and the documents that are made from the code. */
import { install } from './install.mjs';
import { main, tool } from './process.mjs';

/** Each checks what is made from the code, and writes it when it is told to. */
const MADE = [
  'test/readme.test.ts',
  'test/events-document.test.ts',
  'test/server/reply-schema.test.ts',
  'test/server/reference.test.ts',
];

await main(import.meta.url, async () => {
  await install();
  const { code } = await tool('vitest/vitest.mjs', ['run', ...MADE], {
    inherit: true,
    env: { GLASSBOX_UPDATE_README: '1' },
  });
  return code;
});
