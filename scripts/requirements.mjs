// @ts-check
/**
 * `npm run requirements [-- S0-01 … | --sample 40 [--seed <hash>]]`: breaks what each requirement asks for, one line at a time in a
 * scratch copy, runs only the test that its row names, and reports every break that no test noticed.
 */
import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { install } from './install.mjs';
import { createMutantWorker } from './mutant-worker.mjs';
import { main, say } from './process.mjs';
import { draw } from './random.mjs';
import { readRows } from './requirement-rows.mjs';
import { asPattern, createScratch, usesBundle } from './scratch.mjs';

await main(import.meta.url, async () => {
  await install();
  const { values, positionals } = parseArgs({
    options: { sample: { type: 'string' }, seed: { type: 'string' } },
    allowPositionals: true,
  });
  const rows = readRows();
  const tested = rows.filter((row) => 'test' in row);
  const unknown = positionals.filter((number) => !rows.some((row) => row.number === number));
  if (unknown.length > 0) throw new Error(`there is no requirement ${unknown.join(', ')}.`);
  const seed = values.seed ?? String(execFileSync('git', ['rev-parse', 'HEAD'])).trim();
  const chosen = values.sample
    ? draw(tested, Number(values.sample), seed)
    : tested.filter(({ number }) => positionals.length === 0 || positionals.includes(number));
  say(`${chosen.length} of ${rows.length} rows${values.sample ? `, drawn by ${seed}` : ''}`);
  const unnoticed = await breakEach(chosen);
  for (const line of unnoticed) console.log(line);
  say(`${chosen.length - unnoticed.length} of ${chosen.length} breaks were noticed`);
  return unnoticed.length === 0 ? 0 : 1;
});

/**
 * @param {readonly import('./requirement-rows.mjs').TestedRow[]} rows
 * @returns {Promise<string[]>} what is wrong with which row
 */
async function breakEach(rows) {
  const scratch = createScratch();
  const worker = createMutantWorker(scratch.folder);
  /** What was broken last is whole again, which a runner that stays loaded must be told. */
  let mended = '';
  try {
    const whole = await scratch.test(rows.map(({ test, title }) => ({ file: test, title })));
    if (whole.trouble || whole.failed.length > 0) {
      throw new Error(`red without any break:\n${[whole.trouble ?? '', ...whole.failed].join('\n')}`);
    }
    /** @type {string[]} */
    const wrong = [];
    for (const { number, test, title, break: edit } of rows) {
      const verdict = whole.passed.some((name) => name.includes(title))
        ? await scratch.withEdit(edit, () => lookFor({ test, title, changed: edit.file }))
        : 'no such test';
      console.log(`${verdict === 'red' ? 'red   ' : 'NOT   '} ${number} ${edit.file}: ${edit.to.trim()}`);
      if (verdict !== 'red')
        wrong.push(`${number}: ${verdict}; ${test}: ${title}; ${edit.file}: ${edit.from} → ${edit.to}`);
    }
    return wrong;
  } finally {
    worker.end();
    scratch.remove();
  }

  /** @param {{ test: string, title: string, changed: string }} look */
  async function lookFor({ test, title, changed }) {
    // What starts the bundle needs it built of what is broken.
    if (usesBundle(scratch.folder, test)) return judge(await scratch.test([{ file: test, title }]));
    const files = [{ path: test, titles: asPattern(title) }];
    const { failed } = await worker.ask({ changed: [mended, changed].filter(Boolean), files, bail: true });
    mended = changed;
    const unloadable = failed.find((name) => name.endsWith(' does not load'));
    return judge({ passed: [], failed, ...(unloadable && { trouble: unloadable }) });
  }
}

/** @param {import('./scratch.mjs').Outcome} outcome */
function judge({ failed, trouble }) {
  if (trouble) return `nothing could be run:\n${trouble}`;
  return failed.length > 0 ? 'red' : 'still green';
}
