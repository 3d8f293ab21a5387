// @ts-check
/**
 * A vitest reporter that makes the runner's count the last line of every run, whatever else is printed after the tests.
 * A part of `npm test` leaves it in the file GLASSBOX_COUNT_FILE instead, for who adds the parts up.
 */
import { writeFileSync } from 'node:fs';
import { lastLines, noTests } from './test-count.mjs';

export default class CountReporter {
  /** @param {readonly import('vitest/node').TestModule[]} modules */
  onTestRunEnd(modules) {
    const count = noTests();
    for (const module of modules) {
      count.failed += module.errors().length;
      for (const test of module.children.allTests()) {
        count[test.result().state] += 1;
        if (test.diagnostic()?.flaky) count.secondTry.push(`${module.relativeModuleId} > ${test.fullName}`);
      }
    }
    process.once('exit', () => {
      if (process.env.GLASSBOX_LEFT_BEHIND) count.beside.push(process.env.GLASSBOX_LEFT_BEHIND);
      const file = process.env.GLASSBOX_COUNT_FILE;
      if (file) writeFileSync(file, JSON.stringify(count));
      else console.log(lastLines([count]));
    });
  }
}
