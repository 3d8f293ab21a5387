/** From a plan to a running process: find the program, prepare its surroundings, spawn; every failure says the next step. */
import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { howToGet } from '../../agent/command.js';
import type { Agent, Command } from '../../agent/index.js';
import type { ErrorFacts } from '../../event/index.js';
import type { RunPlan } from '../request/request.js';
import { childEnvironment, type Environment } from './environment.js';
import { type FamilyWatch, watchFamily } from './family-watch.js';
import { type FoundProgram, findProgram, thisMachine } from './find-program.js';
import { type ProcessRow, readProcess } from './process-table.js';
import { type OwnedRun, recordRun, runsDirectory } from './reaper.js';
import { setMark } from './set-mark.js';
import { type SpawnFailure, spawnAgent } from './spawn-agent.js';

export interface Started {
  child: ChildProcess;
  family: FamilyWatch;
  /** Removes what was put on disk for this run. */
  tidy(): Promise<void>;
}

export type StartResult = Started | { error: ErrorFacts } | 'cancelled';

/** `mayStart` is asked in the last moment; what it rejects with is why there is no agent. */
export async function startAgent(
  plan: RunPlan,
  command: Command,
  mayStart: () => Promise<boolean>,
): Promise<StartResult> {
  const { agent, runId, request } = plan;
  const { cwd } = plan.command;
  const inherited: Environment = { ...process.env };
  const found = await findProgram(agent.program, request.program, thisMachine({ ...inherited, ...request.env }, cwd));
  if (!found.found) return { error: notFound(agent, request.program, found) };

  const mark = await recordRun(runsDirectory(), runId).catch(() => undefined);
  const { args, directory } = await writeFiles(command, runId);
  if (directory) await mark?.update({ directory });
  const tidy = async () => {
    if (directory) await rm(directory, { recursive: true, force: true });
    await mark?.remove();
  };
  const isWanted = await mayStart().catch(async (error: unknown) => {
    await tidy();
    throw error;
  });
  if (!isWanted) {
    await tidy();
    return 'cancelled';
  }

  const { drop, ...rest } = { drop: agent.program.dropEnv, command: command.env, request: request.env };
  const env = childEnvironment(inherited, { runId, drop, programDir: found.dir, ...rest });
  const spawned = await spawnAgent({
    file: found.file,
    args: [...found.before, ...args],
    cwd,
    env,
    stdin: command.stdin.kind === 'none' ? 'ignore' : 'pipe',
    stderr: request.stderr === 'discard' ? 'ignore' : 'pipe',
  });
  if (spawned.failure) {
    await tidy();
    return { error: notStarted(agent, cwd, spawned.failure) };
  }
  const { child } = spawned;
  const { pid = 0 } = child;
  const marked = setMark(pid, runId);
  noteLeader(mark, pid);
  const family = watchFamily({
    pid,
    onHidden: (hidden) => void mark?.update({ known: hidden.map(identityOf) }).catch(() => {}),
  });
  return { child, family, tidy: () => marked.then(tidy) };
}

/** Only for the next start of glassbox; nobody waits for it. */
function noteLeader(mark: OwnedRun | undefined, pid: number): void {
  const note = async () => {
    const leader = await readProcess(pid);
    if (leader) await mark?.update({ leader: identityOf(leader) });
  };
  note().catch(() => {});
}

const identityOf = ({ pid, startTime }: ProcessRow) => ({ pid, startTime });

async function writeFiles(
  { args, files = [] }: Command,
  runId: string,
): Promise<{ args: string[]; directory?: string }> {
  if (files.length === 0) return { args };
  const directory = await mkdtemp(path.join(tmpdir(), `glassbox-${runId.slice(0, 8)}-`));
  const places = new Map<string, string>();
  for (const { placeholder, name, text, isBase64 } of files) {
    const file = path.join(directory, name);
    await writeFile(file, text, { mode: 0o600, encoding: isBase64 ? 'base64' : 'utf8' });
    places.set(placeholder, file);
  }
  const filled = args.map((arg) => [...places].reduce((text, [from, to]) => text.replaceAll(from, to), arg));
  return { args: filled, directory };
}

function notFound({ title, program }: Agent, chosen: string | undefined, found: FoundProgram): ErrorFacts {
  const refused = found.found ? undefined : found.refused;
  if (refused) return { category: 'config', message: `${title} was not started: ${refused}.`, hint: howToGet(program) };
  const where = chosen ? `at ${chosen}` : `as ${program.names[0]} on PATH or where it is usually installed`;
  return { category: 'config', message: `${title} was not found ${where}.`, hint: howToGet(program) };
}

function notStarted({ title }: Agent, cwd: string, { what, code }: SpawnFailure): ErrorFacts {
  if (what === 'cwd') {
    return {
      category: 'config',
      message: `The working directory does not exist: ${cwd}`,
      hint: 'Create it, or choose another.',
    };
  }
  const hint = code === 'E2BIG' ? 'The arguments are too long; shorten them.' : 'Check that the program may be run.';
  return { category: 'config', message: `${title} could not be started (${code}).`, hint };
}
