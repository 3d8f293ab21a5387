import { alone, entries, started } from './scripts/build.mjs';

/** Started by path from `scripts/`, so that no shell and no `.cmd` file is involved. */
const tools = ['@arethetypeswrong/cli', '@biomejs/biome', '@typescript/native', 'oxlint', 'oxlint-tsgolint', 'publint'];

/** Named only in style sheets. */
const fonts = ['@fontsource-variable/inter', '@fontsource-variable/jetbrains-mono'];

export default {
  entry: [
    ...Object.values(entries),
    ...Object.values(started),
    ...Object.values(alone),
    'scripts/*.mjs',
    'conform/*.mjs',
    'bench/*.ts',
    'bench/support/*.mjs',
    'test/peer/*.peer.ts',
    'test/peer/state/*.score.ts',
  ],
  project: ['src/**', 'scripts/**', 'conform/**', 'test/**/*.ts', 'bench/**'],
  // A door exports the types of what it exports, whoever uses them today.
  exclude: ['types'],
  // Programs of the system that a test uses where they are.
  ignoreBinaries: ['fish', 'mkfifo', 'prlimit', 'mount', 'umount', 'openssl'],
  // Loaded by its name where a store on Postgres is used.
  ignoreDependencies: [...tools, ...fonts, 'pg'],
};
