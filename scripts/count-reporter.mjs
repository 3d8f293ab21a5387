// @ts-check
/** A vitest reporter that makes the runner's count the last line of every run, whatever else is printed after the tests. */
export default class CountReporter {
  /** @param {readonly import('vitest/node').TestModule[]} modules */
  onTestRunEnd(modules) {
    const count = { passed: 0, failed: 0, skipped: 0, pending: 0 };
    for (const module of modules) {
      count.failed += module.errors().length;
      for (const test of module.children.allTests()) count[test.result().state] += 1;
    }
    process.once('exit', () => {
      if (process.env.GLASSBOX_FAILED_GATES)
        console.log(`Failed before the tests: ${process.env.GLASSBOX_FAILED_GATES}`);
      console.log(`Tests: ${count.passed} passed, ${count.failed} failed, ${count.skipped + count.pending} skipped`);
    });
  }
}
