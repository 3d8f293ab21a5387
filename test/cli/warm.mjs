/**
 * A process that has loaded the built program once and runs many of its commands, one after the other, each with streams, an
 * environment and an exit status of its own: for tests of what a command says, because most of what a start costs is loading.
 */
import { EventEmitter } from 'node:events';
import { Readable, Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';

const dist = pathToFileURL(`${process.argv[2]}/`);
const { runCli } = await import(new URL('app.js', dist).href);

const home = process.cwd();

/** What a pipe gives at a time. */
const PIECE = 65_536;

process.on('disconnect', () => process.exit());
process.on('message', (asked) => void answer(asked));

async function answer({ args, input, env, cwd = home }) {
  process.chdir(cwd);
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  const bytes = Buffer.from(input);
  const pieces = Array.from({ length: Math.ceil(bytes.length / PIECE) }, (_, at) =>
    bytes.subarray(at * PIECE, (at + 1) * PIECE),
  );
  const output = { stdout: [], stderr: [] };
  const into = (list) =>
    new Writable({
      decodeStrings: true,
      write(chunk, _, done) {
        list.push(chunk);
        done();
      },
    });
  // Signals go to the process, and not to one of its commands.
  const heard = new EventEmitter();
  const own = Object.create(process, {
    stdin: { value: Readable.from(pieces, { objectMode: false }) },
    stdout: { value: into(output.stdout) },
    stderr: { value: into(output.stderr) },
    exitCode: { value: undefined, writable: true },
    ...Object.fromEntries(
      ['on', 'once', 'off', 'addListener', 'removeListener'].map((name) => [name, { value: heard[name].bind(heard) }]),
    ),
  });
  await runCli(args, { process: own, programDir: dist });
  const text = (list) => Buffer.concat(list).toString('utf8');
  process.send({ stdout: text(output.stdout), stderr: text(output.stderr), status: own.exitCode ?? 0, signal: null });
}
