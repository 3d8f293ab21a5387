/** Standard input → lines. The exit status says how the agent ended. */
import type { AgentFlag } from './agent-flag.js';
import type { Context } from './context.js';
import type { ExitStatus } from './exit-status.js';
import { createInterrupt } from './interrupt.js';
import { note, noteStats } from './note.js';
import { createPrinter } from './printer.js';
import { showStream } from './show-stream.js';
import { createStreamReader } from './stream-reader.js';
import type { ViewFlags } from './view-flag.js';

export async function showPipe(this: Context, flags: ViewFlags & AgentFlag): Promise<void> {
  const { stdin, stderr } = this.process;
  const reader = createStreamReader(flags.agent);
  const printer = createPrinter(flags, this.process);
  using interrupt = createInterrupt(this.process);

  const bytes = await showStream({ source: stdin, reader, printer, signal: interrupt.signal });

  if (flags.verbose) noteStats(stderr, printer);
  this.process.exitCode = interrupt.status() ?? ending();

  function ending(): ExitStatus {
    if (printer.closed.aborted) return 0;
    if (bytes === 0) {
      note(stderr, 'nothing came in. Did the agent print an error? Did it get the flags that make it print a stream?');
      return 4;
    }
    if (!reader.isRecognised() && flags.json) {
      note(
        stderr,
        'this was not the stream of an agent that I know, so there are no events. Name the agent with --agent.',
      );
      return 3;
    }
    if (!reader.isRecognised()) {
      note(stderr, 'this was not the stream of an agent that I know, so I passed it through. See glassbox --help.');
      return 0;
    }
    return printer.status() ?? 4;
  }
}
