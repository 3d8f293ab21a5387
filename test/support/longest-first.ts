/**
 * The order of the test files. Those that start git hundreds of times come first, those that drive a browser late, and those that load every source
 * or every recording last: to start a program takes the longer, the more memory the process has that starts it (2 ms with 50 MB, 26 with 350).
 * Without memory of earlier runs the runner takes big files for long ones; those that are long and small would come last, and alone.
 */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Small files that take more than ten seconds on a quiet machine. */
export const LONG = [
  'test/agent/odd-field.test.ts',
  'test/peer/matrix.peer.ts',
  'test/property.test.ts',
  'test/run/soak.test.ts',
  'test/web/appearance.test.ts',
  'test/web/impostor.test.ts',
  'test/store/channel.test.ts',
  'test/guard/scan-ends.test.ts',
  'test/web/long.test.ts',
  'test/web/approval-fresh.test.ts',
  'test/store/embedded.test.ts',
  'test/session/recordings.test.ts',
  'test/conform/hostile.test.ts',
  'test/conform/conform.test.ts',
  'test/server/openapi.test.ts',
  'test/option.test.ts',
];

const STARTS_GIT =
  /\/test\/(?:(?:checkpoint|compare|killed|review|worktree)\/.+|cli\/(?:review|take-back)|server\/(?:comments|tree-facts)|web\/(?:changes|comments))\.test\.ts$/;
const BROWSES = /\/test\/web\//;
const LOADS_MUCH = /\/test\/(?:[^/]+|(?:cut|decode|guard|session|word)\/.+|server\/reply-schema)\.test\.ts$/;

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => LONG.some((path) => moduleId.endsWith(path));
    const burden = ({ moduleId }: TestSpecification) =>
      STARTS_GIT.test(moduleId) ? -1 : LOADS_MUCH.test(moduleId) ? 2 : BROWSES.test(moduleId) ? 1 : 0;
    const sorted = await super.sort(files);
    // Sorting keeps the order of what is alike.
    return sorted.toSorted((a, b) => burden(a) - burden(b) || Number(isLong(b)) - Number(isLong(a)));
  }
}
