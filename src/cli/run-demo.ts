/** Starts the scripted agent through the same door as a real one, and shows it. */
import { fileURLToPath } from 'node:url';
import { run } from '../run/index.js';
import { attendRun } from './attend-run.js';
import type { DemoFlags } from './command/demo.js';
import type { Context } from './context.js';
import recording from './demo-recording.json' with { type: 'json' };
import { STATUS_OF_REASON } from './exit-status.js';
import { createInterrupt } from './interrupt.js';
import { note, noteStats } from './note.js';
import { createPrinter } from './printer.js';

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
    signal: interrupt.signal,
  });
  const printer = createPrinter(flags, this.process);
  const { completion } = await attendRun(handle, printer);
  const status = printer.closed.aborted ? 0 : STATUS_OF_REASON[completion.reason];
  if (flags.verbose) noteStats(stderr, printer);
  if (status === 0 && !printer.closed.aborted) note(stderr, 'for your own agent see glassbox --help');
  this.process.exitCode = interrupt.status() ?? status;
}
