/** Where an agent's program is: PATH, then the places people install it to; on Windows npm's launchers are read and never run. */
import { access, constants, readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import type { Program } from '../../agent/index.js';
import type { Environment } from './environment.js';

export type FoundProgram =
  /** `dir` is where it lies, `before` goes in front of its arguments. */
  | { found: true; file: string; before: string[]; dir: string }
  /** `refused` says why a file that is there was not taken. */
  | { found: false; refused?: string };

/** What the search asks of the machine; tests give it another one. */
export interface Machine {
  platform: NodeJS.Platform;
  env: Readonly<Environment>;
  home: string;
  cwd: string;
  /** The Node to run a script with. */
  node: string;
  isProgram(file: string): Promise<boolean>;
  read(file: string): Promise<string>;
}

/** Looks for `chosen` (a path or a name, from the user) or else for the program's own names. */
export async function findProgram(
  program: Program,
  chosen: string | undefined,
  machine: Machine,
): Promise<FoundProgram> {
  const { join, resolve } = pathOf(machine);
  if (chosen && /[\\/]/.test(chosen)) {
    const file = resolve(machine.cwd, chosen);
    return /\.[cm]?js$/i.test(file) ? script(file, machine) : firstOf([file], machine);
  }
  const names = chosen ? [chosen] : program.names;
  const files = searchPath(program, machine).flatMap((dir) => names.map((name) => join(dir, name)));
  return firstOf(files, machine);
}

/** Where programs are looked for: this platform, with these variables and this directory. */
export function thisMachine(env: Readonly<Environment>, cwd: string): Machine {
  return {
    platform: process.platform,
    env,
    home: homedir(),
    cwd,
    node: process.execPath,
    isProgram: (file) => isExecutableFile(file),
    read: (file) => readFile(file, 'utf8'),
  };
}

/** The program or Node script that npm's `.cmd` launcher would start, relative to it; undefined for any other `.cmd` file. */
export function shimTarget(text: string): string | undefined {
  const target = /"%(?:~dp0|dp0%)\\([^"%]+)"\s+%\*/i.exec(text)?.[1];
  if (!target) return undefined;
  return /\.exe$/i.test(target) || /\bnode(\.exe)?"/i.test(text) ? target : undefined;
}

function searchPath(program: Program, { env, home, platform }: Machine): string[] {
  const { delimiter, isAbsolute, join } = platform === 'win32' ? path.win32 : path.posix;
  const name = Object.keys(env).find((key) => key.toUpperCase() === 'PATH');
  // A relative entry would run whatever lies in the directory the agent works in.
  const inPath = (name && env[name] ? env[name].split(delimiter) : []).filter(isAbsolute);
  const others = program.searchDirs.map((dir) => (dir.startsWith('~') ? join(home, dir.slice(1)) : dir));
  return [...new Set([...inPath, ...others])];
}

/** A script that was chosen runs with this Node, so that it needs neither a file mode nor a launcher, on any system. */
async function script(file: string, machine: Machine): Promise<FoundProgram> {
  const isThere = await machine.read(file).then(
    () => true,
    () => false,
  );
  return isThere
    ? { found: true, file: machine.node, before: [file], dir: pathOf(machine).dirname(file) }
    : { found: false };
}

async function firstOf(files: readonly string[], machine: Machine): Promise<FoundProgram> {
  let refused: string | undefined;
  for (const file of files) {
    for (const candidate of machine.platform === 'win32' ? windowsNames(file) : [file]) {
      if (!(await machine.isProgram(candidate))) continue;
      const found = await startable(candidate, machine);
      if (found.found) return found;
      refused ??= found.refused;
    }
  }
  return refused ? { found: false, refused } : { found: false };
}

async function startable(file: string, machine: Machine): Promise<FoundProgram> {
  const { dirname, extname, join } = pathOf(machine);
  const dir = dirname(file);
  if (machine.platform !== 'win32' || !/^\.(cmd|bat)$/i.test(extname(file))) {
    return { found: true, file, before: [], dir };
  }
  const target = shimTarget(await machine.read(file).catch(() => ''));
  // cmd.exe reads arguments a second time, which lets a prompt run commands (CVE-2024-27980).
  if (!target) return { found: false, refused: `${file} is a batch file, which cannot be given a prompt safely` };
  const real = join(dir, target);
  return /\.exe$/i.test(target)
    ? { found: true, file: real, before: [], dir }
    : { found: true, file: machine.node, before: [real], dir };
}

/** `.exe` before `.cmd`, because the first needs no reading. A file without either is a shell script for another shell. */
function windowsNames(file: string): string[] {
  return /\.(exe|com|cmd|bat)$/i.test(file) ? [file] : [`${file}.exe`, `${file}.com`, `${file}.cmd`, `${file}.bat`];
}

function pathOf({ platform }: Machine): path.PlatformPath {
  return platform === 'win32' ? path.win32 : path.posix;
}

async function isExecutableFile(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}
