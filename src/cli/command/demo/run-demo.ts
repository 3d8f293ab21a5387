/** Starts the scripted agent through the same door as a real one, and shows it. */
import { fileURLToPath } from 'node:url';
import { run } from '../../../run/index.js';
import { showRun } from '../../ask/show-run.js';
import type { Context } from '../../context.js';
import { STATUS_OF_REASON } from '../../exit-status.js';
import { createInterrupt } from '../../interrupt.js';
import { openPrinter } from '../../live/open-printer.js';
import { createNotices, noticing } from '../../notice/notices.js';
import { note, noteStats } from '../../print/note.js';
import type { DemoFlags } from './command.js';
import recording from './demo-recording.json' with { type: 'json' };

export async function runDemo(this: Context, flags: DemoFlags): Promise<void> {
  const { stderr } = this.process;
  using interrupt = createInterrupt(this.process);
  note(stderr, 'a recorded run of Claude Code. No account, no network.');
  const handle = run({
    agent: recording.agent,
    program: fileURLToPath(new URL('demo-agent.js', this.programDir)),
    prompt: recording.prompt,
    // There is nobody to ask: what the agent may do was decided when it was recorded.
    permission: 'deny',
    env: { GLASSBOX_DEMO_SPEED: String(flags.speed) },
  });
  interrupt.signal.addEventListener('abort', () => handle.cancel(interrupt.why()));
  const printer = openPrinter(flags, this.process, {
    starting: 'Starting the demo',
    keys: { interrupt: () => void handle.interrupt('interrupted by the user') },
  });
  const notices = createNotices({ process: this.process });
  const { agent, runId } = handle;
  const about = { agent, runId, isOpen: (id: string) => handle.pending().some((open) => open.id === id) };
  const { completion } = await showRun(handle, noticing(printer, notices, about));
  notices.ended(completion.reason, about);
  await notices.close();
  const status = printer.closed.aborted ? 0 : STATUS_OF_REASON[completion.reason];
  if (flags.verbose) noteStats(stderr, printer);
  if (status === 0 && !printer.closed.aborted) note(stderr, 'for your own agent see glassbox --help');
  this.process.exitCode = interrupt.status() ?? status;
}
