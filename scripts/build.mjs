// @ts-check
/**
 * Builds `dist`: every public entry and the command line bundled with the small libraries they use, and the type declarations.
 * A user of the package installs nothing else.
 */
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { tsc } from './compiler.mjs';
import { install } from './install.mjs';
import { AGENT_DOOR, isElsewhere, loadLate, NATIVE } from './load-late.mjs';
import { packRecordings, recordingFiles } from './pack-recordings.mjs';
import { main, root, say } from './process.mjs';

/** Name in `dist` → door in `src`. The subpath exports of package.json are these names. */
export const entries = {
  index: 'src/index.ts',
  claude: 'src/claude.ts',
  text: 'src/text.ts',
  session: 'src/session/index.ts',
  run: 'src/run/index.ts',
  compat: 'src/compat.ts',
  agent: 'src/agent.ts',
  store: 'src/store.ts',
  server: 'src/server/index.ts',
  client: 'src/client/index.ts',
};

/** Threads, processes and the command line are started by their file, so each is bundled under a name of its own; no stranger imports them. */
export const started = {
  app: 'src/cli/app.ts',
  'store-worker': 'src/store/sqlite/worker.ts',
  'demo-agent': 'src/cli/command/demo/demo-agent.ts',
  'conform-driver': 'src/cli/command/conform/driver.ts',
};

/** Bundled into one small file each: what is asked often must not look for sixty others first. */
export const alone = {
  cli: 'src/cli/main.ts',
  quick: 'src/cli/quick.ts',
};

const external = [/^node:/, NATIVE];

const stamp = at('dist/.source-hash');

/** Bundles when the sources differ from those of the last bundle; true when it had to. */
export async function bundleIfChanged() {
  const hash = sourceHash();
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return false;
  await bundle();
  writeFileSync(stamp, hash);
  return true;
}

/**
 * @param {{ check?: boolean }} [options] `check` is false for who checks everything anyway
 * @returns {Promise<{ code: number, output: string }>} what `tsc` said
 */
export function emitTypes({ check = true } = {}) {
  rmSync(at('dist/types'), { recursive: true, force: true });
  return tsc('-p', 'tsconfig.build.json', ...(check ? [] : ['--noCheck']));
}

async function bundle() {
  const { rolldown } = await import('rolldown');
  const all = Object.entries({ ...entries, ...started });
  const input = Object.fromEntries(all.filter(([, file]) => existsSync(at(file))));
  for (const name of existsSync(at('dist')) ? readdirSync(at('dist')) : []) {
    if (name !== 'types' && name !== 'web') rmSync(at(`dist/${name}`), { recursive: true });
  }
  const settings = {
    cwd: at('.'),
    external,
    platform: /** @type {const} */ ('node'),
    transform: { target: 'node20', define: { 'process.env.NODE_ENV': '"production"' } },
  };
  const written = { dir: at('dist'), format: /** @type {const} */ ('esm'), sourcemap: true };
  const build = await rolldown({ ...settings, input });
  const { output } = await build.write({ ...written, chunkFileNames: 'chunk/[name]-[hash].js' });
  await build.close();
  for (const [name, file] of Object.entries(alone)) {
    const single = await rolldown({ ...settings, external: isElsewhere, input: { [name]: file }, plugins: [loadLate] });
    await single.write({ ...written, codeSplitting: false, minify: true });
    await single.close();
  }
  const late = await rolldown({ ...settings, input: lateDoors() });
  await late.write({
    ...written,
    dir: at('dist/late'),
    chunkFileNames: '[name].js',
    minify: true,
    codeSplitting: { groups: [{ name: 'shared', minShareCount: 2 }] },
  });
  await late.close();
  copyConform();
  const moduleIds = output.flatMap((file) => ('moduleIds' in file ? file.moduleIds : []));
  writeFileSync(at('dist/licenses.txt'), licensesOf([...moduleIds, ...(await buildPage())]));
}

/** What a small file loads when a conversation is to be read: a file for each agent, one for what reads it, and one for what they share. */
function lateDoors() {
  const loads = readFileSync(at('src/agent/trace.ts'), 'utf8').matchAll(/import\('(.*?)'\)/g);
  const names = [...loads].map(([, id = '']) => AGENT_DOOR.exec(id)?.[1] ?? id);
  const agents = Object.fromEntries(names.map((name) => [name, `src/agent/${name}/index.ts`]));
  return { ...agents, reading: 'src/observer/reading.ts' };
}

/** What `glassbox conform` needs: the recordings of this repository, and the drivers of vendors' SDKs as they are. */
function copyConform() {
  const isShipped = (/** @type {string} */ path) => !path.endsWith('package.json');
  cpSync(at('conform'), at('dist/conform'), { recursive: true, filter: isShipped });
  writeFileSync(at('dist/conform/recordings.gz'), packRecordings());
}

/** @returns {Promise<string[]>} the files that went into the page */
async function buildPage() {
  const { build } = await import('vite');
  const built = await build({ configFile: at('vite.config.ts') });
  const { output } = 'output' in built ? built : { output: [] };
  return output.flatMap((file) =>
    'moduleIds' in file ? file.moduleIds : file.originalFileNames.map((name) => at(`src/view/web/${name}`)),
  );
}

/**
 * The licences of what was really bundled, to be shipped with it.
 * @param {string[]} moduleIds
 */
function licensesOf(moduleIds) {
  const folders = moduleIds.map((id) => /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(id)?.[0]);
  return [...new Set(folders)]
    .filter((folder) => folder !== undefined)
    .sort()
    .map((folder) => {
      const manifest = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
      return `${manifest.name} ${manifest.version} (${manifest.license})\n\n${licenseText(folder, manifest).trim()}\n`;
    })
    .join('\n---\n\n');
}

/**
 * Some packages only name their licence. For the Apache licence TypeScript has the text, for MIT our own file has it.
 * @param {string} folder
 * @param {{ name: string, license: string, author?: string | { name: string } }} manifest
 */
function licenseText(folder, { name, license, author }) {
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  if (file) return readFileSync(`${folder}/${file}`, 'utf8');
  if (license === 'Apache-2.0') return readFileSync(at('node_modules/typescript/LICENSE.txt'), 'utf8');
  if (license !== 'MIT') throw new Error(`${name} has no licence text to ship with it.`);
  const holder = typeof author === 'object' ? author.name : (author ?? `the authors of ${name}`);
  return readFileSync(at('LICENSE'), 'utf8').replace(/^Copyright.*$/m, `Copyright (c) ${holder}`);
}

/** Content, not time, so that a checkout or a deleted file cannot leave a stale bundle. */
function sourceHash() {
  const hash = createHash('sha256');
  const add = (/** @type {string} */ path) => hash.update(path).update(readFileSync(at(path)));
  for (const path of [
    'package.json',
    'package-lock.json',
    'scripts/build.mjs',
    'scripts/load-late.mjs',
    'vite.config.ts',
  ])
    add(path);
  const filesIn = (/** @type {string} */ folder) =>
    readdirSync(at(folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => `${entry.parentPath}/${entry.name}`.slice(at('.').length))
      .sort();
  for (const path of [...filesIn('src'), ...filesIn('conform'), ...recordingFiles()]) add(path);
  return hash.digest('hex');
}

/** @param {string} path */
function at(path) {
  return fileURLToPath(new URL(path, root));
}

await main(import.meta.url, async () => {
  await install();
  const startedAt = performance.now();
  const [bundled, types] = await Promise.all([bundleIfChanged(), emitTypes()]);
  process.stdout.write(types.output);
  say(`${bundled ? 'built dist' : 'dist is up to date'} (${Math.round(performance.now() - startedAt)} ms)`);
  return types.code;
});
