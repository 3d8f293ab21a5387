/** `glassbox open`: starts the agent's own program with the session, on this very terminal, without a shell. */
import { spawn } from 'node:child_process';
import { howToGet } from '../../../agent/index.js';
import { GlassboxError } from '../../../event/index.js';
import { findProgram, handOver, requireAgent, thisMachine } from '../../../run/index.js';
import { inheritable } from '../../../run/process/environment.js';
import type { Context } from '../../context.js';
import { latestHere, namedSession } from '../../kept/named-session.js';
import { withStore } from '../../kept/with-store.js';
import { note } from '../../print/note.js';
import { print } from '../../print/sink.js';
import { configurationFor } from '../../run-request.js';
import { describeSession } from '../resume/resume-agent.js';
import type { OpenFlags } from './command.js';

export async function openSession(this: Context, flags: OpenFlags, ref?: string): Promise<void> {
  const { process } = this;
  const { stdout, stderr, env } = process;
  const here = process.cwd();
  const session = await withStore(flags, (store) =>
    ref === undefined
      ? latestHere(store, here, (one) => one.agentSessionId !== undefined)
      : namedSession(store, ref, here),
  );
  if (session.state !== 'ended') throw new GlassboxError('conflict', `The session ${session.id} is still running.`);
  const { args, line } = handOver(session.agent, session.agentSessionId);
  if (flags.print) return void (await print(stdout, [line]));
  const { program, title } = requireAgent(session.agent);
  const cwd = session.cwd ?? here;
  const { settings } = await configurationFor(cwd, process);
  const found = await findProgram(program, settings.agents?.[session.agent]?.program, thisMachine(env, cwd));
  if (!found.found) throw new GlassboxError('not-installed', `${title} was not found. ${howToGet(program)}`);
  note(stderr, `opening ${describeSession(session)}`);
  process.exitCode = await attend(found.file, [...found.before, ...args], {
    cwd,
    env: inheritable(env, program.dropEnv),
  });
}

/** The terminal is the program's for as long as it runs: Ctrl-C is its own. */
function attend(
  file: string,
  args: readonly string[],
  options: { cwd: string; env: NodeJS.ProcessEnv },
): Promise<number> {
  const ignore = () => {};
  process.on('SIGINT', ignore);
  return new Promise<number>((resolve, reject) => {
    const child = spawn(file, args, { ...options, stdio: 'inherit' });
    child.once('error', (cause) =>
      reject(new GlassboxError('spawn-failed', `${file} could not be started in ${options.cwd}.`, { cause })),
    );
    child.once('exit', (status, signal) => resolve(status ?? (signal === 'SIGINT' ? 130 : 1)));
  }).finally(() => process.off('SIGINT', ignore));
}
