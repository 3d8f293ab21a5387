// @ts-check
/** Draws `docs/terminal.svg`: runs the demo in a terminal of its own and takes down what stands there at the end. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { spawn } from '@lydell/node-pty';
import xterm from '@xterm/headless';
import { bundleIfChanged } from './build.mjs';
import { main, root, say } from './process.mjs';
import { pictureOf } from './terminal-picture.mjs';

const size = { cols: 104, rows: 40 };

await main(import.meta.url, async () => {
  await bundleIfChanged();
  const file = new URL('docs/terminal.svg', root);
  mkdirSync(new URL('./', file), { recursive: true });
  const terminal = await shown(['dist/cli.js', 'demo', '--speed=20']);
  const title = 'glassbox demo: a run of a coding agent, line by line';
  writeFileSync(file, pictureOf(terminal, { title, name: 'glassbox demo' }));
  say(`drew ${fileURLToPath(file)}`);
});

/** @param {string[]} args */
async function shown(args) {
  const terminal = new xterm.Terminal({ ...size, allowProposedApi: true });
  const { NO_COLOR: _, FORCE_COLOR: __, ...env } = process.env;
  const child = spawn(process.execPath, args, {
    ...size,
    cwd: fileURLToPath(root),
    env: { ...env, TERM: 'xterm-256color' },
  });
  child.onData((data) => terminal.write(data));
  await new Promise((resolve) => child.onExit(resolve));
  await new Promise((resolve) => terminal.write('', () => resolve(undefined)));
  return terminal;
}
