// @ts-check
/**
 * A vitest reporter that ends a run in which nothing begins or ends any more, and names what was running. A bound in a test
 * cannot do that: what never yields never comes to look at it.
 */
import { tmpdir } from 'node:os';
import { basename } from 'node:path';
import { killProgramsWith } from './left-behind.mjs';

/** Longer than any test or hook may take. */
const QUIET_MS = Number(process.env.GLASSBOX_TESTS_QUIET_MS) || 600_000;

export default class HangReporter {
  /** @type {Set<string>} */
  #modules = new Set();
  /** @type {Set<string>} */
  #tests = new Set();
  /** @type {NodeJS.Timeout | undefined} */
  #timer;

  onInit() {
    this.#heard();
  }

  /** @param {import('vitest/node').TestModule} module */
  onTestModuleQueued(module) {
    this.#modules.add(module.relativeModuleId);
    this.#heard();
  }

  /** @param {import('vitest/node').TestModule} module */
  onTestModuleEnd(module) {
    this.#modules.delete(module.relativeModuleId);
    this.#heard();
  }

  /** @param {import('vitest/node').TestCase} test */
  onTestCaseReady(test) {
    this.#tests.add(nameOf(test));
    this.#heard();
  }

  /** @param {import('vitest/node').TestCase} test */
  onTestCaseResult(test) {
    this.#tests.delete(nameOf(test));
    this.#heard();
  }

  #heard() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#end(), QUIET_MS).unref();
  }

  #end() {
    const running = [...this.#tests, ...this.#modules];
    const what = running.length > 0 ? running.join('\n  ') : 'the runner itself, before or after the tests';
    process.stderr.write(
      `\nNothing began or ended for ${QUIET_MS / 1000} s, so the tests were killed. What hung:\n  ${what}\n`,
    );
    // Theirs has this name; without it the word would be in the environment of everything.
    if (basename(tmpdir()).startsWith('glassbox-test-')) killProgramsWith(tmpdir());
    // Leaving in order would wait for the thread that hangs.
    process.kill(process.pid, 'SIGKILL');
  }
}

/** @param {import('vitest/node').TestCase} test */
function nameOf(test) {
  return `${test.module.relativeModuleId} > ${test.fullName}`;
}
