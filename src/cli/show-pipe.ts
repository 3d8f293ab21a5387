/** Standard input → lines, and kept. The exit status says how the agent ended. */
import type { PipeFlags } from './command/pipe.js';
import type { Context } from './context.js';
import type { ExitStatus } from './exit-status.js';
import { createInterrupt } from './interrupt.js';
import { createKeptPipe, type KeptPipe } from './kept-pipe.js';
import { note, noteStats } from './note.js';
import { createPrinter, type Printer } from './printer.js';
import { showStream } from './show-stream.js';
import { createStreamReader } from './stream-reader.js';

export async function showPipe(this: Context, flags: PipeFlags): Promise<void> {
  const { stdin, stdout, stderr } = this.process;
  const kept = flags.noStore ? undefined : createKeptPipe(flags, this.process);
  const reader = createStreamReader(flags.agent, kept);
  const printer = createPrinter(flags, this.process);
  using interrupt = createInterrupt(this.process);

  const bytes = await showStream({
    source: stdin,
    reader,
    printer: kept ? keeping(printer, kept) : printer,
    signal: interrupt.signal,
    ...(kept && { onShown: kept.read }),
  });
  const id = await kept?.close();

  if (flags.verbose) noteStats(stderr, printer);
  if (id && stdout.isTTY && stderr.isTTY && !flags.quiet)
    note(stderr, `kept as ${id}. Go on with: glassbox resume ${id} "…"`);
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

function keeping(printer: Printer, kept: KeptPipe): Printer {
  return {
    ...printer,
    print(events) {
      const printed = printer.print(events);
      kept.push(events);
      return printed;
    },
  };
}
