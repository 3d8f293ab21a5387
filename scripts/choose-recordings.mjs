// @ts-check
/**
 * `npm run recordings:choose -- <folder> <count> [name …]`: copies the named recordings of an agent and the smallest set beside them and
 * those that are here already that shows every kind of line in every version and every field; then more of each kind, up to `count`.
 */
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { main, root, say } from './process.mjs';

/** A field has a name; what is none may be data. */
const NAME = /^[A-Za-z_]\w{0,39}$/;

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

/** What only a very long recording shows is not worth its size. */
const largest = 200_000;

/** The agent's own words are in its stream already, so long conversations are not worth their size. */
const longestConversation = 20_000;

await main(import.meta.url, async () => {
  const [folder, count = '60', ...names] = process.argv.slice(2);
  if (!folder) throw new Error('usage: npm run recordings:choose -- <folder> [count] [name …]');
  const to = new URL(`test/recordings/${folder}/`, root);
  const found = sources(folder);
  if (found.length === 0) throw new Error(`no recordings of ${folder} in ${fileURLToPath(new URL('../shared', root))}`);
  const here = existsSync(to) ? readdirSync(to) : [];
  const chosen = cover(found.map(candidate), [...names, ...here], Number(count));
  for (const { name, files } of chosen) {
    const target = new URL(`${name}/`, to);
    mkdirSync(target, { recursive: true });
    copyFileSync(files.stdout, new URL('stdout.jsonl', target));
    copyFileSync(files.meta, new URL('meta.json', target));
    if (existsSync(files.conversation) && statSync(files.conversation).size < longestConversation)
      copyFileSync(files.conversation, new URL('io.jsonl', target));
  }
  const bytes = chosen.reduce((sum, { size }) => sum + size, 0);
  say(`${chosen.length} recordings, ${Math.round(bytes / 1024)} KiB, in ${fileURLToPath(to)}`);
});

/** @typedef {{ stdout: URL, meta: URL, conversation: URL }} Files */

/**
 * The recordings of a folder, in whichever of the shared folders they lie.
 * @param {string} folder
 * @returns {{ name: string, files: Files }[]}
 */
function sources(folder) {
  const flat = ['recordings', 'recordings-new'].flatMap((set) => {
    const from = new URL(`../shared/${set}/${folder}/`, root);
    const metas = existsSync(from) ? readdirSync(from).filter((file) => file.endsWith('.meta.json')) : [];
    return metas.map((file) => {
      const name = file.slice(0, -'.meta.json'.length);
      return { name, files: filesOf(from, `${name}.jsonl`, file, `${name}.io.jsonl`) };
    });
  });
  const homes = new URL(`../shared/homes/${folder}/`, root);
  const homely = (existsSync(homes) ? readdirSync(homes) : []).map((name) => ({
    name,
    files: filesOf(new URL(`${name}/`, homes), 'stream.jsonl', 'stream.meta.json', 'stream.io.jsonl'),
  }));
  return [...flat, ...homely].filter(({ files }) => existsSync(files.stdout));
}

/**
 * @param {URL} from
 * @param {string} stdout
 * @param {string} meta
 * @param {string} conversation
 * @returns {Files}
 */
function filesOf(from, stdout, meta, conversation) {
  return { stdout: new URL(stdout, from), meta: new URL(meta, from), conversation: new URL(conversation, from) };
}

/** @typedef {{ name: string, files: Files, size: number, features: Set<string> }} Candidate */

/**
 * @param {{ name: string, files: Files }} source
 * @returns {Candidate}
 */
function candidate({ name, files }) {
  const meta = JSON.parse(readFileSync(files.meta, 'utf8'));
  const text = readFileSync(files.stdout, 'utf8');
  const features = new Set([`exit ${meta.exitCode ?? meta.signal}`]);
  for (const line of text.split('\n')) {
    const value = parse(line);
    if (!value || typeof value !== 'object') continue;
    const kind = [value.type, value.subtype].filter(Boolean).join('/');
    features.add(`${meta.version} ${kind}`);
    collect(value, kind, features, 0);
  }
  return { name, files, size: Buffer.byteLength(text), features };
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
    if (NAME.test(key)) features.add(`${path} has ${key}`);
    if (/^(input|tool_input|tool_use_result|arguments|args|parameters|rawInput|rawOutput|result|state)$/.test(key))
      continue;
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
        .filter((item) => !chosen.includes(item) && item.size < largest)
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
