/** The OpenAPI document tells the truth: what a real server replies is what it describes, and its types are the client's. */
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { replySchemasText } from '../support/reply-schema.js';

const FILE = 'src/server/replies.json';

test('the schemas of replies are made from the types of the client', () => {
  const text = replySchemasText();
  if (process.env.GLASSBOX_UPDATE_README) writeFileSync(FILE, text);
  expect(readFileSync(FILE, 'utf8'), 'run: npm run readme:update').toBe(text);
});
