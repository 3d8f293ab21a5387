/** `glassbox open`: starts the agent's own program with the session, on this very terminal, without a shell, and reads in what happened there. */
import { GlassboxError } from '../../../event/index.js';
import { handOver } from '../../../run/index.js';
import type { Context } from '../../context.js';
import { describeSession } from '../../kept/continuation.js';
import { latestHere, namedSession } from '../../kept/named-session.js';
import { withStore } from '../../kept/with-store.js';
import { attendProgram } from '../../own-program/attend-program.js';
import { findOwnProgram } from '../../own-program/find-own-program.js';
import { readBack } from '../../own-program/read-back.js';
import { note } from '../../print/note.js';
import { print } from '../../print/sink.js';
import { configurationFor } from '../../run-request.js';
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
  const { agent, agentSessionId, cwd = here } = session;
  if (flags.print) return void (await print(stdout, [handOver(agent, agentSessionId).line]));
  const { settings } = await configurationFor(cwd, process);
  const program = await findOwnProgram({ agent, agentSessionId, cwd }, { settings, env });
  note(stderr, `opening ${describeSession(session)}`);
  const since = Date.now();
  process.exitCode = await attendProgram(process, program);
  const { events } = await withStore(flags, (store) => readBack(store, session, { env, since }));
  const said = events.length > 0 ? 'what happened there is kept too.' : 'nothing was said there.';
  note(stderr, `back from ${program.title}: ${said} Go on with: glassbox resume ${session.id} "…"`);
}
