/** Starts the scripted agent through the same door as a real one, shows it, and answers its question where nobody does. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Decider } from '../../../event/index.js';
import { type RunHandle, run } from '../../../run/index.js';
import { findPerson } from '../../ask/find-person.js';
import { showRun } from '../../ask/show-run.js';
import type { Context } from '../../context.js';
import { STATUS_OF_REASON } from '../../exit-status.js';
import { createInterrupt } from '../../interrupt.js';
import { mannerOf, openPrinter } from '../../live/open-printer.js';
import { note, noteStats } from '../../print/note.js';
import type { DemoFlags } from './command.js';
import recording from './demo-recording.json' with { type: 'json' };
import { makeProject } from './make-project.js';

/** So long a newcomer may think about it. */
const PATIENCE_MS = 15_000;

export async function runDemo(this: Context, flags: DemoFlags): Promise<void> {
  const { stderr } = this.process;
  using interrupt = createInterrupt(this.process);
  using asking = findPerson(flags, this.process);
  const person = mannerOf(flags, this.process) === 'live' ? asking.person : undefined;
  note(stderr, `a recorded run of Claude Code. No account, no network.${person ? ASKS : ''}`);
  const cwd = await mkdtemp(path.join(tmpdir(), 'glassbox-demo-'));
  await makeProject(cwd);
  const handle = run({
    agent: recording.agent,
    program: fileURLToPath(new URL('demo-agent.js', this.programDir)),
    prompt: recording.prompt,
    cwd,
    attended: true,
    env: { GLASSBOX_DEMO_SPEED: String(flags.speed), GLASSBOX_DEMO_ASKS: '1' },
  });
  interrupt.signal.addEventListener('abort', () => handle.cancel(interrupt.why()));
  const patience = answerByItself(handle, person ? PATIENCE_MS / flags.speed : 0);
  const printer = openPrinter(flags, this.process, {
    starting: 'Starting the demo',
    terminal: person && asking.terminal,
    keys: { interrupt: () => void handle.interrupt('interrupted by the user'), answering: patience.end },
  });
  const { completion } = await showRun(handle, printer, person);
  await rm(cwd, { recursive: true, force: true });
  const status = printer.closed.aborted ? 0 : STATUS_OF_REASON[completion.reason];
  if (flags.verbose) noteStats(stderr, printer);
  if (status === 0 && !printer.closed.aborted) note(stderr, NEXT);
  this.process.exitCode = interrupt.status() ?? status;
}

const ASKS = ' It asks you once, and goes on by itself if you do not answer.';
const NEXT = `that was a recording. With an agent of yours:
  glassbox doctor                       which agents are here
  glassbox run claude "Fix the tests"   the same with a real one
  glassbox serve                        the page: http://127.0.0.1:4177`;

/** Whoever has pressed a key to answer is not answered for. */
function answerByItself(handle: RunHandle, patienceMs: number): { end(): void } {
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  void (async () => {
    for await (const event of handle.tap()) {
      if (event.type !== 'approval-request' || isOver) continue;
      const decider: Decider = patienceMs > 0 ? { by: 'timeout' } : { by: 'nobody' };
      const decide = () => void handle.decide(event.id, { type: 'approve' }, decider);
      if (patienceMs > 0) timer = setTimeout(decide, patienceMs).unref();
      else decide();
    }
  })();
  return {
    end() {
      isOver = true;
      clearTimeout(timer);
    },
  };
}
