// @ts-check
/**
 * `npm run recordings:choose -- <agent> <count> [name …]`: copies the named recordings of an agent and the
 * smallest set beside them that shows every kind of line in every version; then more of each kind, up to `count` recordings.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { main, root, say } from './process.mjs';

/** Keys whose value tells one kind of line, block or outcome from another, whatever the agent. */
const telling = new Set([
  'type',
  'subtype',
  'method',
  'kind',
  'status',
  'error',
  'terminal_reason',
  'stop_reason',
  'role',
]);

await main(import.meta.url, async () => {
  const [agent, count = '60', ...names] = process.argv.slice(2);
  if (!agent) throw new Error('usage: npm run recordings:choose -- <agent> [count] [name …]');
  const from = new URL(`../shared/recordings/${agent}/`, root);
  const to = new URL(`test/recordings/${agent}/`, root);
  if (!existsSync(from)) throw new Error(`no recordings in ${fileURLToPath(from)}`);
  const candidates = readdirSync(from).flatMap((file) => candidate(from, file));
  const chosen = cover(candidates, names, Number(count));
  for (const { name } of chosen) {
    const folder = new URL(`${name}/`, to);
    mkdirSync(folder, { recursive: true });
    writeFileSync(new URL('stdout.jsonl', folder), readFileSync(new URL(`${name}.jsonl`, from)));
    writeFileSync(new URL('meta.json', folder), readFileSync(new URL(`${name}.meta.json`, from)));
  }
  const bytes = chosen.reduce((sum, { size }) => sum + size, 0);
  say(`${chosen.length} recordings, ${Math.round(bytes / 1024)} KiB, in ${fileURLToPath(to)}`);
});

/** @typedef {{ name: string, size: number, features: Set<string> }} Candidate */

/**
 * @param {URL} folder
 * @param {string} file
 * @returns {Candidate[]}
 */
function candidate(folder, file) {
  if (!file.endsWith('.meta.json')) return [];
  const name = file.slice(0, -'.meta.json'.length);
  const meta = JSON.parse(readFileSync(new URL(file, folder), 'utf8'));
  const text = readFileSync(new URL(`${name}.jsonl`, folder), 'utf8');
  const features = new Set([`exit ${meta.exitCode ?? meta.signal}`]);
  for (const line of text.split('\n')) {
    const value = parse(line);
    if (!value || typeof value !== 'object') continue;
    const kind = [value.type, value.subtype].filter(Boolean).join('/');
    features.add(`${meta.version} ${kind}`);
    for (const key of Object.keys(value)) features.add(`${kind} has ${key}`);
    collect(value, kind, features, 0);
  }
  return [{ name, size: Buffer.byteLength(text), features }];
}

/**
 * @param {unknown} value
 * @param {string} path
 * @param {Set<string>} features
 * @param {number} depth beyond 6 there are only tools' own inputs
 */
function collect(value, path, features, depth) {
  if (!value || typeof value !== 'object' || depth > 6) return;
  if (Array.isArray(value)) {
    for (const item of value) collect(item, `${path}[]`, features, depth + 1);
    return;
  }
  for (const [key, inner] of Object.entries(value)) {
    if (/^(input|tool_input|tool_use_result)$/.test(key)) continue;
    if (telling.has(key) && typeof inner === 'string' && inner.length < 40) features.add(`${path}.${key}=${inner}`);
    else collect(inner, `${path}.${key}`, features, depth + 1);
  }
}

/**
 * Greedy cover: at each step the recording that adds most for its size.
 * @param {Candidate[]} candidates
 * @param {string[]} names
 * @param {number} count
 */
function cover(candidates, names, count) {
  const chosen = candidates.filter(({ name }) => names.includes(name));
  const shown = (/** @type {string} */ feature) => chosen.filter(({ features }) => features.has(feature)).length;
  for (let times = 1; times === 1 || chosen.length < count; times += 1) {
    for (;;) {
      const ranked = candidates
        .filter((item) => !chosen.includes(item))
        .map((item) => ({ item, gain: [...item.features].filter((feature) => shown(feature) < times).length }))
        .filter(({ gain }) => gain > 0)
        .sort((a, b) => b.gain / Math.sqrt(b.item.size + 2000) - a.gain / Math.sqrt(a.item.size + 2000));
      const best = ranked[0]?.item;
      if (!best || (times > 1 && chosen.length >= count)) break;
      chosen.push(best);
    }
    if (chosen.length === candidates.length) break;
  }
  return chosen;
}

/** @param {string} line */
function parse(line) {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
