/**
 * Calls git so that nothing but what is asked happens: no hook, no helper program, no prompt, no variable of the caller's environment that
 * says where a repository is, no endless wait, no output without bounds.
 */
import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { GlassboxError } from '../event/index.js';
import { findProgram, thisMachine } from '../run/index.js';

export interface GitCall {
  cwd: string;
  /** Variables of git for this call: `GIT_DIR` and its like. */
  at?: Readonly<Record<string, string>>;
  /** Settings that go before all others. */
  settings?: readonly string[];
  input?: string | Uint8Array;
  timeoutMs?: number;
  /** More is not read: it fails. */
  mostBytes?: number;
  /** Somebody waits for it: it goes with all others, not after them. */
  isAwaited?: boolean;
}

export interface GitResult {
  status: number;
  stdout: Buffer;
  stderr: string;
}

const TIMEOUT_MS = 120_000;
const MOST_OUTPUT_BYTES = 256 * 1024 * 1024;
/** What an agent waits for goes first. */
const NICENESS = 10;

/** Programs that a repository or its owner may have set, writers of logs and locks, and everything that changes a file on its way. */
const SETTINGS = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.untrackedCache=false',
  'core.logAllRefUpdates=false',
  'core.quotePath=false',
  'core.bare=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'advice.addEmbeddedRepo=false',
];

/** Throws what a person can read when git fails or is not there. */
export async function git(args: readonly string[], call: GitCall): Promise<Buffer> {
  const { status, stdout, stderr } = await tryGit(args, call);
  if (status === 0) return stdout;
  throw gitFailure(args[0], stderr);
}

export async function gitText(args: readonly string[], call: GitCall): Promise<string> {
  return (await git(args, call)).toString('utf8').trim();
}

/** Names that end with a NUL each. One that is no UTF-8 cannot be said, and comes with what stands in for its letters. */
export async function gitNames(args: readonly string[], call: GitCall): Promise<string[]> {
  return (await git(args, call)).toString('utf8').split('\0').filter(Boolean);
}

export function gitFailure(command: string | undefined, stderr: string): GlassboxError {
  const [why = 'without a reason'] = stderr.split('\n').filter(Boolean);
  return new GlassboxError('write-failed', `git ${command} failed: ${why.replace(/^(fatal|error): /, '')}`);
}

export async function tryGit(args: readonly string[], call: GitCall): Promise<GitResult> {
  const program = await gitProgram();
  const { cwd, at = {}, settings = [], input = '', timeoutMs = TIMEOUT_MS } = call;
  const { mostBytes = MOST_OUTPUT_BYTES, isAwaited = false } = call;
  const set = [...SETTINGS, ...settings].flatMap((setting) => ['-c', setting]);
  const child = spawn(program, [...set, ...args], { cwd, env: { ...surroundings(), ...at }, windowsHide: true });
  return new Promise((resolve, reject) => {
    const output: Buffer[] = [];
    let bytes = 0;
    let stderr = '';
    let ended: string | undefined;
    const end = (why: string) => {
      ended ??= why;
      child.kill('SIGKILL');
    };
    const timer = setTimeout(() => end(`took longer than ${timeoutMs / 1000} s`), timeoutMs);
    if (!isAwaited) child.on('spawn', () => lower(child.pid));
    child.on('error', ({ message }) => {
      clearTimeout(timer);
      reject(new GlassboxError('spawn-failed', `git could not be started: ${message}`));
    });
    child.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > mostBytes) end('tells more than is read');
      else output.push(chunk);
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      if (stderr.length < 4096) stderr += text;
    });
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    child.on('close', (status) => {
      clearTimeout(timer);
      if (ended === undefined) resolve({ status: status ?? 128, stdout: Buffer.concat(output), stderr });
      else reject(new GlassboxError('write-failed', `git ${args[0]} ${ended}, so it was ended.`));
    });
  });
}

function lower(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, NICENESS);
  } catch {
    // It has ended already.
  }
}

let found: Promise<string> | undefined;

/** Searched in PATH and never where the agent works. */
function gitProgram(): Promise<string> {
  found ??= findProgram(
    { names: ['git'], install: '', searchDirs: [], versionArgs: [], dropEnv: [], reservedFlags: [] },
    undefined,
    thisMachine(process.env, '/'),
  ).then((program) => {
    if (program.found) return program.file;
    throw new GlassboxError('not-installed', 'git is not installed, and without it no file is kept for going back.');
  });
  return found;
}

function surroundings(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(GIT_|LC_|LANG)/i.test(name));
  return {
    ...Object.fromEntries(inherited),
    LC_ALL: 'C',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_LITERAL_PATHSPECS: '1',
  };
}
