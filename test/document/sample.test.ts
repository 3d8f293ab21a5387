/** Every program in the documents compiles against the public entries, as a reader would copy it. */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { entries } from '../../scripts/build.mjs';
import { GO_ENV, TSC } from '../../scripts/compiler.mjs';
import { temporaryDirectory } from '../fake-agent/play.js';

/** `docs/events.md` shows types, not programs; it is made from the code itself. */
const files = ['README.md', ...readdirSync('docs').map((name) => `docs/${name}`)].filter(
  (name) => name.endsWith('.md') && name !== 'docs/events.md',
);

const samples = files.flatMap((file) =>
  [...readFileSync(file, 'utf8').matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = ''], index) => ({
    name: `${path.basename(file, '.md')}-${index + 1}.ts`,
    code,
  })),
);

/** Compiled with them, because all of the source is compiled each time: what is said about it shows that something is looked at. */
const wrong = {
  name: 'wrong.ts',
  code: "import { run } from 'glassbox';\nrun({ agent: 'claude', prompt: 'x' }).finish();\n",
};

test('they compile, and one that uses what is not there does not', async () => {
  expect(samples.length).toBeGreaterThan(10);
  const complaints = (await compile([...samples, wrong])).trimEnd().split('\n');
  expect(complaints).toEqual([expect.stringContaining("wrong.ts(2,39): error TS2339: Property 'finish'")]);
});

function compile(programs: readonly { name: string; code: string }[]): Promise<string> {
  const folder = temporaryDirectory();
  for (const { name, code } of programs) writeFileSync(path.join(folder, name), code);
  const doors = Object.entries(entries).filter(([name]) => name !== 'cli');
  const paths = doors.map(([name, file]) => [
    name === 'index' ? 'glassbox' : `glassbox/${name}`,
    [path.resolve(String(file))],
  ]);
  const compilerOptions = {
    ...{
      noEmit: true,
      strict: true,
      skipLibCheck: true,
      target: 'ES2023',
      module: 'NodeNext',
      resolveJsonModule: true,
    },
    ...{ types: ['node'], typeRoots: [path.resolve('node_modules/@types')], paths: Object.fromEntries(paths) },
  };
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  const options = { cwd: folder, env: { ...process.env, ...GO_ENV } };
  return new Promise((resolve) => {
    execFile(process.execPath, [...TSC, '-p', '.'], options, (_, stdout, stderr) => resolve(stdout + stderr));
  });
}
