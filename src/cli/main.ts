#!/usr/bin/env node
/** The program `glassbox`. Its version, who is at work and what was kept are told before anything else is loaded. */
import module from 'node:module';
import packageJson from '../../package.json' with { type: 'json' };
import { tooManyFiles } from './open-files.js';
import { outliveTerminal } from './outlive-terminal.js';

const args = process.argv.slice(2);

// A remark that nobody reads any more must not end what goes on.
process.stderr.on('error', () => {});

/** Fetched by who sets one: it brings much with it. */
const setFlag = (flag: string) => process.getBuiltinModule('node:v8').setFlagsFromString(flag);

// What stays for long or passes a stream on leaves behind what is small and young; by default that may grow to 32 MB before anybody looks, and what
// is older, though nobody needs it, to several times what is needed.
const isVersion = args.length === 1 && (args[0] === '--version' || args[0] === '-v');
const isStream = !isVersion && (args[0] === undefined || args[0].startsWith('-'));
if (isStream || args[0] === 'tui' || args[0] === 'serve' || args[0] === 'watch') {
  const stayYoung = () => setFlag('--semi-space-growth-factor=1');
  stayYoung();
  // V8 takes that back for all threads whenever one is started.
  process.on('worker', (thread) => thread.once('online', stayYoung));
  setFlag('--heap-growing-percent=30');
}

// Pictures are drawn now and then, by much code that each time does a little: compiling it to the last takes 5 MB, and a while until it gains anything.
if (args[0] === 'tui' || (args.length === 0 && process.getBuiltinModule('node:tty').isatty(0))) setFlag('--no-opt');

// What was compiled the last time is not compiled again, where Node can do that.
(module as { enableCompileCache?: () => unknown }).enableCompileCache?.();

if (isVersion) {
  process.stdout.write(`${packageJson.version}\n`);
} else if ((args[0] === 'ps' || args[0] === 'sessions') && isQuick(args.slice(1))) {
  const { quickly } = await import('./quick.js');
  await quickly(args[0], args.length > 1, { process, programDir: new URL('./', import.meta.url) });
} else {
  // V8 of Node 20 optimizes, beside the work, what was called a few hundred times: a program that ends in seconds pays for it and does not gain.
  // What is called a hundred thousand times is still optimized. Later ones have a cheaper compiler in between.
  if (process.versions.v8.startsWith('11.')) setFlag('--interrupt-budget=400000');
  outliveTerminal(process);
  try {
    const { runCli } = await import('./app.js');
    await runCli(args, { process, programDir: new URL('./', import.meta.url) });
  } catch (error) {
    // The words for other failures are in files that could not be opened either.
    const lacking = tooManyFiles(error);
    if (lacking === undefined) throw error;
    process.stderr.write(`${lacking}\n`);
    process.exitCode = 70;
  }
}

/** No more than the small file can do: sessions of this machine, as they stand. */
function isQuick(words: readonly string[]): boolean {
  return words.every((word) => word === '--json') && !process.env.GLASSBOX_STORE?.includes('://');
}
