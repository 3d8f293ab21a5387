// @ts-check
/** Which source files belong together for `npm run mutate`, and which tests must notice a mistake in them. */
import { existsSync } from 'node:fs';
import { posix } from 'node:path';
import { root } from './process.mjs';

/**
 * `tests` are run in one process, those that reach the file by their imports, the quick ones first; `built` start what is bundled, so
 * they come last, and only for what the others let pass; before them come `late`, tests of other folders that go through this one.
 * @typedef {{ files: RegExp, tests: string[], late?: string[], built: string[] }} Area
 */

/** @type {(folder: string, ...names: string[]) => string[]} */
const testsIn = (folder, ...names) => names.map((name) => `test/${folder}/${name}.test.ts`);

/** @type {Record<string, Area>} */
export const AREAS = {
  guard: {
    files: /^src\/guard\//,
    tests: [
      ...testsIn('guard', 'guard', 'identity', 'interleaved', 'redact', 'shortest', 'worst-case', 'false-alarm'),
      ...testsIn('guard', 'colourless', 'credential', 'name', 'utf8'),
      ...testsIn('run', 'stderr', 'withheld-id'),
      'test/linear.test.ts',
    ],
    built: [],
  },
  server: {
    files: /^src\/server\//,
    tests: ['test/server/'],
    late: ['test/worker/', 'test/client/', ...testsIn('store', 'remote')],
    built: [...testsIn('cli', 'serve'), ...testsIn('web', 'connection', 'login', 'hostile')],
  },
  approvals: {
    files: /^src\/run\/approval\//,
    tests: [
      ...testsIn(
        'run',
        'approval',
        'pending-approvals',
        'rule',
        'target',
        'wildcard',
        'host-facts',
        'configuration',
        'headless',
        'withheld-id',
        'request',
      ),
      ...testsIn('server', 'flow'),
      ...testsIn('store', 'keep-run'),
    ],
    late: [...testsIn('worktree', 'neighbours'), ...testsIn('run', 'inside-run')],
    built: testsIn('cli', 'ask'),
  },
  agent: {
    files: /^src\/agent\//,
    tests: [
      ...['test/agent/', 'test/archive/', 'test/recordings.test.ts', 'test/invariants.test.ts'],
      ...['test/known-fields.test.ts', 'test/run/request.test.ts', 'test/hook/installation.test.ts'],
    ],
    late: ['test/session/', 'test/ledger/', 'test/observer/', 'test/hook/'],
    built: [],
  },
  export: {
    files: /^src\/export\//,
    tests: ['test/export/', ...testsIn('server', 'flow')],
    built: testsIn('cli', 'kept', 'file'),
  },
};

/**
 * @param {string} name of an area, or any folder of the source
 * @returns {[string, Area]}
 */
export function areaNamed(name) {
  const folder = name.replace(/^src\/|\/$/g, '');
  const tests = [`${testFolderOf(`src/${folder}`)}/`];
  return [folder, AREAS[folder] ?? { files: new RegExp(`^src/${folder}/`), tests, built: [] }];
}

/**
 * Tests stand in fewer folders than what they test.
 * @param {string} folder of the source
 * @returns {string} the folder of tests nearest to it
 */
export function testFolderOf(folder) {
  const own = folder.replace(/^src\/(?:view\/)?/, 'test/');
  return own === 'test' || existsSync(new URL(own, root)) ? own : testFolderOf(posix.dirname(folder));
}
