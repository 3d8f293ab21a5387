// @ts-check
/** Child processes for the scripts: run one to its end, or several side by side with a line for each. */
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The repository, as a URL that ends with a slash. */
export const root = new URL('../', import.meta.url);

/** @param {string} text */
export const say = (text) => console.log(`glassbox: ${text}`);

/**
 * Runs `body` when the module at `url` was started as a script; a failure is one message, without a stack.
 * @param {string} url
 * @param {() => Promise<number | void>} body gives the exit status
 */
export async function main(url, body) {
  if (!process.argv[1] || url !== pathToFileURL(process.argv[1]).href) return;
  try {
    process.exitCode = (await body()) ?? 0;
  } catch (error) {
    console.error(`glassbox: ${error instanceof Error ? error.message : error}`);
    process.exitCode = 1;
  }
}

/** What works for so long hangs, on any machine. */
const HANGS_MS = 1_800_000;

/**
 * Runs a program in the repository. With `inherit` it owns the terminal; otherwise its output is collected.
 * A script that waits for a child leaves Ctrl-C to the child and ends as the child ended. What hangs is killed, and told.
 * @param {string} file
 * @param {string[]} args
 * @param {{ inherit?: boolean, env?: Record<string, string>, limitMs?: number }} [options]
 * @returns {Promise<{ code: number, output: string }>}
 */
export function exec(file, args, { inherit = false, env = {}, limitMs = HANGS_MS } = {}) {
  return new Promise((resolve) => {
    const child = spawn(file, args, {
      cwd: fileURLToPath(root),
      stdio: inherit ? 'inherit' : ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...env },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text) => {
        output += text;
      });
    }
    const killer = setTimeout(() => {
      child.kill('SIGKILL');
      // What it started may hold its output open.
      finish(1, `${file} ${args.join(' ')} was killed: it hung for ${limitMs / 60_000} minutes.\n`);
    }, limitMs);
    const leaveToChild = () => {};
    process.on('SIGINT', leaveToChild);
    child.on('error', (error) => finish(1, `${file}: ${error.message}\n`));
    child.on('close', (code, signal) => finish(code ?? (signal === 'SIGINT' ? 130 : 1), ''));

    /** @type {(code: number, more: string) => void} */
    const finish = (code, more) => {
      clearTimeout(killer);
      process.off('SIGINT', leaveToChild);
      // Nobody else tells it where the output was not collected.
      if (inherit && more !== '') process.stderr.write(more);
      resolve({ code, output: output + more });
    };
  });
}

/**
 * @param {string[]} args
 * @param {Parameters<typeof exec>[2]} [options]
 */
export function npm(args, options) {
  const cli = process.env.npm_execpath;
  return cli ? exec(process.execPath, [cli, ...args], options) : exec('npm', args, options);
}

/**
 * Runs the command of an installed development package by its own script, so that no shell and no `.cmd` file is involved.
 * @param {string} path below node_modules
 * @param {string[]} args
 * @param {Parameters<typeof exec>[2]} [options]
 */
export function tool(path, args, options) {
  return exec(process.execPath, [fileURLToPath(new URL(`node_modules/${path}`, root)), ...args], options);
}

/**
 * @typedef {{ name: string, run: () => Promise<{ code: number, output: string }> }} Step
 * @param {Step[]} steps
 * @param {{ sideBySide?: number }} [options]
 * @returns {Promise<string[]>} names of the steps that failed; their output is printed
 */
export async function runSteps(steps, { sideBySide = Math.min(2, availableParallelism()) } = {}) {
  const waiting = [...steps];
  /** @type {string[]} */
  const failed = [];
  const work = async () => {
    for (let step = waiting.shift(); step; step = waiting.shift()) {
      const startedAt = performance.now();
      const { code, output } = await step.run();
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
      console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${step.name} (${seconds} s)`);
      if (code === 0) continue;
      failed.push(step.name);
      process.stdout.write(output.endsWith('\n') ? output : `${output}\n`);
    }
  };
  await Promise.all(Array.from({ length: sideBySide }, work));
  return failed;
}
