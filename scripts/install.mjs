// @ts-check
/** Makes a fresh clone usable: checks Node, and runs `npm ci` when what is installed is not what package-lock.json says. */
import { readFileSync } from 'node:fs';
import { npm, root, say } from './process.mjs';

const oldestNode = { major: 20, minor: 19 };

/** Throws one clear sentence when the project cannot be installed here. */
export async function install() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < oldestNode.major || (major === oldestNode.major && minor < oldestNode.minor)) {
    const needed = `${oldestNode.major}.${oldestNode.minor}`;
    throw new Error(
      `Node ${needed} or newer is needed, this is ${process.versions.node}. Install it and run this again.`,
    );
  }
  if (isInstalled()) return;
  say('installing packages (npm ci, about a minute) …');
  const { code, output } = await npm(['ci', '--no-audit', '--no-fund', '--loglevel=error']);
  if (code === 0) return;
  process.stderr.write(output);
  if (/ENOTFOUND|ETIMEDOUT|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH/.test(output)) {
    throw new Error(
      'npm could not reach the package registry. Check the network or the proxy settings and run this again.',
    );
  }
  throw new Error('npm ci failed; what it said is above.');
}

/** Compares by content: a modification time changes with every checkout and says nothing about what is inside. */
function isInstalled() {
  const wanted = packagesOf('package-lock.json');
  const present = packagesOf('node_modules/.package-lock.json');
  if (!wanted || !present) return false;
  return Object.entries(wanted).every(
    ([path, entry]) => path === '' || entry.optional || present[path]?.version === entry.version,
  );
}

/**
 * @param {string} lockFile
 * @returns {Record<string, { version?: string, optional?: boolean }> | undefined}
 */
function packagesOf(lockFile) {
  try {
    return JSON.parse(readFileSync(new URL(lockFile, root), 'utf8')).packages;
  } catch {
    return undefined;
  }
}
