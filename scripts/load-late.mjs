// @ts-check
/** For what is bundled into one small file: what one question seldom needs is not in it, and is loaded by the first who calls it. */

/** Prebuilt native code cannot be bundled; it is loaded only where Node has no SQLite of its own. */
export const NATIVE = '@photostructure/sqlite';

/** Parts of Node, each of which would take a few hundredths of the time in which a question is answered. */
const LATE = ['node:child_process', 'node:crypto', 'node:worker_threads', 'node:zlib'];

/** Import → file of `dist` that has it. @type {Readonly<Record<string, string>>} */
const BESIDE = {
  './app.js': './app.js',
  './quick.js': './quick.js',
  './open-store.js': './store.js',
  './reading.js': './late/reading.js',
};

/** The same for agents, which only who reads a conversation of theirs needs. */
export const AGENT_DOOR = /^\.\/([\w-]+)\/index\.js$/;

export const isElsewhere = (/** @type {string} */ id) =>
  (id.startsWith('node:') && !LATE.includes(id)) || id === NATIVE;

const PREFIX = '\0late ';

/** Only what is called can come late: a name for anything else is missing, and the build says so. @type {import('rolldown').Plugin} */
export const loadLate = {
  name: 'load-late',
  resolveId(id, _, { kind }) {
    if (LATE.includes(id)) return PREFIX + id;
    const [, agent] = (kind === 'dynamic-import' && AGENT_DOOR.exec(id)) || [];
    const file = agent === undefined ? BESIDE[id] : `./late/${agent}.js`;
    return file === undefined ? undefined : { id: file, external: true };
  },
  async load(id) {
    if (!id.startsWith(PREFIX)) return undefined;
    const part = id.slice(PREFIX.length);
    const loaded = `process.getBuiltinModule(${JSON.stringify(part)})`;
    return Object.entries(await import(part))
      .filter(([name, value]) => typeof value === 'function' && name !== 'default')
      .map(
        ([name]) => `export function ${name}(...given) {
          return new.target ? Reflect.construct(${loaded}.${name}, given) : ${loaded}.${name}(...given);
        }`,
      )
      .join('\n');
  },
};
