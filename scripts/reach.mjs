// @ts-check
/** What a test file reaches by its imports, its own and those of what it imports. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/**
 * @param {string} folder the repository, or a copy
 * @param {readonly string[]} paths test files, or folders with some
 * @returns {string[]} the test files, each once
 */
export function testFiles(folder, paths) {
  const files = paths.flatMap((path) =>
    path.endsWith('.ts')
      ? [path]
      : readdirSync(join(folder, path), { recursive: true, encoding: 'utf8' }).map((file) => posix.join(path, file)),
  );
  return [...new Set(files)].filter((file) => file.endsWith('.test.ts'));
}

/**
 * @param {string} folder
 * @param {string} file
 * @returns {Map<string, string>} each file with its text, the first one included
 */
export function reachOf(folder, file) {
  /** @type {Map<string, string>} */
  const seen = new Map();
  const waiting = [file];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (seen.has(next) || !existsSync(join(folder, next))) continue;
    const text = readFileSync(join(folder, next), 'utf8');
    seen.set(next, text);
    for (const [, specifier = ''] of text.matchAll(/(?:from |import\()'(\.[^']+)'/g)) {
      const target = posix.join(posix.dirname(next), specifier);
      const source = target.replace(/\.js$/, '.ts');
      waiting.push(existsSync(join(folder, source)) ? source : target.replace(/\.js$/, '.tsx'));
    }
  }
  return seen;
}
