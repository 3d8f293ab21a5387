// @ts-check
/**
 * A vitest reporter that makes the runner's count the last line of every run, whatever else is printed after the tests.
 * A part of `npm test` leaves it in the file GLASSBOX_COUNT_FILE instead, for who adds the parts up.
 */
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { lastLines, noTests } from './test-count.mjs';

/** Of what went wrong. */
const MOST_LINES = 40;

export default class CountReporter {
  /** @param {readonly import('vitest/node').TestModule[]} modules */
  onTestRunEnd(modules) {
    const count = noTests();
    for (const module of modules) {
      count.failed += module.errors().length;
      for (const test of module.children.allTests()) {
        count[test.result().state] += 1;
        if (test.diagnostic()?.flaky) count.secondTry.push(firstTryOf(module, test));
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

/**
 * Its name, and what went wrong at first: nobody sees that again.
 * @param {import('vitest/node').TestModule} module
 * @param {import('vitest/node').TestCase} test
 */
function firstTryOf(module, test) {
  const [error] = test.result().errors ?? [];
  const told = [error?.message ?? '', error?.diff ?? '', ...(error?.stacks ?? []).map(placeOf)].join('\n');
  const lines = stripVTControlCharacters(told)
    .split('\n')
    .filter((line) => line.trim() !== '');
  return [`${module.relativeModuleId} > ${test.fullName}`, ...lines.slice(0, MOST_LINES)].join('\n    ');
}

/** @param {{ file: string, line: number }} place */
const placeOf = ({ file, line }) => `${relative(process.cwd(), file)}:${line}`;
