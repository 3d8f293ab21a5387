// @ts-check
/** The fast gates: types, format, lint, promises, unused code. `npm run check` runs them alone, `npm test` runs them first. */
import { existsSync } from 'node:fs';
import { bundleIfChanged } from './build.mjs';
import { GO_ENV, tsc } from './compiler.mjs';
import { install } from './install.mjs';
import { main, root, runSteps, tool } from './process.mjs';

/** @type {(name: string, path: string, ...args: string[]) => import('./process.mjs').Step & { args: string[] }} */
const step = (name, path, ...args) => ({ name, args, run: () => tool(path, args, { env: GO_ENV }) });

const projects = ['tsconfig.json', 'tsconfig.pure.json', 'src/view/web/tsconfig.json'];

export const gates = [
  step('knip: no unused file, export or package', 'knip/bin/knip.js'),
  ...projects
    .filter((project) => existsSync(new URL(project, root)))
    .map((project) => ({ name: `tsc -p ${project}`, args: ['-p', project], run: () => tsc('-p', project) })),
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
