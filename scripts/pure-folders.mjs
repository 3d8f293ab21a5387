// @ts-check
import { fileURLToPath } from 'node:url';
import { root } from './process.mjs';
import { testFiles } from './reach.mjs';

/** The pure folders of `src/`: the only ones whose tests are so cheap that every line of them can be counted. */
export const pureFolders = [
  'event',
  'jsonl',
  'ledger',
  'budget',
  'word',
  'presence',
  'agent',
  'guard',
  'decode',
  'session',
  'consent',
  'attribution',
  'view/text',
];

/** Where their tests are. What agents leave on disk is read by their folders, and tried on whole homes. */
const pureTests = [
  ...pureFolders.map((folder) => `test/${folder.replace('view/', '')}/`),
  'test/known-fields.test.ts',
  'test/archive/figures.test.ts',
  'test/archive/fork.test.ts',
  'test/archive/homes.test.ts',
];

/** Much work, which counting makes twice as long, on lines that the others count too. */
const laborious = [
  'test/agent/odd-field.test.ts',
  'test/decode/decoder.test.ts',
  'test/guard/redact.test.ts',
  'test/guard/scan-ends.test.ts',
  'test/session/recordings.test.ts',
  'test/word/total.test.ts',
];

/** The test files whose lines are counted. */
export function countedTests() {
  return testFiles(fileURLToPath(root), pureTests).filter((file) => !laborious.includes(file));
}
