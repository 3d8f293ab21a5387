// @ts-check
/** The fast gates: types, format, lint, promises, unused code. `npm run check` runs them alone, `npm test` runs them first. */
import { existsSync } from 'node:fs';
import { bundleIfChanged } from './build.mjs';
import { install } from './install.mjs';
import { main, root, runSteps, tool } from './process.mjs';

/** Some are written in Go: they collect what they no longer need less often, and take the memory for it. */
const env = { GOGC: '400' };

/** @type {(name: string, path: string, ...args: string[]) => import('./process.mjs').Step & { args: string[] }} */
const step = (name, path, ...args) => ({ name, args, run: () => tool(path, args, { env }) });

const tsc = '@typescript/native/bin/tsc';
/** Several threads would each read the same types once more, while other gates could have the core. */
const projects = ['tsconfig.json', 'tsconfig.pure.json', 'src/view/web/tsconfig.json'];

export const gates = [
  step('knip: no unused file, export or package', 'knip/bin/knip.js'),
  ...projects
    .filter((project) => existsSync(new URL(project, root)))
    .map((project) => step(`tsc -p ${project}`, tsc, '-p', project, '--singleThreaded')),
  step('biome: format and lint', '@biomejs/biome/bin/biome', 'check', '--error-on-warnings'),
  step('oxlint: promises and cycles', 'oxlint/bin/oxlint', '--type-aware', '--deny-warnings'),
];

await main(import.meta.url, async () => {
  await install();
  // The gates look at what is built too.
  await bundleIfChanged();
  const failed = await runSteps(gates);
  return failed.length === 0 ? 0 : 1;
});
