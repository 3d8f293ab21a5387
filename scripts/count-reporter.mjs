// @ts-check
/** A vitest reporter that keeps the runner's count, so that it can be the last line of `npm test` whatever is printed between. */
import { writeFileSync } from 'node:fs';

export default class CountReporter {
  /** @param {readonly import('vitest/node').TestModule[]} modules */
  onTestRunEnd(modules) {
    const count = { passed: 0, failed: 0, skipped: 0, pending: 0 };
    for (const module of modules) {
      count.failed += module.errors().length;
      for (const test of module.children.allTests()) count[test.result().state] += 1;
    }
    const line = `Tests: ${count.passed} passed, ${count.failed} failed, ${count.skipped + count.pending} skipped`;
    if (process.env.GLASSBOX_COUNT_FILE) writeFileSync(process.env.GLASSBOX_COUNT_FILE, line);
  }
}
