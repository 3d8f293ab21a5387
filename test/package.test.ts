/** What is published works by itself: packed, unpacked far from any node_modules, and imported by a plain Node. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { emitTypes } from '../scripts/build.mjs';
import { importsOf } from './support/source.js';

const packageJson = JSON.parse(readFileSync('package.json', 'utf8'));
const subpaths = Object.keys(packageJson.exports).filter((subpath) => subpath !== './package.json');
const pureSubpaths = ['./agent', './claude', './text', './session', './client'].filter((subpath) =>
  subpaths.includes(subpath),
);

describe('the packed package', () => {
  const home = mkdtempSync(join(tmpdir(), 'glassbox-package-'));
  const unpacked = join(home, 'node_modules', 'glassbox');
  const entryOf = (subpath: string) => join(unpacked, packageJson.exports[subpath].default);
  const node = (...args: string[]) => execFileSync(process.execPath, args, { cwd: home, encoding: 'utf8' });

  beforeAll(async () => {
    mkdirSync(unpacked, { recursive: true });
    execFileSync('tar', ['-xzf', await packed(home), '-C', unpacked, '--strip-components=1']);
  });
  afterAll(() => rmSync(home, { recursive: true }));

  test.each(subpaths)('%s imports without anything installed', (subpath) => {
    const specifier = subpath.replace('.', 'glassbox');
    const names = node('--input-type=module', '-e', `console.log(Object.keys(await import('${specifier}')).length)`);
    expect(Number(names)).toBeGreaterThan(0);
  });

  test.each(pureSubpaths)('%s runs in a browser: nothing of Node is reached', (subpath) => {
    const reached = reachable(entryOf(subpath));
    expect(reached.files.length).toBeGreaterThan(0);
    expect(reached.packages).toEqual([]);
  });

  test.each(subpaths)('%s has types that need no other package', (subpath) => {
    const { packages } = reachable(join(unpacked, packageJson.exports[subpath].types));
    expect(packages.filter((name) => !name.startsWith('node:'))).toEqual([]);
  });

  test('glassbox --version says the version', () => {
    expect(node(join(unpacked, packageJson.bin.glassbox), '--version').trim()).toContain(packageJson.version);
  });

  test('every file with code of its own has a source map with its source', () => {
    const files = readdirSync(join(unpacked, 'dist'), { recursive: true, encoding: 'utf8' });
    const scripts = files.filter((file) => file.endsWith('.js') && !file.startsWith('web'));
    expect(scripts.length).toBeGreaterThan(subpaths.length);
    for (const file of scripts) {
      const code = readFileSync(join(unpacked, 'dist', file), 'utf8');
      const isDoor = /^(\s*(import|export) .*\n)*$/.test(code);
      // What the bundler itself adds for new syntax has no source.
      const isHelper = code.startsWith('// \\0');
      if (isDoor || isHelper) continue;
      const map = JSON.parse(readFileSync(join(unpacked, 'dist', `${file}.map`), 'utf8'));
      expect(map.sourcesContent?.length, file).toBe(map.sources.length);
    }
  });

  test('no build stamp, no source, no test is shipped', () => {
    expect(readdirSync(unpacked).sort()).toEqual(['CHANGELOG.md', 'LICENSE', 'README.md', 'dist', 'package.json']);
    expect(existsSync(join(unpacked, 'dist', '.source-hash'))).toBe(false);
  });
});

/** The one that `npm test` has packed for its gates, or one of its own. */
async function packed(home: string): Promise<string> {
  const { npm_execpath: npm, GLASSBOX_PACKED: given = '', GLASSBOX_TYPES_EMITTED: isEmitted } = process.env;
  if (existsSync(given)) return given;
  // Others may pack them now.
  if (!isEmitted) await emitTypes({ check: false });
  const pack = ['pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', home];
  if (npm) execFileSync(process.execPath, [npm, ...pack], { stdio: 'pipe' });
  else execFileSync('npm', pack, { stdio: 'pipe' });
  return join(home, `glassbox-${packageJson.version}.tgz`);
}

/** Everything that loading a file loads, and the names of what lies outside the package. */
function reachable(entry: string): { files: string[]; packages: string[] } {
  const files = new Set([entry]);
  const packages = new Set<string>();
  for (const path of files) {
    for (const { specifier } of importsOf({ path, text: readFileSync(path, 'utf8') })) {
      const target = path.endsWith('.d.ts') ? specifier.replace(/\.js$/, '.d.ts') : specifier;
      if (specifier.startsWith('.')) files.add(join(dirname(path), target));
      else packages.add(specifier);
    }
  }
  return { files: [...files], packages: [...packages] };
}
