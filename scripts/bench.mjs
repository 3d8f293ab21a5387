// @ts-check
/**
 * `npm run bench`: measures the numbers to hold, each row in a fresh process, and prints them as a table and as JSON.
 * `npm run bench -- decode` runs only the rows whose file name contains that word.
 */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { bundleIfChanged } from './build.mjs';
import { install } from './install.mjs';
import { installPinned } from './install-pinned.mjs';
import { exec, main, root, say } from './process.mjs';

/** @typedef {import('../bench/support/row.js').Row} Row */

const results = new URL('bench/results/', root);

/** What the rows need beside their own code: the built program, and libraries that are measured too. */
const env = {
  BENCH_CLI: fileURLToPath(new URL('dist/cli.js', root)),
  BENCH_PEERS: '',
};

async function installPeers() {
  try {
    env.BENCH_PEERS = await installPinned(
      'bench/peers/package.json',
      'what is measured against (about 300 MB the first time)',
    );
  } catch {
    say('what is measured against cannot be installed; those figures will be missing');
  }
}

/** @param {string[]} names */
async function bundle(names) {
  const { rolldown } = await import('rolldown');
  const input = Object.fromEntries(names.map((name) => [name, `bench/${name}.ts`]));
  const build = await rolldown({ cwd: fileURLToPath(root), input, platform: 'node', external: [/^node:/] });
  await build.write({ dir: fileURLToPath(new URL('bundle', results)), format: 'esm', sourcemap: true });
  await build.close();
}

/**
 * @param {string} name
 * @returns {Promise<Row[]>}
 */
async function measure(name) {
  const file = fileURLToPath(new URL(`bundle/${name}.js`, results));
  const { code, output } = await exec(process.execPath, [file], { env });
  if (code !== 0) throw new Error(`${name} failed:\n${output}`);
  return JSON.parse(output.trim().split('\n').at(-1) ?? '[]');
}

/** @param {Row} row */
function lineOf({ row, what, against, goal, value, unit, ok, also }) {
  const figure = `${value < 10 ? value.toFixed(2) : Math.round(value)} ${unit}`;
  const more = Object.entries(also).map(([name, text]) => `\n       ${name}: ${text}`);
  return `${ok ? 'ok  ' : 'MISS'} ${String(row).padStart(2)}  ${what}\n       ${figure} (goal ${goal}) against ${against}${more.join('')}`;
}

await main(import.meta.url, async () => {
  await install();
  const words = process.argv.slice(2);
  const names = readdirSync(new URL('bench/', root))
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.slice(0, -'.ts'.length))
    .filter((name) => words.length === 0 || words.some((word) => name.includes(word)));
  mkdirSync(results, { recursive: true });
  rmSync(new URL('bundle', results), { recursive: true, force: true });
  await Promise.all([installPeers(), bundleIfChanged(), bundle(names)]);
  /** @type {Row[]} */
  const rows = [];
  for (const name of names) {
    say(`measuring ${name}`);
    rows.push(...(await measure(name)));
  }
  rows.sort((a, b) => a.row - b.row);
  const machine = `Node ${process.versions.node}, ${process.platform} ${process.arch}, ${cpus()[0]?.model.trim()} × ${cpus().length}`;
  const json = JSON.stringify({ machine, rows }, undefined, 2);
  writeFileSync(new URL('latest.json', results), `${json}\n`);
  console.log(`\n${machine}\n\n${rows.map(lineOf).join('\n')}\n\n${json}`);
  return rows.every(({ ok }) => ok) ? 0 : 1;
});
