// @ts-check
/** How many tests there were, as `npm test` says it in its last line, of one run or of several. */

/** @typedef {{ passed: number, failed: number, skipped: number, pending: number, beside: string[], secondTry: string[] }} Count */

/** @returns {Count} `beside` is what went wrong that is no test, `secondTry` what failed once and then passed */
export const noTests = () => ({ passed: 0, failed: 0, skipped: 0, pending: 0, beside: [], secondTry: [] });

/**
 * @param {readonly Count[]} counts
 * @param {readonly string[]} [failed] names of what else failed
 */
export function lastLines(counts, failed = []) {
  const sum = (/** @type {'passed' | 'failed' | 'skipped' | 'pending'} */ name) =>
    counts.reduce((total, count) => total + count[name], 0);
  const beside = [...failed, ...counts.flatMap((count) => count.beside)];
  return [
    ...counts.flatMap(({ secondTry }) => secondTry).map((name) => `Passed only at the second try: ${name}`),
    ...(beside.length > 0 ? [`Failed beside the tests: ${beside.join('; ')}`] : []),
    `Tests: ${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped') + sum('pending')} skipped`,
  ].join('\n');
}
