#!/usr/bin/env node
/** The program `glassbox`. Its version, and who is at work, are answered before anything else is loaded. */
import { setFlagsFromString } from 'node:v8';
import packageJson from '../../package.json' with { type: 'json' };
import { tooManyFiles } from './open-files.js';

const args = process.argv.slice(2);

// A remark that nobody reads any more must not end what goes on.
process.stderr.on('error', () => {});

// The panels stay for long, and what a picture leaves behind is small and young; by default it may grow to 16 MB before anybody looks.
if (args[0] === 'tui' || (args.length === 0 && process.stdin.isTTY)) setFlagsFromString('--semi-space-growth-factor=1');

if (args.length === 1 && (args[0] === '--version' || args[0] === '-v')) {
  process.stdout.write(`${packageJson.version}\n`);
} else if (args[0] === 'ps' && args.slice(1).every((word) => word === '--json')) {
  // A file beside this one, of which the bundler knows nothing.
  const { quickPs } = await import(new URL('./quick-ps.js', import.meta.url).href);
  await quickPs(args.length > 1, { process, programDir: new URL('./', import.meta.url) });
} else {
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
