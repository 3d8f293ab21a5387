/** The order of the test files. Without memory of earlier runs the runner takes big files for long ones; those that are long and small would come last, and alone. */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Small files that take more than ten seconds on a quiet machine. */
export const LONG = [
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

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => LONG.some((path) => moduleId.endsWith(path));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
