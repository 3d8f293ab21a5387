// @ts-check
import { readdirSync, readFileSync } from 'node:fs';
import { root } from './process.mjs';

/**
 * A test holds the requirement: `title` is in its title (or stands in `suite`, which the test file runs), and `break` makes it red.
 * @typedef {{ number: string, words: string, test: string, title: string, suite?: string, break: import('./scratch.mjs').Edit }} TestedRow
 * @typedef {{ number: string, words: string, untested: string }} UntestedRow
 * @typedef {TestedRow | UntestedRow} Row
 */

/** @returns {Row[]} what `test/requirements` says of each requirement */
export function readRows() {
  const folder = new URL('test/requirements/', root);
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .flatMap((file) => JSON.parse(readFileSync(new URL(file, folder), 'utf8')));
}
