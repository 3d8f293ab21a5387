// @ts-check
/**
 * `npm run bench`: measures the numbers to hold, each row in a fresh process, and prints them as one table, with what else was measured below it.
 * `npm run bench -- decode` runs only the rows whose file name contains that word; with `--write` the table takes the place of the one in the README, or
 * only those rows do.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
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
  const build = await rolldown({
    cwd: fileURLToPath(root),
    input,
    platform: 'node',
    external: [/^node:/],
    transform: { target: 'node20' },
  });
  await build.write({ dir: fileURLToPath(new URL('bundle', results)), format: 'esm', sourcemap: true });
  await build.close();
}

/**
 * Undefined when it failed, which is told: the other rows are measured all the same.
 * @param {string} name
 * @returns {Promise<Row[] | undefined>}
 */
async function measure(name) {
  const file = fileURLToPath(new URL(`bundle/${name}.js`, results));
  const { code, output } = await exec(process.execPath, [file], { env });
  // Programs that it started may have said something after it.
  const rows = output.split('\n').findLast((line) => line.startsWith('[{'));
  if (code === 0 && rows !== undefined) return JSON.parse(rows);
  say(`${name} failed:\n${output}`);
  return undefined;
}

const HEAD = ['| | what | against | measured | goal | reached |', '|---|---|---|---|---|---|'];

/**
 * @param {Row[]} rows
 * @param {string} when
 */
function tableOf(rows, when) {
  return [`Measured on ${when}.`, '', ...HEAD, ...rows.map(lineOf)].join('\n');
}

/** @param {Row} row */
function lineOf({ row, what, against, goal, value, unit, ok }) {
  return `| ${row} | ${what} | ${against} | ${figureOf(value)} ${unit} | ${goal} | ${ok ? 'yes' : 'no'} |`;
}

/**
 * Some rows measured anew take their places in the table that is there; what stands above it says when and where.
 * @param {string} before
 * @param {Row[]} rows
 * @param {string} when
 */
function tableWith(before, rows, when) {
  const names = [...new Set(rows.map(({ row }) => String(row)))];
  const [above = '', ...lines] = before
    .split(`\n\n${HEAD.join('\n')}\n`)
    .flatMap((part, index) => (index === 0 ? [part] : part.split('\n')));
  const others = lines.filter((line) => !names.some((name) => line.startsWith(`| ${name} |`)));
  const all = [...others, ...rows.map(lineOf)].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  const anew = `Rows ${names.join(', ')}: on `;
  const earlier = above.split('\n').flatMap((line) => {
    const [, told, where] = /^Rows ([^:]+)(: on .*)$/.exec(line) ?? [];
    const left = told?.split(', ').filter((name) => !names.includes(name));
    return left === undefined ? [line] : left.length > 0 ? [`Rows ${left.join(', ')}${where}`] : [];
  });
  return [...earlier, `${anew}${when}.`, '', ...HEAD, ...all].join('\n');
}

/** @param {number} value */
function figureOf(value) {
  return value < 10 ? value.toFixed(2) : Math.round(value).toLocaleString('en');
}

/** @param {Row} row */
function detailsOf({ row, what, also }) {
  const more = Object.entries(also).map(([name, text]) => `     ${name}: ${text}`);
  return [`${row}  ${what}`, ...more].join('\n');
}

/** @param {(before: string) => string} tableFrom */
function writeInto(tableFrom) {
  const file = new URL('README.md', root);
  const readme = readFileSync(file, 'utf8');
  const written = readme.replace(
    /(<!-- bench -->\n)(.*?)(\n<!-- \/bench -->)/s,
    (_, begin, before, end) => begin + tableFrom(before) + end,
  );
  if (written === readme) throw new Error('The README has no place for the table.');
  writeFileSync(file, written);
}

await main(import.meta.url, async () => {
  await install();
  const words = process.argv.slice(2).filter((word) => word !== '--write');
  const names = readdirSync(new URL('bench/', root))
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.slice(0, -'.ts'.length))
    .filter((name) => words.length === 0 || words.some((word) => name.includes(word)));
  mkdirSync(results, { recursive: true });
  rmSync(new URL('bundle', results), { recursive: true, force: true });
  await Promise.all([installPeers(), bundleIfChanged(), bundle(names)]);
  // Node reads these certificates whenever it starts, which takes longer than the rest of its start and flatters whoever is measured against that.
  delete process.env.NODE_EXTRA_CA_CERTS;
  /** @type {Row[]} */
  const rows = [];
  const failed = [];
  for (const name of names) {
    say(`measuring ${name}`);
    const measured = await measure(name);
    if (measured) rows.push(...measured);
    else failed.push(name);
  }
  rows.sort((a, b) => String(a.row).localeCompare(String(b.row), 'en', { numeric: true }));
  const load = `load ${Math.round(loadavg()[0] ?? 0)}`;
  const machine = `Node ${process.versions.node}, ${process.platform} ${process.arch}, ${cpus()[0]?.model.trim()} × ${cpus().length}, ${load}`;
  writeFileSync(new URL('latest.json', results), `${JSON.stringify({ machine, rows }, undefined, 2)}\n`);
  const when = `${new Date().toISOString().slice(0, 10)}: ${machine}`;
  console.log(`\n${tableOf(rows, when)}\n\n${rows.map(detailsOf).join('\n')}`);
  if (failed.length > 0) say(`not measured, because they failed (see above): ${failed.join(', ')}`);
  if (process.argv.includes('--write'))
    writeInto((before) => (words.length > 0 ? tableWith(before, rows, when) : tableOf(rows, when)));
  return failed.length === 0 && rows.every(({ ok }) => ok) ? 0 : 1;
});
